//! Methods and fields.
use super::environment::Env;
use super::{error, give, give_text, in_vm};
use crate::env::{FieldId, MethodId, Out, Ref};
use concord_contract::MethodRef;
use concord_contract::method::{acc, mflags};
use concord_runtime::handles::Handle;
use concord_runtime::info::{ClassExt, MethodExt};
use std::ffi::c_char;

pub extern "C" fn field_name(
    _e: &Env,
    _c: Ref,
    f: FieldId,
    name: Out<*mut c_char>,
    desc: Out<*mut c_char>,
    generic: Out<*mut c_char>,
) -> i32 {
    in_vm(|_| {
        let f = f.get();
        give_text(name, Some(f.name.as_bytes()))?;
        give_text(desc, Some(f.descriptor.as_bytes()))?;
        give_text(generic, f.signature.map(|s| s.as_bytes()))
    })
}
pub extern "C" fn field_class(_e: &Env, _c: Ref, f: FieldId, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        out.set(vm.local_obj(f.get().class.mirror.get()));
        Ok(())
    })
}
pub extern "C" fn field_modifiers(_e: &Env, _c: Ref, f: FieldId, out: Out<i32>) -> i32 {
    out.set(i32::from(f.get().access()));
    error::NONE
}
pub extern "C" fn is_field_synthetic(_e: &Env, _c: Ref, f: FieldId, out: Out<u8>) -> i32 {
    out.set(u8::from(f.get().flags & acc::SYNTHETIC != 0));
    error::NONE
}

/// The generic signature of a method.
fn generic(m: MethodRef) -> Option<&'static [u8]> {
    let i = MethodExt::info(m).parsed?.signature?;
    Some(m.class.info().constants().utf8(i))
}
pub extern "C" fn method_name(
    _e: &Env,
    m: MethodId,
    name: Out<*mut c_char>,
    desc: Out<*mut c_char>,
    sig: Out<*mut c_char>,
) -> i32 {
    in_vm(|_| {
        let m = m.get();
        give_text(name, Some(m.name.as_bytes()))?;
        give_text(desc, Some(m.descriptor.as_bytes()))?;
        give_text(sig, generic(m))
    })
}
pub extern "C" fn method_class(_e: &Env, m: MethodId, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        out.set(vm.local_obj(m.get().class.mirror.get()));
        Ok(())
    })
}
pub extern "C" fn method_modifiers(_e: &Env, m: MethodId, out: Out<i32>) -> i32 {
    out.set(i32::from(m.get().access()));
    error::NONE
}
pub extern "C" fn max_locals(_e: &Env, m: MethodId, out: Out<i32>) -> i32 {
    let m = m.get();
    if m.is_native() {
        return error::NATIVE_METHOD;
    }
    out.set(if m.bytecode.is_empty() { 0 } else { i32::from(m.max_locals) });
    error::NONE
}
pub extern "C" fn arguments_size(_e: &Env, m: MethodId, out: Out<i32>) -> i32 {
    let m = m.get();
    if m.is_native() {
        return error::NATIVE_METHOD;
    }
    out.set(m.nargs() as i32);
    error::NONE
}

/// jvmtiLineNumberEntry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Line {
    start: i64,
    number: i32,
}
pub extern "C" fn line_numbers(_e: &Env, m: MethodId, count: Out<i32>, out: Out<*mut Line>) -> i32 {
    in_vm(|_| {
        let m = m.get();
        if m.is_native() {
            return Err(error::NATIVE_METHOD);
        }
        let code = MethodExt::info(m).parsed.and_then(|p| p.code.as_ref()).ok_or(error::ABSENT_INFORMATION)?;
        let rows: Vec<Line> = code
            .line_numbers
            .iter()
            .map(|l| Line { start: i64::from(l.start_pc), number: i32::from(l.line) })
            .collect();
        if rows.is_empty() {
            return Err(error::ABSENT_INFORMATION);
        }
        give(count, out, &rows)
    })
}
pub extern "C" fn location(_e: &Env, m: MethodId, start: Out<i64>, end: Out<i64>) -> i32 {
    let m = m.get();
    if m.is_native() {
        return error::NATIVE_METHOD;
    }
    let last = m.bytecode.len() as i64 - 1;
    start.set(if last < 0 { -1 } else { 0 });
    end.set(last);
    error::NONE
}

/// jvmtiLocalVariableEntry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Variable {
    start: i64,
    length: i32,
    name: *mut c_char,
    signature: *mut c_char,
    generic: *mut c_char,
    slot: i32,
}
pub extern "C" fn local_variables(_e: &Env, m: MethodId, count: Out<i32>, out: Out<*mut Variable>) -> i32 {
    in_vm(|_| {
        let m = m.get();
        if m.is_native() {
            return Err(error::NATIVE_METHOD);
        }
        let code = MethodExt::info(m).parsed.and_then(|p| p.code.as_ref()).ok_or(error::ABSENT_INFORMATION)?;
        let cp = m.class.info().constants();
        let mut rows = Vec::new();
        for v in code.local_variables.iter() {
            let of_type = |t: &concord_classfile::LocalVariable| {
                t.start_pc == v.start_pc && t.slot == v.slot && t.name == v.name && t.length == v.length
            };
            let text = |i: u16| super::new_text(cp.utf8(i));
            let generic = code.local_variable_types.iter().find(of_type);
            rows.push(Variable {
                start: i64::from(v.start_pc),
                length: i32::from(v.length),
                name: text(v.name)?,
                signature: text(v.desc)?,
                generic: generic.map_or(Ok(std::ptr::null_mut()), |g| text(g.desc))?,
                slot: i32::from(v.slot),
            });
        }
        if rows.is_empty() {
            return Err(error::ABSENT_INFORMATION);
        }
        give(count, out, &rows)
    })
}
pub extern "C" fn bytecodes(_e: &Env, m: MethodId, count: Out<i32>, out: Out<*mut u8>) -> i32 {
    in_vm(|_| {
        let m = m.get();
        if m.is_native() {
            return Err(error::NATIVE_METHOD);
        }
        give(count, out, m.bytecode)
    })
}
pub extern "C" fn is_native(_e: &Env, m: MethodId, out: Out<u8>) -> i32 {
    out.set(u8::from(m.get().is_native()));
    error::NONE
}
pub extern "C" fn is_method_synthetic(_e: &Env, m: MethodId, out: Out<u8>) -> i32 {
    out.set(u8::from(m.get().has(acc::SYNTHETIC)));
    error::NONE
}
pub extern "C" fn is_obsolete(_e: &Env, m: MethodId, out: Out<u8>) -> i32 {
    out.set(u8::from(m.get().has(mflags::OBSOLETE)));
    error::NONE
}
