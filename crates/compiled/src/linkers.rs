//! Method-handle intrinsics in compiled code: `invokeBasic` and the `linkTo*` methods.
//!
//! Invariant: as in the interpreter, an intrinsic has no frame: it finds the target method in the
//! handle's objects, makes it the first argument and jumps to its compiled entry. The MemberName,
//! the last argument of a linker, stays where it is: the target does not look there. What is not
//! done here (null, a receiver whose table does not have the interface at its place) goes to the
//! interpreter with all arguments in place.
//!
//! `linkToNative` has the code of `invokeBasic`: its first argument is the handle that makes the call, and the
//! NativeEntryPoint behind the others is one more last argument that the target does not look at.
use crate::area;
use crate::asm::{Asm, Jump, M, R};
use concord_contract::compiled::{offset, to_interpreter};
use concord_contract::layout;
use concord_contract::method::MhIntrinsic;
use concord_contract::object::{LAYOUT_OFFSET, REF_SHIFT};
use concord_contract::supers::ENTRY_SHIFT;
use concord_contract::{BasicType, Method};
use concord_interpreter::MH_OFFSETS;
use concord_runtime::MethodExt;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where a linker finds its MemberName.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Last {
    Register(u8),
    /// Offset from rsp at entry.
    Memory(i32),
}

static LINKERS: Mutex<Option<HashMap<(u8, Last), usize>>> = Mutex::new(None);

const INTEGERS: [R; 5] = [R::Rsi, R::Rdx, R::Rcx, R::R8, R::R9];

/// The compiled entry of an intrinsic.
pub fn entry(m: &Method) -> *mut () {
    let at = match m.mh_intrinsic {
        MhIntrinsic::InvokeBasic | MhIntrinsic::LinkToNative => Last::Register(0),
        MhIntrinsic::LinkToStatic | MhIntrinsic::LinkToSpecial | MhIntrinsic::LinkToVirtual => last(m),
        MhIntrinsic::LinkToInterface if std::arch::is_x86_feature_detected!("popcnt") => last(m),
        _ => return to_interpreter(),
    };
    if MH_OFFSETS.form.load(Ordering::Relaxed) == 0 {
        // The classes are not laid out yet.
        return to_interpreter();
    }
    let mut all = LINKERS.lock().expect("linkers");
    let all = all.get_or_insert_default();
    let key = (m.mh_intrinsic as u8, at);
    if let Some(a) = all.get(&key) {
        return *a as *mut ();
    }
    match make(m.mh_intrinsic, at) {
        Some(a) => {
            all.insert(key, a);
            a as *mut ()
        }
        None => to_interpreter(),
    }
}

/// Where the last argument is.
fn last(m: &Method) -> Last {
    let (mut ints, mut floats, mut memory) = (0u8, 0, 0);
    let mut at = Last::Register(0);
    let receiver = (!m.is_static()).then_some(BasicType::Object);
    for t in receiver.into_iter().chain(MethodExt::info(m).params.iter().copied()) {
        let in_register = match t {
            BasicType::Float | BasicType::Double => {
                floats += 1;
                floats <= 8
            }
            _ => {
                ints += 1;
                ints as usize <= INTEGERS.len()
            }
        };
        if in_register {
            at = Last::Register(ints.saturating_sub(1));
        } else {
            memory += 1;
            at = Last::Memory(8 * memory);
        }
    }
    at
}

/// Loads the reference field at `o` of the object in `base`.
fn field(a: &mut Asm, to: R, base: R, o: &AtomicU32) {
    a.load32(to, M(base, o.load(Ordering::Relaxed) as i32));
    a.shl(to, REF_SHIFT as u8);
}

