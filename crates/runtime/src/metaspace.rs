//! Memory of classes, which monitoring tools call Metaspace: how much there is, and its limit, `-XX:MaxMetaspaceSize`.
//!
//! Invariant: [`USED`] is the sum of what was noted of all classes whose memory has not been given back; each class knows
//! its own part (`Owned::bytes`), array classes have none but their block.
//!
//! | counted | when |
//! |---|---|
//! | the class with its vtable, its fields and methods, the tables of the parsed class file | a class is made, or redefined |
//! | the class file's bytes, unless they lie in the run-time image | the same |
//! | the constant-pool cache; the itable | a class is linked |
//!
//! Deliberately absent: symbols, as on HotSpot, where they are no metaspace either; translated bytecode and profiles, which
//! engines own and throw away; maps for the collector, which are made on demand; mirrors and statics, which are objects.
use crate::info::{ClassExt, FieldInfo, MethodExt, MethodInfo};
use concord_base::options;
use concord_classfile::ClassFile;
use concord_contract::method::ExceptionRow;
use concord_contract::{Class, ClassRef, CpEntry, Method};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

const PAGE: usize = 4096;
/// The option's value that is none.
const UNLIMITED: u64 = u64::MAX & !(PAGE as u64 - 1);

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Bytes in use, the same in whole pages, and the most that were in use since the last reset.
pub fn usage() -> (usize, usize, usize) {
    let used = USED.load(Relaxed);
    (used, used.next_multiple_of(PAGE), PEAK.load(Relaxed).max(used))
}
/// The peak begins again at what is in use.
pub fn reset_peak() {
    PEAK.store(USED.load(Relaxed), Relaxed);
}
/// `-XX:MaxMetaspaceSize`, if there is a limit.
pub fn limit() -> Option<usize> {
    let n = options::get().flags.max_metaspace_size;
    (n < UNLIMITED).then_some(n as usize)
}

fn add(bytes: usize) {
    let used = USED.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(used, Relaxed);
}
/// So many more bytes belong to a class that was made from a class file.
pub(crate) fn hold(class: &Class, bytes: usize) {
    ClassExt::info(class).owned.bytes.fetch_add(bytes, Relaxed);
    add(bytes);
}
/// A class was made from a class file.
pub(crate) fn made(class: &Class) {
    let info = ClassExt::info(class);
    let own_bytes = if info.owns_bytes { info.file.bytes.len() } else { 0 };
    let methods: usize = info.methods.iter().map(|m| of_method(m)).sum();
    let lists = size_of_val(&*info.fields) + size_of_val(&*info.methods) + size_of_val(&*info.interfaces);
    hold(class, class.block_bytes() + size_of_val(info) + lists + methods + info.file.memory() + own_bytes);
}
/// A class was linked: its constant-pool cache has so many entries.
pub(crate) fn linked(class: &Class, cache: usize) {
    let table = class
        .itable
        .get()
        .map_or(0, |t| size_of_val(&**t) + t.iter().map(|e| e.len * size_of::<AtomicPtr<Method>>()).sum::<usize>());
    hold(class, cache * size_of::<CpEntry>() + table);
}
/// A class without a class file, of arrays, was made.
pub(crate) fn made_array(class: &Class) {
    add(class.block_bytes());
}
fn of_method(m: &Method) -> usize {
    let parts = size_of_val(m.exceptions) + size_of_val(m.indy_sites);
    size_of::<Method>() + size_of::<MethodInfo>() + size_of_val(&*MethodExt::info(m).params) + parts
}
/// The memory of a class is given back.
pub(crate) fn freed(class: ClassRef) {
    let bytes = match class.is_instance_class() {
        true => ClassExt::info(class).owned.bytes.load(Relaxed),
        false => class.block_bytes(),
    };
    USED.fetch_sub(bytes, Relaxed);
}

/// What a class made of `file` will take at least, with its bytes if they are copied and its cache.
pub(crate) fn expected(file: &ClassFile<'_>, copied: bool) -> usize {
    let rows = |m: &concord_classfile::MethodInfo<'_>| {
        m.code.as_ref().map_or(0, |c| c.exception_table.len() * size_of::<ExceptionRow>())
    };
    let methods: usize = file.methods.iter().map(|m| size_of::<Method>() + size_of::<MethodInfo>() + rows(m)).sum();
    let fields = file.fields.len() * size_of::<FieldInfo>();
    let cache = file.constants.len() * size_of::<CpEntry>();
    let bytes = if copied { file.bytes.len() } else { 0 };
    size_of::<Class>() + size_of::<crate::info::ClassInfo>() + methods + fields + cache + bytes + file.memory()
}
