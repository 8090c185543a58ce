//! Reads a recording: the program as far as the compiler asked about it.
//!
//! Invariant: every question is answered as it was when it was recorded, in the same order if it was
//! asked more than once. A question that was not recorded has no answer, and is kept for the report:
//! the compiler is another one now.
use super::text::{NONE, Words};
use concord_base::Symbol;
use concord_contract::BasicType;
use concord_contract::class::{Class, ClassInit, ClassKind, ClassRef};
use concord_contract::compiled::{CompLevel, CompileRequest, DeoptReason};
use concord_contract::method::{ExceptionRow, Method, MethodRef, MhIntrinsic, NO_INDEX};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

const KINDS: [ClassKind; 4] = [ClassKind::Instance, ClassKind::RefArray, ClassKind::PrimArray, ClassKind::Primitive];
const LEVELS: [CompLevel; 3] = [CompLevel::Plain, CompLevel::Counting, CompLevel::Profiling];
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
    pub(super) classes: Vec<ClassRef>,
    pub(super) methods: Vec<MethodRef>,
    /// Number, address and address of the statics of each class; number and address of each method.
    pub(super) class_numbers: HashMap<ClassRef, (usize, usize, usize)>,
    pub(super) method_numbers: HashMap<MethodRef, (usize, usize)>,
    pub(super) answers: RefCell<HashMap<String, VecDeque<String>>>,
    pub(super) unanswered: RefCell<Vec<String>>,
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

    pub(super) fn class_named(&self, w: &Words, word: &str) -> Result<ClassRef, String> {
        let n = word.strip_prefix('c').and_then(|n| n.parse::<usize>().ok());
        n.and_then(|n| self.classes.get(n)).map_or_else(|| w.wrong("an unknown class"), |c| Ok(*c))
    }
    pub(super) fn class_at(&self, w: &mut Words) -> Result<ClassRef, String> {
        let word = w.word()?;
        self.class_named(w, word)
    }
    pub(super) fn class_or_none(&self, w: &mut Words) -> Result<Option<ClassRef>, String> {
        match w.word()? {
            NONE => Ok(None),
            word => self.class_named(w, word).map(Some),
        }
    }
    pub(super) fn method_at(&self, w: &mut Words) -> Result<MethodRef, String> {
        let word = w.word()?;
        self.method_named(w, word)
    }
    pub(super) fn method_named(&self, w: &Words, word: &str) -> Result<MethodRef, String> {
        let n = word.strip_prefix('m').and_then(|n| n.parse::<usize>().ok());
        n.and_then(|n| self.methods.get(n)).map_or_else(|| w.wrong("an unknown method"), |m| Ok(*m))
    }
}
