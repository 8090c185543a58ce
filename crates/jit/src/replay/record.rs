//! Writes a recording: passes all questions on, and notes them with their answers.
//!
//! Invariant: a class or method has its line before the first line that names it. What the compiler
//! reads of it directly is noted then; the few facts among it that may change (a class's state, its
//! instances' size) are those of that moment.
use super::text::{self, bytes, list, maybe, name, path};
use concord_contract::class::Birth;
use concord_contract::compile_env::{CallAnswer, CompilationEnv, ConstantAnswer, VmLayout};
use concord_contract::compiled::{CompileRequest, Dependency};
use concord_contract::constant_objects::{KnownObject, ObjectPath};
use concord_contract::entries::ResolvedField;
use concord_contract::method::INLINING;
use concord_contract::profile::{Counter, Counters, MethodProfile, Site};
use concord_contract::{BasicType, ClassRef, MethodRef, compiling};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::atomic::Ordering::Relaxed;

/// A program's answers, written down.
pub struct Recorder<'a> {
    env: &'a dyn CompilationEnv,
    notes: RefCell<Notes>,
}

struct Notes {
    text: String,
    classes: HashMap<ClassRef, usize>,
    methods: HashMap<MethodRef, usize>,
    /// Number of the compilation.
    id: u32,
    /// The method that is compiled.
    root: MethodRef,
}

impl<'a> Recorder<'a> {
    /// Begins the recording of a compilation by a code generator with the settings `isa`.
    pub fn new(env: &'a dyn CompilationEnv, request: &CompileRequest, isa: &str) -> Recorder<'a> {
        let mut text = String::with_capacity(16 << 10);
        let vbd = u8::from(concord_memory_model::policy::vbd());
        writeln!(text, "{}\nmachine {isa}\nvbd {vbd}", super::HEAD).expect("text");
        let notes =
            Notes { text, classes: HashMap::new(), methods: HashMap::new(), id: request.id, root: request.method };
        let r = Recorder { env, notes: RefCell::new(notes) };
        let mut n = r.notes.borrow_mut();
        let m = n.method(env, request.method);
        let traps = list(request.hot_traps.iter().map(|(bci, reason)| format!("{bci}:{reason:?}")));
        let line = format!("compile {m} {} {} {:?} {traps}", maybe(request.osr_bci), request.id, request.level);
        n.line(&line);
        drop(n);
        // Also for a crash before the back end asks.
        r.layout();
        r
    }
    /// The recording, with what came of the compilation.
    pub fn finish(self, result: &str) -> String {
        let mut n = self.notes.into_inner();
        n.line(&format!("result {result}"));
        n.text
    }
    fn note(&self, line: impl FnOnce(&mut Notes) -> String) {
        let mut n = self.notes.borrow_mut();
        let line = line(&mut n);
        n.line(&line);
    }
}

impl Notes {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        compiling::recorded(self.id, self.text.as_bytes());
    }
    fn class(&mut self, env: &dyn CompilationEnv, c: ClassRef) -> String {
        if let Some(n) = self.classes.get(c) {
            return format!("c{n}");
        }
        let super_class = maybe(c.super_class.map(|s| self.class(env, s)));
        let component = maybe(c.component.map(|s| self.class(env, s)));
        let n = self.classes.len();
        self.classes.insert(c, n);
        let line = format!(
            "class c{n} {} {:?} {:?} {} {:#x} {:#x} {} {} {} {} {:#x} {:#x} {super_class} {component} {:#x} {:#x}",
            name(c.name.as_bytes()),
            c.kind,
            c.basic,
            c.elem_shift,
            c.access_flags,
            c.flags.load(Relaxed),
            c.instance_size.load(Relaxed),
            c.depth,
            c.place,
            c.state.load(Relaxed),
            c.birth.load(Relaxed),
            c.layout_id.load(Relaxed),
            env.class_address(c),
            env.statics_address(c),
        );
        self.line(&line);
        format!("c{n}")
    }
    fn method(&mut self, env: &dyn CompilationEnv, m: MethodRef) -> String {
        if let Some(n) = self.methods.get(m) {
            return format!("m{n}");
        }
        let class = self.class(env, m.class);
        let n = self.methods.len();
        self.methods.insert(m, n);
        // The flags that count for this compilation.
        let flags = m.flags.load(Relaxed) & !INLINING | env.inlining(self.root, m);
        let rows = m.exceptions.iter().map(|e| format!("{}:{}:{}:{}", e.start, e.end, e.handler, e.catch_type));
        let line = format!(
            "method m{n} {class} {} {} {:#x} {:?} {:?} {} {} {} {} {} {:#x}",
            name(m.name.as_bytes()),
            name(m.descriptor.as_bytes()),
            flags,
            m.ret,
            m.mh_intrinsic,
            m.max_locals,
            m.max_stack,
            m.nargs_bytes,
            bytes(m.bytecode),
            list(rows),
            env.method_address(m),
        );
        self.line(&line);
        format!("m{n}")
    }
    fn call(&mut self, env: &dyn CompilationEnv, a: &CallAnswer) -> String {
        let method = self.method(env, a.method);
        let interface = maybe(a.interface.map(|c| self.class(env, c)));
        let named = maybe(a.named.map(|c| self.class(env, c)));
        let requested = maybe(a.requested.map(|c| self.class(env, c)));
        format!("{method} {:?} {} {interface} {named} {requested} {}", a.kind, a.index, maybe(a.appendix))
    }
    fn dependency(&mut self, env: &dyn CompilationEnv, d: &Dependency) -> String {
        match d {
            Dependency::NoSubclass(c) => format!("NoSubclass {}", self.class(env, c)),
            Dependency::UniqueTarget(c, m) => {
                format!("UniqueTarget {} {}", self.class(env, c), self.method(env, m))
            }
            Dependency::UniqueConcrete(a, b) => {
                format!("UniqueConcrete {} {}", self.class(env, a), self.class(env, b))
            }
            // Asked for by its number.
            Dependency::Target(number) => format!("Target {number}"),
            // Of the code that comes of it all.
            Dependency::BornLocal(c) => format!("BornLocal {}", self.class(env, c)),
        }
    }
    fn site(&mut self, env: &dyn CompilationEnv, s: &Site) -> String {
        match s {
            Site::Branch { taken, not_taken } => format!("branch:{taken}:{not_taken}"),
            Site::Call(n) => format!("call:{n}"),
            Site::Types(t) => {
                let rows: Vec<_> = t.rows.iter().map(|(c, n)| format!(":{}:{n}", self.class(env, c))).collect();
                format!("types:{}:{}{}", t.rest, t.nulls, rows.concat())
            }
        }
    }
}

