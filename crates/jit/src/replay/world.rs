//! Reads a recording: the program as far as the compiler asked about it.
//!
//! Invariant: every question is answered as it was when it was recorded, in the same order if it was
//! asked more than once. A question that was not recorded has no answer, and is kept for the report:
//! the compiler is another one now.
use super::text::{NONE, Words, path};
use concord_base::Symbol;
use concord_contract::BasicType;
use concord_contract::class::{Class, ClassInit, ClassKind, ClassRef};
use concord_contract::compile_env::{CallAnswer, CompilationEnv, ConstantAnswer, VmLayout};
use concord_contract::compiled::{CompLevel, CompileRequest, DeoptReason, Dependency};
use concord_contract::constant_objects::{KnownObject, ObjectPath};
use concord_contract::entries::ResolvedField;
use concord_contract::method::{CallKind, ExceptionRow, Method, MethodRef, MhIntrinsic, NO_INDEX};
use concord_contract::profile::{Counter, Counters, MethodProfile, Rows, Site, Types};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

const KINDS: [ClassKind; 4] = [ClassKind::Instance, ClassKind::RefArray, ClassKind::PrimArray, ClassKind::Primitive];
const LEVELS: [CompLevel; 3] = [CompLevel::Plain, CompLevel::Counting, CompLevel::Profiling];
const CALLS: [CallKind; 5] =
    [CallKind::Static, CallKind::Special, CallKind::Virtual, CallKind::Interface, CallKind::Handle];
const INTRINSICS: [MhIntrinsic; 7] = [
    MhIntrinsic::None,
    MhIntrinsic::InvokeBasic,
    MhIntrinsic::LinkToStatic,
    MhIntrinsic::LinkToSpecial,
    MhIntrinsic::LinkToVirtual,
    MhIntrinsic::LinkToInterface,
    MhIntrinsic::LinkToNative,
];

/// A recording, read. Its classes and methods are made anew and stay for good.
pub struct World {
    classes: Vec<ClassRef>,
    methods: Vec<MethodRef>,
    /// Number, address and address of the statics of each class; number and address of each method.
    class_numbers: HashMap<ClassRef, (usize, usize, usize)>,
    method_numbers: HashMap<MethodRef, (usize, usize)>,
    answers: RefCell<HashMap<String, VecDeque<String>>>,
    unanswered: RefCell<Vec<String>>,
    request: Option<CompileRequest>,
    /// Settings of the code generator.
    pub machine: String,
    /// Whether accesses were volatile by default.
    pub vbd: bool,
    /// What came of the compilation; None if it did not end.
    pub result: Option<String>,
}

