//! Memory of classes, which monitoring tools call Metaspace: how much there is, its limit, `-XX:MaxMetaspaceSize`, and the
//! mark at which a full collection looks for classes to unload: `-XX:MetaspaceSize`, later so much that two fifths of it
//! are free.
//!
//! Invariant: [`USED`] is the sum of what was noted of all loaders and classes whose memory has not been given back; each class knows
//! its own part (`Owned::bytes`); array classes are their block alone. Pieces count as what the allocator takes for them.
//!
//! | counted | when |
//! |---|---|
//! | the class with its vtable, its fields, its methods | a class is made |
//! | the class file's bytes, which hold constants, bytecode and attributes | a class is made, or redefined |
//! | a loader's record | a loader is made; until its Java object dies |
//! | the constant-pool cache; the itable | a class is linked; the cache, when it is redefined |
//!
//! That is what HotSpot has in its metaspace, and of about the same size, so that limits which are right there are right here.
//!
//! Deliberately absent: classes of the run-time image that the boot loader makes, some thousands of bytes each, of which
//! HotSpot has most in its archive; symbols, as there; the parsed class file, an index of the bytes about as large as all the others
//! together, which HotSpot does not keep; translated bytecode and profiles, which engines own and throw away; maps for the
//! collector, which are made on demand; mirrors and statics, which are objects.
use crate::info::{ClassExt, ClassInfo, FieldInfo, MethodExt, MethodInfo};
use crate::loader::Loader;
use crate::oom;
use concord_base::options;
use concord_classfile::ClassFile;
use concord_contract::class::ItableEntry;
use concord_contract::method::ExceptionRow;
use concord_contract::{Class, ClassRef, CpEntry, JResult, Method, Thread};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

const PAGE: usize = 4096;
/// The option's value that is none.
const UNLIMITED: u64 = !0xfff;

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Bytes in use at which a collection is worth it; 0 until one was made for that, the greatest number while one is.
static MARK: AtomicUsize = AtomicUsize::new(0);
/// Percentage of the mark that is free behind such a collection (HotSpot's `MinMetaspaceFreeRatio`).
const FREE: usize = 40;

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
fn hold(class: &Class, bytes: usize) {
    ClassExt::info(class).owned.bytes.fetch_add(bytes, Relaxed);
    add(bytes);
}
/// What the allocator takes for a piece of so many bytes.
fn piece(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) }
}
fn slice<T>(s: &[T]) -> usize {
    piece(size_of_val(s))
}
/// A class was made from a class file, which is in the run-time image unless the class owns its bytes.
pub(crate) fn made(class: &Class) {
    let info = ClassExt::info(class);
    if !info.owns_bytes {
        return;
    }
    let bytes = piece(info.file.bytes.len());
    let methods = slice(info.method_block) + info.method_block.iter().map(parts_of).sum::<usize>();
    let lists = slice(&info.fields) + slice(&info.methods) + slice(&info.interfaces);
    hold(class, piece(class.block_bytes()) + piece(size_of::<ClassInfo>()) + lists + methods + bytes);
}
fn parts_of(m: &Method) -> usize {
    piece(size_of::<MethodInfo>()) + slice(&MethodExt::info(m).params) + slice(m.exceptions) + slice(m.indy_sites)
}
/// A class was redefined by `file`: it and the new cache come beside the old ones, which live for ever.
pub(crate) fn redefined(class: &Class, file: &ClassFile<'_>, cache: usize) {
    hold(class, piece(file.bytes.len()) + piece(cache * size_of::<CpEntry>()));
}
/// A class was linked: its constant-pool cache has so many entries.
pub(crate) fn linked(class: &Class, cache: usize) {
    if !ClassExt::info(class).owns_bytes {
        return;
    }
    let lists = |e: &ItableEntry| piece(e.len * size_of::<AtomicPtr<Method>>());
    let table = class.itable.get().map_or(0, |t| slice(t) + t.iter().map(lists).sum::<usize>());
    hold(class, piece(cache * size_of::<CpEntry>()) + table);
}
/// A class without a class file, of arrays, was made.
pub(crate) fn made_array(class: &Class) {
    add(piece(class.block_bytes()));
}
/// A loader was made.
pub(crate) fn loader_made() {
    add(piece(size_of::<Loader>()));
}
/// Its Java object has died.
pub(crate) fn loader_gone() {
    USED.fetch_sub(piece(size_of::<Loader>()), Relaxed);
}
/// Bytes that are noted of a class.
pub fn of(class: ClassRef) -> usize {
    match class.is_instance_class() {
        true => ClassExt::info(class).owned.bytes.load(Relaxed),
        false => piece(class.block_bytes()),
    }
}
/// The memory of a class is given back.
pub(crate) fn freed(class: ClassRef) {
    USED.fetch_sub(of(class), Relaxed);
}

/// What a class made of `file` will take at least, with a copy of its bytes and its cache.
fn expected(file: &ClassFile<'_>) -> usize {
    let rows = |m: &concord_classfile::MethodInfo<'_>| {
        m.code.as_ref().map_or(0, |c| c.exception_table.len() * size_of::<ExceptionRow>())
    };
    let methods: usize = file.methods.iter().map(|m| size_of::<Method>() + size_of::<MethodInfo>() + rows(m)).sum();
    let fields = file.fields.len() * size_of::<FieldInfo>();
    let cache = file.constants.len() * size_of::<CpEntry>();
    size_of::<Class>() + size_of::<ClassInfo>() + methods + fields + cache + file.bytes.len()
}

/// Makes sure that there is room for a class whose bytes are copied: if there is none, or many classes were made since
/// it was last done, a full collection unloads what it can.
///
/// # Errors
/// OutOfMemoryError: there is no room all the same.
pub(crate) fn reserve(th: &Thread, file: &ClassFile<'_>) -> JResult<()> {
    if !oom::is_ready() {
        return Ok(());
    }
    let mark = MARK.load(Relaxed);
    let bytes = if mark == 0 { options::get().flags.metaspace_size as usize } else { mark };
    if USED.load(Relaxed) > bytes {
        unload_some(th, mark);
    }
    match limit() {
        Some(limit) => reserve_below(th, limit, expected(file)),
        None => Ok(()),
    }
}
/// One thread collects, and others that make classes meanwhile go on.
#[cold]
fn unload_some(th: &Thread, mark: usize) {
    if MARK.compare_exchange(mark, usize::MAX, Relaxed, Relaxed).is_ok() {
        concord_heap::metadata_threshold_gc(th);
        let enough = USED.load(Relaxed) / (100 - FREE) * 100;
        MARK.store(enough.max(options::get().flags.metaspace_size as usize).max(1), Relaxed);
    }
}
#[cold]
fn reserve_below(th: &Thread, limit: usize, bytes: usize) -> JResult<()> {
    let is_full = || USED.load(Relaxed).saturating_add(bytes) > limit;
    if is_full() {
        concord_heap::metadata_gc(th);
    }
    if is_full() { oom::throw(th, "Metaspace") } else { Ok(()) }
}