impl CompilationEnv for Recorder<'_> {
    fn inlining(&self, root: MethodRef, m: MethodRef) -> u32 {
        self.env.inlining(root, m)
    }
    fn field(&self, m: MethodRef, cp: u16, opcode: u8) -> Option<ResolvedField> {
        let a = self.env.field(m, cp, opcode);
        self.note(|n| {
            let question = format!("field {} {cp} {opcode}", n.method(self.env, m));
            let answer = a.map(|f| {
                let bits = [
                    f.is_bytes,
                    f.is_static,
                    f.is_volatile,
                    f.is_final,
                    f.is_constant,
                    f.is_stable,
                    f.is_target,
                    f.relaxed,
                ];
                let bits = bits.map(|b| u8::from(b).to_string()).join(" ");
                format!("{} {} {:?} {bits}", n.class(self.env, f.class), f.offset, f.ty)
            });
            format!("{question} = {}", maybe(answer))
        });
        a
    }
    fn call(&self, m: MethodRef, bci: u16, cp: u16, opcode: u8) -> Option<CallAnswer> {
        let a = self.env.call(m, bci, cp, opcode);
        self.note(|n| {
            let question = format!("call {} {bci} {cp} {opcode}", n.method(self.env, m));
            format!("{question} = {}", maybe(a.map(|a| n.call(self.env, &a))))
        });
        a
    }
    fn class(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        let a = self.env.class(m, cp);
        self.note(|n| format!("at {} {cp} = {}", n.method(self.env, m), maybe(a.map(|c| n.class(self.env, c)))));
        a
    }
    fn array_of(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        let a = self.env.array_of(m, cp);
        self.note(|n| format!("array {} {cp} = {}", n.method(self.env, m), maybe(a.map(|c| n.class(self.env, c)))));
        a
    }
    fn primitive_array(&self, ty: BasicType) -> Option<ClassRef> {
        let a = self.env.primitive_array(ty);
        self.note(|n| format!("primitive {ty:?} = {}", maybe(a.map(|c| n.class(self.env, c)))));
        a
    }
    fn array_class(&self, of: ClassRef) -> Option<ClassRef> {
        let a = self.env.array_class(of);
        self.note(|n| format!("arrays-of {} = {}", n.class(self.env, of), maybe(a.map(|c| n.class(self.env, c)))));
        a
    }
    fn constant(&self, m: MethodRef, cp: u16) -> Option<ConstantAnswer> {
        let a = self.env.constant(m, cp);
        self.note(|n| {
            let answer = a.map(|a| match a {
                ConstantAnswer::Prim(t, bits) => format!("{t:?} {bits:#x}"),
                ConstantAnswer::Root(at) => format!("root {at:#x}"),
                ConstantAnswer::Null => "null".into(),
            });
            format!("constant {} {cp} = {}", n.method(self.env, m), maybe(answer))
        });
        a
    }
    fn static_value(&self, f: &ResolvedField) -> Option<u64> {
        let a = self.env.static_value(f);
        self.note(|n| format!("value {} {} = {}", n.class(self.env, f.class), f.offset, maybe(a)));
        a
    }
    fn object(&self, at: &ObjectPath) -> Option<KnownObject> {
        let a = self.env.object(at);
        self.note(|n| {
            let answer = a.map(|o| {
                let class = n.class(self.env, o.class);
                let mirrors = maybe(o.mirrors.map(|c| n.class(self.env, c)));
                let runs = maybe(o.runs.map(|m| n.method(self.env, m)));
                format!("{class} {} {mirrors} {runs} {}", o.length, maybe(o.selected_by))
            });
            format!("object {} = {}", path(at), maybe(answer))
        });
        a
    }
    fn word(&self, at: &ObjectPath, offset: u32, ty: BasicType) -> Option<u64> {
        let a = self.env.word(at, offset, ty);
        self.note(|_| format!("word {} {offset} {ty:?} = {}", path(at), maybe(a)));
        a
    }
    fn same_object(&self, a: &ObjectPath, b: &ObjectPath) -> Option<bool> {
        let is = self.env.same_object(a, b);
        self.note(|_| format!("same {} {} = {}", path(a), path(b), maybe(is.map(u8::from))));
        is
    }
    fn is_instance(&self, at: &ObjectPath, class: ClassRef) -> Option<bool> {
        let a = self.env.is_instance(at, class);
        self.note(|n| format!("instance {} {} = {}", path(at), n.class(self.env, class), maybe(a.map(u8::from))));
        a
    }
    fn call_site(&self, at: &ObjectPath) -> Option<u32> {
        let a = self.env.call_site(at);
        self.note(|_| format!("call-site {} = {}", path(at), maybe(a)));
        a
    }
    fn can_instantiate(&self, m: MethodRef, class: ClassRef) -> bool {
        let a = self.env.can_instantiate(m, class);
        self.note(|n| format!("new {} {} = {}", n.method(self.env, m), n.class(self.env, class), u8::from(a)));
        a
    }
    fn birth(&self, class: ClassRef) -> Birth {
        let a = self.env.birth(class);
        self.note(|n| format!("birth {} = {a:?}", n.class(self.env, class)));
        a
    }
    fn unique_target(&self, call: &CallAnswer) -> Option<(MethodRef, Dependency)> {
        let a = self.env.unique_target(call);
        self.note(|n| {
            let question = format!("target {}", n.call(self.env, call));
            let answer = a.as_ref().map(|(m, d)| format!("{} {}", n.method(self.env, m), n.dependency(self.env, d)));
            format!("{question} = {}", maybe(answer))
        });
        a
    }
    fn target_in(&self, call: &CallAnswer, class: ClassRef) -> Option<MethodRef> {
        let a = self.env.target_in(call, class);
        self.note(|n| {
            let question = format!("target-in {} {}", n.class(self.env, class), n.call(self.env, call));
            format!("{question} = {}", maybe(a.map(|m| n.method(self.env, m))))
        });
        a
    }
    fn layout(&self) -> VmLayout {
        let a = self.env.layout();
        self.note(|_| {
            format!(
                "layout = {:#x} {:#x} {} {} {} {} {:#x} {} {}",
                a.class_table,
                a.unlog_table,
                a.max_bump,
                a.bump_at,
                u8::from(a.fenced_monitors),
                a.quiet_exits,
                a.guards_left,
                u8::from(a.counting),
                u8::from(a.places)
            )
        });
        a
    }
    fn profile(&self, m: MethodRef) -> Option<MethodProfile> {
        let a = self.env.profile(m);
        self.note(|n| {
            let question = format!("profile {}", n.method(self.env, m));
            let answer = a.as_ref().map(|p| {
                let sites: Vec<_> = p.sites().map(|(bci, s)| format!("{bci}:{}", n.site(self.env, s))).collect();
                if sites.is_empty() { "empty".into() } else { text::list(sites.into_iter()) }
            });
            format!("{question} = {}", maybe(answer))
        });
        a
    }
    fn counters(&self, m: MethodRef) -> Option<Counters> {
        let a = self.env.counters(m);
        self.note(|n| {
            let answer = a.as_ref().map(|c| {
                let cells = |c: &Counter| match c {
                    Counter::Branch { taken, not_taken } => format!("branch:{taken}:{not_taken}"),
                    Counter::Call(at) => format!("call:{at}"),
                    Counter::Types(r) => format!("types:{}:{}", r.own, r.more),
                };
                let sites = list(c.sites.iter().map(|(bci, c)| format!("{bci}:{}", cells(c))));
                format!("{} {} {sites}", c.entries, c.jumps_back)
            });
            format!("counters {} = {}", n.method(self.env, m), maybe(answer))
        });
        a
    }
    fn class_address(&self, c: ClassRef) -> usize {
        self.env.class_address(c)
    }
    fn method_address(&self, m: MethodRef) -> usize {
        self.env.method_address(m)
    }
    fn statics_address(&self, c: ClassRef) -> usize {
        self.env.statics_address(c)
    }
}