impl World {
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<World, String> {
        let mut w = World {
            classes: Vec::new(),
            methods: Vec::new(),
            class_numbers: HashMap::new(),
            method_numbers: HashMap::new(),
            answers: RefCell::default(),
            unanswered: RefCell::default(),
            request: None,
            machine: String::new(),
            vbd: true,
            result: None,
        };
        let mut lines = text.lines();
        if lines.next() != Some(super::HEAD) {
            return Err(format!("the first line is not: {}", super::HEAD));
        }
        for line in lines.filter(|l| !l.trim().is_empty()) {
            w.line(line)?;
        }
        Ok(w)
    }
    /// What was compiled.
    ///
    /// # Errors
    /// When the recording ends before it says so.
    pub fn request(&self) -> Result<CompileRequest, String> {
        self.request.ok_or_else(|| "the recording does not say what is compiled".into())
    }
    /// Questions that the recording has no answer to.
    pub fn unanswered(&self) -> Vec<String> {
        self.unanswered.borrow().clone()
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut w = Words::of(line);
        match w.word()? {
            "class" => self.define_class(w),
            "method" => self.define_method(w),
            "compile" => self.define_request(w),
            "machine" => {
                self.machine = line["machine".len()..].trim().into();
                Ok(())
            }
            "vbd" => {
                self.vbd = w.flag()?;
                Ok(())
            }
            "result" => {
                self.result = Some(line["result".len()..].trim().into());
                Ok(())
            }
            _ => {
                // A crash may have cut the last line short.
                let Some((question, answer)) = line.split_once(" = ") else { return Ok(()) };
                self.answers.get_mut().entry(question.into()).or_default().push_back(answer.into());
                Ok(())
            }
        }
    }
    fn define_class(&mut self, mut w: Words) -> Result<(), String> {
        let number = w.word()?;
        if number != format!("c{}", self.classes.len()) {
            return w.wrong("classes in disorder");
        }
        let (name, kind, basic) = (w.name()?, w.choice(&KINDS)?, w.choice(&BasicType::ALL)?);
        let (elem_shift, access_flags, flags, instance_size) = (w.number()?, w.number()?, w.number()?, w.number()?);
        let (depth, place, state): (u32, u8, u8) = (w.number()?, w.number()?, w.number()?);
        let (birth, layout_id) = (w.number()?, w.number()?);
        let (super_class, component) = (self.class_or_none(&mut w)?, self.class_or_none(&mut w)?);
        let (address, statics) = (w.number()?, w.number()?);
        let name = Symbol::intern(&name);
        let init = ClassInit {
            kind,
            basic,
            elem_shift,
            access_flags,
            flags,
            super_class,
            component,
            name,
            instance_size,
            vtable: vec![],
        };
        let c = Class::replica(init, place);
        if c.depth != depth {
            return w.wrong("a class of another depth");
        }
        c.state.store(state, Ordering::Release);
        c.birth.store(birth, Ordering::Relaxed);
        c.layout_id.store(layout_id, Ordering::Relaxed);
        self.class_numbers.insert(c, (self.classes.len(), address, statics));
        self.classes.push(c);
        Ok(())
    }
    fn define_method(&mut self, mut w: Words) -> Result<(), String> {
        let number = w.word()?;
        if number != format!("m{}", self.methods.len()) {
            return w.wrong("methods in disorder");
        }
        let class = self.class_at(&mut w)?;
        let (name, descriptor) = (w.name()?, w.name()?);
        let (flags, ret, mh_intrinsic) = (w.number()?, w.choice(&BasicType::ALL)?, w.choice(&INTRINSICS)?);
        let (max_locals, max_stack, nargs_bytes) = (w.number()?, w.number()?, w.number()?);
        let bytecode: &'static [u8] = w.bytes()?.leak();
        let mut exceptions = Vec::new();
        for row in w.list()? {
            let all: Result<Vec<u16>, String> = row.split(':').map(|n| w.number_in(n)).collect();
            let [start, end, handler, catch_type] = all?[..] else { return w.wrong("a handler") };
            exceptions.push(ExceptionRow { start, end, handler, catch_type });
        }
        let address = w.number()?;
        let m: MethodRef = Box::leak(Box::new(Method {
            entry: AtomicPtr::default(),
            compiled: AtomicPtr::default(),
            code: AtomicPtr::default(),
            nargs_bytes,
            frame_bytes: 0,
            max_stack_bytes: 0,
            flags: AtomicU32::new(flags),
            class,
            native: AtomicPtr::default(),
            vm_native: AtomicPtr::default(),
            vtable_index: AtomicU32::new(NO_INDEX),
            itable_index: AtomicU32::new(NO_INDEX),
            ret,
            mh_intrinsic,
            max_locals,
            max_stack,
            index: 0,
            name: Symbol::intern(&name),
            descriptor: Symbol::intern(&descriptor),
            bytecode,
            exceptions: exceptions.leak(),
            indy_sites: &[],
            heat: AtomicU64::new(0),
            engine: AtomicPtr::default(),
            info: AtomicPtr::default(),
        }));
        self.method_numbers.insert(m, (self.methods.len(), address));
        self.methods.push(m);
        Ok(())
    }
    fn define_request(&mut self, mut w: Words) -> Result<(), String> {
        let method = self.method_at(&mut w)?;
        let osr_bci = match w.word()? {
            NONE => None,
            n => Some(w.number_in(n)?),
        };
        let (id, level) = (w.number()?, w.choice(&LEVELS)?);
        let mut hot_traps = Vec::new();
        for t in w.list()? {
            let Some((bci, reason)) = t.split_once(':') else { return w.wrong("a trap") };
            hot_traps.push((w.number_in(bci)?, w.choice_in(reason, &DeoptReason::ALL)?));
        }
        self.request =
            Some(CompileRequest { osr_bci, hot_traps: hot_traps.leak(), level, ..CompileRequest::plain(method, id) });
        Ok(())
    }

    fn class_named(&self, w: &Words, word: &str) -> Result<ClassRef, String> {
        let n = word.strip_prefix('c').and_then(|n| n.parse::<usize>().ok());
        n.and_then(|n| self.classes.get(n)).map_or_else(|| w.wrong("an unknown class"), |c| Ok(*c))
    }
    fn class_at(&self, w: &mut Words) -> Result<ClassRef, String> {
        let word = w.word()?;
        self.class_named(w, word)
    }
    fn class_or_none(&self, w: &mut Words) -> Result<Option<ClassRef>, String> {
        match w.word()? {
            NONE => Ok(None),
            word => self.class_named(w, word).map(Some),
        }
    }
    fn method_at(&self, w: &mut Words) -> Result<MethodRef, String> {
        let word = w.word()?;
        self.method_named(w, word)
    }
    fn method_named(&self, w: &Words, word: &str) -> Result<MethodRef, String> {
        let n = word.strip_prefix('m').and_then(|n| n.parse::<usize>().ok());
        n.and_then(|n| self.methods.get(n)).map_or_else(|| w.wrong("an unknown method"), |m| Ok(*m))
    }