/// Replaces the interface's method in rax by the receiver's, as `concord_contract::supers` says;
/// a private method has no other. Jumps, with rdi and rcx pushed, if the interface is not at its place.
fn select_interface(a: &mut Asm) -> Jump {
    a.load_signed32(R::R10, M(R::Rax, offset::METHOD_ITABLE_INDEX));
    a.test(R::R10, R::R10);
    let direct = a.js();
    a.push(R::Rdi);
    a.push(R::Rcx);
    a.load32(R::R11, M(R::Rsi, LAYOUT_OFFSET as i32));
    a.mov_imm(R::Rcx, layout::class_table() as usize);
    a.load_indexed(R::R11, R::Rcx, R::R11, 0);
    a.load(R::R10, M(R::Rax, offset::METHOD_CLASS));
    // 63 - place, of which the lower six bits count.
    a.load8(R::Rcx, M(R::R10, offset::CLASS_PLACE));
    a.not(R::Rcx);
    a.load(R::Rdi, M(R::R11, offset::CLASS_SUPER_MAP));
    a.shl_cl(R::Rdi);
    a.popcnt(R::Rdi, R::Rdi);
    a.shl(R::Rdi, ENTRY_SHIFT as u8);
    a.add_mem(R::Rdi, M(R::R11, offset::CLASS_SUPER_TABLE));
    a.cmp_mem(R::R10, M(R::Rdi, offset::SUPER_CLASS));
    let elsewhere = a.jne();
    a.load(R::R11, M(R::Rdi, offset::SUPER_METHODS));
    a.load32(R::R10, M(R::Rax, offset::METHOD_ITABLE_INDEX));
    a.load_indexed(R::Rax, R::R11, R::R10, 0);
    a.pop(R::Rcx);
    a.pop(R::Rdi);
    a.bind(direct);
    elsewhere
}

fn make(what: MhIntrinsic, at: Last) -> Option<usize> {
    let o = &MH_OFFSETS;
    let mut a = Asm::default();
    match at {
        Last::Register(r) => a.mov(R::Rax, INTEGERS[r as usize]),
        Last::Memory(d) => a.load(R::Rax, M(R::Rsp, d)),
    }
    a.test(R::Rax, R::Rax);
    let null = a.je();
    let mut no_receiver = None;
    if matches!(what, MhIntrinsic::InvokeBasic | MhIntrinsic::LinkToNative) {
        field(&mut a, R::Rax, R::Rax, &o.form);
        field(&mut a, R::Rax, R::Rax, &o.vmentry);
    } else if what != MhIntrinsic::LinkToStatic {
        a.test(R::Rsi, R::Rsi);
        no_receiver = Some(a.je());
    }
    let mut selected = None;
    if what == MhIntrinsic::LinkToVirtual {
        a.load(R::R11, M(R::Rax, o.vmindex.load(Ordering::Relaxed) as i32));
        a.test(R::R11, R::R11);
        let direct = a.js();
        a.load32(R::R10, M(R::Rsi, LAYOUT_OFFSET as i32));
        a.mov_imm(R::Rax, layout::class_table() as usize);
        a.load_indexed(R::R10, R::Rax, R::R10, 0);
        a.load_indexed(R::Rdi, R::R10, R::R11, offset::CLASS_VTABLE);
        a.jmp_mem(M(R::Rdi, offset::METHOD_COMPILED));
        selected = Some(direct);
    }
    if let Some(j) = selected {
        a.bind(j);
    }
    field(&mut a, R::Rax, R::Rax, &o.method);
    a.load(R::Rax, M(R::Rax, o.vmtarget.load(Ordering::Relaxed) as i32));
    let elsewhere = (what == MhIntrinsic::LinkToInterface).then(|| select_interface(&mut a));
    a.mov(R::Rdi, R::Rax);
    a.jmp_mem(M(R::Rdi, offset::METHOD_COMPILED));
    if let Some(j) = elsewhere {
        a.bind(j);
        a.pop(R::Rcx);
        a.pop(R::Rdi);
    }
    a.bind(null);
    if let Some(j) = no_receiver {
        a.bind(j);
    }
    a.mov_imm(R::Rax, to_interpreter() as usize);
    a.jmp(R::Rax);
    let area = area::get()?;
    let place = area.take(a.code.len())?;
    area.write(place, &a.code);
    Some(area.address_of(place))
}
