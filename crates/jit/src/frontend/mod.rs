//! From bytecode to the intermediate representation.
//!
//! Invariant: what the graph does is what the interpreter would do from the same frame; wherever
//! the bytecode could do something that the graph does not (throw by itself, resolve, initialize),
//! the code is left with a frame state from which the interpreter does it.
//!
//! One pass over the blocks in reverse postorder, with the interpreter's frame held as values
//! ([`frame`]).
//!
//! | module | owns |
//! |---|---|
//! | [`blocks`] | basic blocks, live locals |
//! | [`frame`] | the abstract frame, joins |
//! | `emit` | appending instructions, frame states, edges |
//! | `ops` | instructions on values, branches |
//! | `locks` | monitors held where a loop is entered |
//! | `access` | fields, objects, monitors |
//! | `arrays` | arrays and their elements |
//! | `constants` | objects that the code knows, and what follows from them |
//! | `invoke` | calls, inlining |
//! | `targets` | which method a call selects, by hierarchy, by class made here, by profile |
//! | `counting` | counters of branches, calls and classes |
//! | `handlers` | from an exception to its handler |
//! | `scope` | a method in translation |
//! | `known`, `intrinsics`, `unsafe_access` | methods of the class library that the compiler knows |
pub mod blocks;
pub mod frame;

mod access;
mod arrays;
mod constants;
mod counting;
mod emit;
mod handlers;
mod intrinsics;
mod invoke;
mod known;
mod locks;
mod ops;
mod scope;
mod targets;
mod unsafe_access;

use crate::ir::state::Reason;
use crate::ir::{Block, ENTRY, Func, Op, Terminator, Ty, Value};
use crate::lower::cranelift::MAX_FRAME;
use blocks::{Blocks, only_type};
use concord_classfile::opcodes::{Instruction, op};
use concord_contract::class::ClassRef;
use concord_contract::compile_env::CompilationEnv;
use concord_contract::compiled::{Bailout, CompileRequest, Dependency};
use concord_contract::method::MethodRef;
use frame::Frame;
use scope::Scope;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What the front end found out on the way.
#[derive(Debug)]
pub struct Built {
    pub func: Func,
    pub dependencies: Vec<Dependency>,
    /// Classes that the code names.
    pub classes: Vec<ClassRef>,
    pub inlined_bytes: u32,
    pub inlined: Vec<MethodRef>,
    /// Monitors of the frame that the code takes over at its entry.
    pub osr_monitors: u16,
}

struct Builder<'a> {
    env: &'a dyn CompilationEnv,
    request: &'a CompileRequest,
    func: Func,
    /// Where instructions are appended.
    cur: Block,
    frame: Frame,
    dependencies: Vec<Dependency>,
    classes: Vec<ClassRef>,
    inlined_bytes: u32,
    /// Those of methods that would not be inlined in any case.
    chosen_bytes: u32,
    inlined: Vec<MethodRef>,
    may_inline: bool,
    with_handlers: bool,
    /// Where the instruction at hand may have thrown.
    raised: Vec<handlers::Raised>,
    /// Objects whose very class is known: made here, or compared.
    exact: HashMap<Value, ClassRef>,
    /// Lengths of arrays made here, where they are constants.
    lengths: HashMap<Value, u32>,
    /// What has been translated has loops.
    loops: bool,
    /// Values of its allocations of objects.
    own: HashSet<Value>,
    /// Classes that receivers of what is being inlined are of, or of a subclass.
    bounds: HashMap<Value, ClassRef>,
    /// Objects that the code knows.
    paths: HashMap<Value, constants::Constant>,
    /// Numbers that stand in another block than the one at hand.
    numbers: HashMap<Value, i32>,
    /// Values that are null or a `byte[]`.
    bytes: HashSet<Value>,
    /// Methods in translation, the compiled one first.
    active: Vec<MethodRef>,
}

/// After an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    /// The block is terminated.
    End,
}

type Step = Result<Flow, Bailout>;

/// Translates the method that `request` names.
///
/// # Errors
/// For what the compiler does not do.
pub fn build(env: &dyn CompilationEnv, request: &CompileRequest) -> Result<Built, Bailout> {
    let m = request.method;
    let slots = m.max_locals as usize + m.max_stack as usize;
    if slots > MAX_FRAME as usize / 8 {
        // Before the back end has spent seconds on where to keep them all.
        return Err(Bailout::Unsupported(format!("{slots} locals and operands, a frame has {MAX_FRAME} bytes")));
    }
    let mut last = build_with(env, request, true, true);
    // What cannot be translated may be a handler, or what was to be inlined.
    for (inline, handlers) in [(true, false), (false, false)] {
        if !matches!(last, Err(Bailout::Unsupported(_))) {
            break;
        }
        last = build_with(env, request, inline, handlers);
    }
    last
}