    // Answers.

    /// The answer to a question, read by `f`.
    fn ask<T>(&self, question: String, f: impl FnOnce(&mut Words) -> Result<T, String>) -> Option<T> {
        let mut all = self.answers.borrow_mut();
        let Some(answers) = all.get_mut(&question) else {
            self.unanswered.borrow_mut().push(question);
            return None;
        };
        // A question that is asked once more than it was has its last answer.
        let last = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        let answer = last.filter(|a| a != NONE)?;
        match f(&mut Words::of(&answer)) {
            Ok(x) => Some(x),
            Err(e) => {
                self.unanswered.borrow_mut().push(format!("{question}: {e}"));
                None
            }
        }
    }
    fn number_of(&self, c: ClassRef) -> String {
        self.class_numbers.get(c).map_or("c?".into(), |n| format!("c{}", n.0))
    }
    fn method_number(&self, m: MethodRef) -> String {
        self.method_numbers.get(m).map_or("m?".into(), |n| format!("m{}", n.0))
    }
    fn call_text(&self, call: &CallAnswer) -> String {
        let class = |c: Option<ClassRef>| c.map_or(NONE.into(), |c| self.number_of(c));
        format!(
            "{} {:?} {} {} {} {} {}",
            self.method_number(call.method),
            call.kind,
            call.index,
            class(call.interface),
            class(call.named),
            class(call.requested),
            super::text::maybe(call.appendix),
        )
    }
    fn call_answer(&self, w: &mut Words) -> Result<CallAnswer, String> {
        let (method, kind, index) = (self.method_at(w)?, w.choice(&CALLS)?, w.number()?);
        let (interface, named, requested) = (self.class_or_none(w)?, self.class_or_none(w)?, self.class_or_none(w)?);
        let appendix = match w.word()? {
            NONE => None,
            n => Some(w.number_in(n)?),
        };
        Ok(CallAnswer { method, kind, index, interface, named, requested, appendix })
    }
    fn dependency(&self, w: &mut Words) -> Result<Dependency, String> {
        Ok(match w.word()? {
            "NoSubclass" => Dependency::NoSubclass(self.class_at(w)?),
            "UniqueTarget" => Dependency::UniqueTarget(self.class_at(w)?, self.method_at(w)?),
            "UniqueConcrete" => Dependency::UniqueConcrete(self.class_at(w)?, self.class_at(w)?),
            _ => return w.wrong("an unknown dependency"),
        })
    }
    fn site(&self, w: &Words, text: &str) -> Result<(u16, Site), String> {
        let parts: Vec<&str> = text.split(':').collect();
        let number = |n: &&str| w.number_in::<u64>(n);
        let (site, bci) = match parts[..] {
            [bci, "branch", t, n] => (Site::Branch { taken: number(&t)?, not_taken: number(&n)? }, bci),
            [bci, "call", n] => (Site::Call(number(&n)?), bci),
            [bci, "types", rest, nulls, ref rows @ ..] => {
                let row = |r: &[&str]| Ok((self.class_named(w, r[0])?, number(&r[1])?));
                let rows: Result<Vec<_>, String> = rows.chunks_exact(2).map(row).collect();
                (Site::Types(Types { rows: rows?, rest: number(&rest)?, nulls: number(&nulls)? }), bci)
            }
            _ => return w.wrong("an unknown site"),
        };
        Ok((w.number_in(bci)?, site))
    }
}

fn counter(w: &Words, text: &str) -> Result<(u16, Counter), String> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |n: &&str| w.number_in::<u32>(n);
    let (counter, bci) = match parts[..] {
        [bci, "branch", t, n] => (Counter::Branch { taken: number(&t)?, not_taken: number(&n)? }, bci),
        [bci, "call", at] => (Counter::Call(number(&at)?), bci),
        [bci, "types", own, more] => (Counter::Types(Rows { own: number(&own)?, more: number(&more)? }), bci),
        _ => return w.wrong("an unknown counter"),
    };
    Ok((w.number_in(bci)?, counter))
}

