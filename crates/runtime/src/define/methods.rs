//! Methods from what the class file says of them.
//!
//! Invariant: a method made here has its flags, descriptor and exception table for good; its entry and its place in tables
//! are its maker's.
use crate::info::{ClassExt, MethodInfo};
use concord_base::Symbol;
use concord_base::compile_commands::{self, Effect};
use concord_classfile as cf;
use concord_classfile::VmAnnotations as Va;
use concord_contract::entries::engine;
use concord_contract::method::{ExceptionRow, MhIntrinsic, NO_INDEX, acc, mflags};
use concord_contract::{BasicType, ClassRef, Method, MethodRef};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

pub(crate) fn method_flags(m: &cf::MethodInfo<'_>) -> u32 {
    let mut f = m.access as u32;
    for (a, b) in [
        (Va::FORCE_INLINE, mflags::FORCE_INLINE),
        (Va::DONT_INLINE, mflags::DONT_INLINE),
        (Va::HIDDEN, mflags::HIDDEN),
        (Va::INTRINSIC_CANDIDATE, mflags::INTRINSIC_CANDIDATE),
        (Va::LAMBDA_FORM_COMPILED, mflags::LAMBDA_FORM_COMPILED | mflags::HIDDEN),
        (Va::CALLER_SENSITIVE, mflags::CALLER_SENSITIVE),
        (Va::RESERVED_STACK_ACCESS, mflags::RESERVED_STACK),
        (Va::POLYMORPHIC_SIGNATURE, mflags::SIGNATURE_POLYMORPHIC),
        (Va::SCOPED, mflags::SCOPED),
        (Va::RELAXED, mflags::RELAXED),
    ] {
        if m.annotations.vm.contains(a) {
            f |= b;
        }
    }
    f
}

/// What `-XX:CompileCommand=inline`, `dontinline` and `blackhole` say of a method.
pub(crate) fn inlining_by_command(class: Symbol, name: Symbol, descriptor: Symbol) -> u32 {
    let rows = [
        (Effect::Inline, mflags::FORCE_INLINE),
        (Effect::DontInline, mflags::DONT_INLINE),
        (Effect::Blackhole, mflags::DONT_INLINE),
    ];
    let asked = |e: Effect| {
        compile_commands::any(e)
            && compile_commands::asked(e, &class.as_str(), &name.as_str(), &descriptor.as_str()) == Some(true)
    };
    rows.iter().filter(|r| asked(r.0)).fold(0, |f, r| f | r.1)
}

/// Descriptor's parameter and result types.
pub fn parse_descriptor(d: Symbol) -> (Box<[BasicType]>, BasicType) {
    let Some(md) = cf::descriptor::MethodDescriptor::new(d.as_bytes()) else {
        concord_base::bug!("{d} is no method descriptor");
    };
    let conv = |k: cf::descriptor::BasicType| {
        BasicType::from_descriptor_char(match k {
            cf::descriptor::BasicType::Array => b'L',
            k => k.letter(),
        })
        .unwrap_or(BasicType::Object)
    };
    (md.params().map(|p| conv(p.kind)).collect(), conv(md.ret()))
}

/// A method of `class` with everything but its entry and tables.
pub struct MethodParts {
    pub class: ClassRef,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub flags: u32,
    pub index: u16,
    pub intrinsic: MhIntrinsic,
    pub parsed: Option<&'static cf::MethodInfo<'static>>,
    pub indy_sites: &'static [(u16, u16)],
}

pub fn make_method(p: MethodParts) -> MethodRef {
    let m = Box::leak(Box::new(method(p)));
    engine().install(m);
    m
}