fn build_with(
    env: &dyn CompilationEnv,
    request: &CompileRequest,
    may_inline: bool,
    with_handlers: bool,
) -> Result<Built, Bailout> {
    let m = request.method;
    let mut b = Builder {
        env,
        request,
        func: Func::new(m, request.osr_bci),
        cur: ENTRY,
        frame: Frame::default(),
        dependencies: Vec::new(),
        classes: vec![m.class],
        inlined_bytes: 0,
        chosen_bytes: 0,
        inlined: Vec::new(),
        may_inline,
        with_handlers,
        raised: Vec::new(),
        exact: HashMap::new(),
        lengths: HashMap::new(),
        own: HashSet::new(),
        loops: false,
        bounds: HashMap::new(),
        paths: HashMap::new(),
        numbers: HashMap::new(),
        bytes: HashSet::new(),
        active: vec![m],
    };
    let blocks = Rc::new(Blocks::of(m, request.osr_bci)?);
    let start = blocks.at(request.osr_bci.unwrap_or(0) as i64)?;
    match request.osr_bci {
        None => b.method_entry(m)?,
        Some(_) => b.osr_entry(m, &blocks, start)?,
    }
    let osr_monitors = if request.osr_bci.is_some() { b.frame.monitors.len() as u16 } else { 0 };
    let mut scope = b.scope(m, blocks, None, 0);
    scope.bci = request.osr_bci.unwrap_or(0);
    if request.osr_bci.is_none() {
        b.prologue(&mut scope, start)?;
    }
    b.run(&mut scope, start)?;
    Ok(Built {
        func: b.func,
        dependencies: b.dependencies,
        classes: b.classes,
        inlined_bytes: b.inlined_bytes,
        inlined: b.inlined,
        osr_monitors,
    })
}

/// Types of a method's arguments, receiver first.
pub fn parameters(m: MethodRef) -> Vec<concord_contract::BasicType> {
    let mut v = if m.is_static() { vec![] } else { vec![concord_contract::BasicType::Object] };
    v.extend(declared(m));
    v
}

/// Types of the parameters that a method declares.
pub fn declared(m: MethodRef) -> Vec<concord_contract::BasicType> {
    descriptors(m).filter_map(|d| concord_contract::BasicType::from_descriptor_char(d[0])).collect()
}

/// Descriptors of the parameters that a method declares.
fn descriptors(m: MethodRef) -> impl Iterator<Item = &'static [u8]> {
    let text = m.descriptor.as_bytes();
    let mut at = 1;
    std::iter::from_fn(move || {
        let from = at;
        while *text.get(at)? == b'[' {
            at += 1;
        }
        match text[at] {
            b')' => return None,
            b'L' => at += text[at..].iter().position(|c| *c == b';')? + 1,
            _ => at += 1,
        }
        Some(&text[from..at])
    })
}