impl CompilationEnv for World {
    fn field(&self, m: MethodRef, cp: u16, opcode: u8) -> Option<ResolvedField> {
        self.ask(format!("field {} {cp} {opcode}", self.method_number(m)), |w| {
            Ok(ResolvedField {
                class: self.class_at(w)?,
                offset: w.number()?,
                ty: w.choice(&BasicType::ALL)?,
                is_bytes: w.flag()?,
                is_static: w.flag()?,
                is_volatile: w.flag()?,
                is_final: w.flag()?,
                is_constant: w.flag()?,
                is_stable: w.flag()?,
                relaxed: w.flag()?,
            })
        })
    }
    fn call(&self, m: MethodRef, bci: u16, cp: u16, opcode: u8) -> Option<CallAnswer> {
        self.ask(format!("call {} {bci} {cp} {opcode}", self.method_number(m)), |w| self.call_answer(w))
    }
    fn class(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        self.ask(format!("at {} {cp}", self.method_number(m)), |w| self.class_at(w))
    }
    fn array_of(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        self.ask(format!("array {} {cp}", self.method_number(m)), |w| self.class_at(w))
    }
    fn primitive_array(&self, ty: BasicType) -> Option<ClassRef> {
        self.ask(format!("primitive {ty:?}"), |w| self.class_at(w))
    }
    fn constant(&self, m: MethodRef, cp: u16) -> Option<ConstantAnswer> {
        self.ask(format!("constant {} {cp}", self.method_number(m)), |w| {
            Ok(match w.word()? {
                "null" => ConstantAnswer::Null,
                "root" => ConstantAnswer::Root(w.number()?),
                t => ConstantAnswer::Prim(w.choice_in(t, &BasicType::ALL)?, w.number()?),
            })
        })
    }
    fn static_value(&self, f: &ResolvedField) -> Option<u64> {
        self.ask(format!("value {} {}", self.number_of(f.class), f.offset), |w| w.number())
    }
    fn object(&self, at: &ObjectPath) -> Option<KnownObject> {
        self.ask(format!("object {}", path(at)), |w| {
            let (class, length, mirrors) = (self.class_at(w)?, w.number()?, self.class_or_none(w)?);
            let runs = match w.word()? {
                NONE => None,
                word => Some(self.method_named(w, word)?),
            };
            let selected_by = match w.word()? {
                NONE => None,
                n => Some(w.number_in(n)?),
            };
            Ok(KnownObject { class, length, mirrors, runs, selected_by })
        })
    }
    fn word(&self, at: &ObjectPath, offset: u32, ty: BasicType) -> Option<u64> {
        self.ask(format!("word {} {offset} {ty:?}", path(at)), |w| w.number())
    }
    fn same_object(&self, a: &ObjectPath, b: &ObjectPath) -> Option<bool> {
        self.ask(format!("same {} {}", path(a), path(b)), |w| w.flag())
    }
    fn is_instance(&self, at: &ObjectPath, class: ClassRef) -> Option<bool> {
        self.ask(format!("instance {} {}", path(at), self.number_of(class)), |w| w.flag())
    }
    fn can_instantiate(&self, m: MethodRef, class: ClassRef) -> bool {
        let question = format!("new {} {}", self.method_number(m), self.number_of(class));
        self.ask(question, |w| w.flag()).unwrap_or(false)
    }
    fn unique_target(&self, call: &CallAnswer) -> Option<(MethodRef, Dependency)> {
        self.ask(format!("target {}", self.call_text(call)), |w| Ok((self.method_at(w)?, self.dependency(w)?)))
    }
    fn target_in(&self, call: &CallAnswer, class: ClassRef) -> Option<MethodRef> {
        let question = format!("target-in {} {}", self.number_of(class), self.call_text(call));
        self.ask(question, |w| self.method_at(w))
    }
    fn layout(&self) -> VmLayout {
        let all = |w: &mut Words| {
            Ok(VmLayout {
                class_table: w.number()?,
                unlog_table: w.number()?,
                max_bump: w.number()?,
                bump_at: w.number()?,
                fenced_monitors: w.flag()?,
                quiet_exits: w.number()?,
                guards_left: w.number()?,
                counting: w.flag()?,
                places: w.flag()?,
            })
        };
        self.ask("layout".into(), all).unwrap_or_default()
    }
    fn profile(&self, m: MethodRef) -> Option<MethodProfile> {
        self.ask(format!("profile {}", self.method_number(m)), |w| {
            let sites: Result<Vec<_>, String> = w.list()?.filter(|s| *s != "empty").map(|s| self.site(w, s)).collect();
            Ok(MethodProfile::new(sites?))
        })
    }
    fn counters(&self, m: MethodRef) -> Option<Counters> {
        self.ask(format!("counters {}", self.method_number(m)), |w| {
            let (entries, jumps_back) = (w.number()?, w.number()?);
            let sites: Result<Vec<_>, String> = w.list()?.map(|s| counter(w, s)).collect();
            Ok(Counters { entries, jumps_back, sites: sites? })
        })
    }
    fn class_address(&self, c: ClassRef) -> usize {
        self.class_numbers.get(c).map_or(0, |n| n.1)
    }
    fn method_address(&self, m: MethodRef) -> usize {
        self.method_numbers.get(m).map_or(0, |n| n.1)
    }
    fn statics_address(&self, c: ClassRef) -> usize {
        self.class_numbers.get(c).map_or(0, |n| n.2)
    }
}