/// The same, to be installed where it will stay.
pub(super) fn method(p: MethodParts) -> Method {
    let (params, ret) = parse_descriptor(p.descriptor);
    let receiver = usize::from(p.flags & acc::STATIC == 0);
    let nargs = receiver + params.iter().map(|t| t.slots()).sum::<usize>();
    let code = p.parsed.and_then(|m| m.code.as_ref());
    // Native and abstract methods get a frame with their arguments as locals.
    let max_locals = code.map_or(nargs, |c| c.max_locals as usize).max(nargs);
    let max_stack = code.map_or(0, |c| c.max_stack as usize);
    let exceptions: Vec<ExceptionRow> = code.map_or(Vec::new(), |c| {
        c.exception_table
            .iter()
            .map(|e| ExceptionRow { start: e.start, end: e.end, handler: e.handler, catch_type: e.catch_type })
            .collect()
    });
    let info = Box::leak(Box::new(MethodInfo {
        parsed: p.parsed,
        params,
        critical: AtomicPtr::default(),
        last: None,
        oop_maps: OnceLock::new(),
    }));
    let mut flags = p.flags;
    if p.class.name == "java/lang/Object" && p.name == "<init>" {
        flags |= mflags::OBJECT_INIT;
    }
    Method {
        entry: AtomicPtr::default(),
        compiled: AtomicPtr::default(),
        code: AtomicPtr::default(),
        nargs_bytes: 8 * nargs as u32,
        frame_bytes: (8 * (max_locals - nargs) + concord_contract::frame::HEADER_BYTES) as u32,
        max_stack_bytes: 8 * max_stack as u32,
        flags: AtomicU32::new(flags),
        class: p.class,
        native: AtomicPtr::default(),
        vm_native: AtomicPtr::default(),
        vtable_index: AtomicU32::new(NO_INDEX),
        itable_index: AtomicU32::new(NO_INDEX),
        ret,
        mh_intrinsic: p.intrinsic,
        max_locals: max_locals as u16,
        max_stack: max_stack as u16,
        index: p.index,
        name: p.name,
        descriptor: p.descriptor,
        bytecode: code.map_or(&[], |c| c.code),
        exceptions: Box::leak(exceptions.into_boxed_slice()),
        indy_sites: p.indy_sites,
        heat: AtomicU64::new(0),
        engine: AtomicPtr::default(),
        info: AtomicPtr::new(info as *mut MethodInfo as *mut ()),
    }
}

/// The method that stands in a vtable where several defaults conflict; a call of it throws.
pub fn conflict_method(candidates: &[MethodRef], _holder: Symbol) -> MethodRef {
    throwing_method(candidates[0], mflags::DEFAULT_CONFLICT)
}

/// A method like `first` that throws what `flag` stands for.
pub fn throwing_method(first: MethodRef, flag: u32) -> MethodRef {
    make_method(MethodParts {
        class: first.class,
        name: first.name,
        descriptor: first.descriptor,
        flags: acc::PUBLIC | acc::ABSTRACT | flag,
        index: u16::MAX,
        intrinsic: MhIntrinsic::None,
        parsed: None,
        indy_sites: &[],
    })
}

/// The method that `class`, which inherits `m` from interfaces, has in its place if `m` is abstract and the class has bodies, its
/// own or inherited ones, or if `m` is one of several defaults: it throws from a frame of its own (`entries`).
pub fn overpass(class: ClassRef, m: MethodRef) -> MethodRef {
    const ACONST_NULL_ATHROW: &[u8] = &[1, 191];
    let mut known = class.info().owned.methods.lock().expect("methods of a class");
    let is_it = |o: &&MethodRef| o.has(mflags::OVERPASS) && o.name == m.name && o.descriptor == m.descriptor;
    if let Some(o) = known.iter().find(is_it) {
        return o;
    }
    let parts = MethodParts {
        class,
        name: m.name,
        descriptor: m.descriptor,
        flags: acc::PUBLIC | mflags::OVERPASS,
        index: u16::MAX,
        intrinsic: MhIntrinsic::None,
        parsed: None,
        indy_sites: &[],
    };
    let o: MethodRef =
        Box::leak(Box::new(Method { bytecode: ACONST_NULL_ATHROW, max_stack: 1, max_stack_bytes: 8, ..method(parts) }));
    engine().install(o);
    known.push(o);
    o
}

/// Invokedynamic instructions of the class file get constant-pool-cache indices of their own,
/// behind the constant pool's; per method (bci, index).
pub(crate) fn indy_sites(file: &'static cf::ClassFile<'static>) -> (Vec<Vec<(u16, u16)>>, usize) {
    let mut next = file.constants.len();
    let mut all = vec![Vec::new(); file.methods.len()];
    if !file.constants.iter().any(|(_, c)| matches!(c, cf::Constant::InvokeDynamic { .. })) {
        return (all, next);
    }
    for (m, sites) in file.methods.iter().zip(&mut all) {
        let Some(code) = &m.code else { continue };
        // Code that is no sequence of instructions is refused when the class is verified.
        for i in cf::opcodes::instructions(code.code).map_while(Result::ok) {
            if i.opcode == 186 {
                sites.push((i.bci as u16, next as u16));
                next += 1;
            }
        }
    }
    (all, next)
}