impl Builder<'_> {
    fn method_entry(&mut self, m: MethodRef) -> Result<(), Bailout> {
        self.frame.locals = vec![None; m.max_locals as usize];
        let (mut slot, mut arguments) = (0, Vec::new());
        for (n, t) in parameters(m).into_iter().enumerate() {
            let Some(ty) = Ty::of(t) else { return Err(Bailout::Unsupported("a parameter of type void".into())) };
            let v = self.func.typed(self.cur, Op::Param(n as u32), ty);
            self.frame.set_local(slot, v, ty);
            slot += ty.slots() as u16;
            arguments.push(v);
        }
        self.learn_byte_parameters(m, &arguments);
        if let (false, Some(Some(this))) = (m.is_static(), self.frame.locals.first().copied()) {
            self.frame.learn_nonnull(this);
        }
        Ok(())
    }
    fn osr_entry(&mut self, m: MethodRef, blocks: &Blocks, start: usize) -> Result<(), Bailout> {
        self.frame.locals = vec![None; m.max_locals as usize];
        for (n, k) in blocks.blocks[start].live_in.iter().enumerate() {
            if let Some(ty) = only_type(*k) {
                self.frame.locals[n] = Some(self.func.typed(self.cur, Op::OsrLocal(n as u16), ty));
            }
        }
        if m.is_synchronized() || m.bytecode.contains(&op::MONITORENTER) {
            for n in 0..locks::held_at(m, blocks, start)? {
                let o = self.func.typed(self.cur, Op::OsrMonitor(n as u16), Ty::Ref);
                self.frame.learn_nonnull(o);
                self.frame.monitors.push(o);
            }
        }
        Ok(())
    }

    /// What happens before the first instruction: the lock of a synchronized method, a poll.
    fn prologue(&mut self, scope: &mut Scope, start: usize) -> Result<(), Bailout> {
        scope.live = vec![scope.blocks.blocks[start].live_in.clone()];
        if scope.method.is_synchronized() {
            self.lock_method(scope)?;
        }
        if scope.blocks.has_calls && scope.caller.is_none() {
            let s = self.before(scope, Reason::AfterCall);
            self.emit(Op::Poll(s));
        }
        self.count_entry(scope);
        Ok(())
    }
    fn lock_method(&mut self, scope: &Scope) -> Result<(), Bailout> {
        let m = scope.method;
        let o = match (m.is_static(), self.frame.locals.first().copied().flatten()) {
            (true, _) => self.value(Op::Root(self.env.mirror_root(m.class))),
            (false, Some(this)) => this,
            (false, None) => return Err(Bailout::Unsupported("an instance method without a receiver".into())),
        };
        self.frame.learn_nonnull(o);
        self.frame.monitors.push(o);
        let s = self.before(scope, Reason::AfterCall);
        self.emit(Op::MonitorEnter(o, s));
        Ok(())
    }

    /// Translates all blocks of a scope that are reachable from `start`; the frame and block at hand
    /// are those before it.
    fn run(&mut self, scope: &mut Scope, start: usize) -> Result<(), Bailout> {
        let blocks = scope.blocks.clone();
        let order = blocks.order(start, self.with_handlers);
        for (n, b) in order.iter().enumerate() {
            scope.position[*b] = n as u32;
        }
        // For each loop header the position of the last block that jumps back to it.
        let mut last = vec![None; blocks.blocks.len()];
        for (n, b) in order.iter().enumerate() {
            for s in &blocks.blocks[*b].successors {
                if scope.position[*s] <= n as u32 {
                    last[*s] = Some(n);
                }
            }
        }
        for (n, b) in order.iter().enumerate() {
            for x in last[*b].map_or(&[][..], |end| &order[n..=end]) {
                scope.loops[*x] += 1;
            }
        }
        self.loops |= scope.loops.iter().any(|n| *n != 0);
        let t = self.target(scope, start);
        self.end_with(scope, Terminator::Jump(t), &[start])?;
        let mut skipped = Vec::new();
        for (n, &b) in order.iter().enumerate() {
            if scope.joins[b].edges.is_empty() {
                skipped.push(b);
                continue;
            }
            let written = last[b].map(|end| {
                let mut w = vec![false; scope.method.max_locals as usize];
                for x in &order[n..=end] {
                    for l in &blocks.blocks[*x].writes {
                        w[*l as usize] = true;
                    }
                }
                w
            });
            self.frame = scope.joins[b].enter(&mut self.func, &blocks.blocks[b].live_in, written.as_deref())?;
            let Some(block) = scope.joins[b].block else { concord_base::bug!("a block has edges and no number") };
            self.cur = block;
            scope.at = b;
            scope.live = blocks.live_points(b);
            self.block(scope)?;
        }
        // The order is that of a graph with handlers. Where nothing goes to a handler, a loop that it
        // enters in the middle may be entered by another block, which comes later in the order.
        if skipped.iter().any(|b| !scope.joins[*b].edges.is_empty()) {
            return Err(Bailout::Unsupported("a loop with several entries".into()));
        }
        Ok(())
    }

    fn block(&mut self, scope: &mut Scope) -> Result<(), Bailout> {
        let blocks = scope.blocks.clone();
        let mut end = blocks.blocks[scope.at].start as usize;
        for (n, i) in blocks.instructions(scope.at).enumerate() {
            scope.instruction = n;
            scope.bci = i.bci as u16;
            end = i.next();
            let flow = self.instruction(scope, &i)?;
            self.dispatch(scope)?;
            if flow == Flow::End {
                return Ok(());
            }
        }
        let next = blocks.at(end as i64)?;
        let t = self.target(scope, next);
        self.end_with(scope, Terminator::Jump(t), &[next])
    }

    fn instruction(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        use concord_classfile::opcodes::op::*;
        match i.opcode {
            GETSTATIC..=PUTFIELD
            | NEWARRAY..=ATHROW
            | NEW
            | CHECKCAST..=MONITOREXIT
            | MULTIANEWARRAY
            | LDC..=LDC2_W
            | IALOAD..=SALOAD
            | IASTORE..=SASTORE => self.access(scope, i),
            INVOKEVIRTUAL..=INVOKEDYNAMIC => self.invoke(scope, i),
            _ => self.simple(scope, i),
        }
    }
}
