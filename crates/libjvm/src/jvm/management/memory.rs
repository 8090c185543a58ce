//! Memory pools, collectors, usage.
//!
//! Invariant: there is one heap pool and two collectors over it, for young and for full collections,
//! and, unless the program is only interpreted, the code cache with its manager; made on first use and
//! then always the same objects. The code cache has no usage threshold: nobody would be told of it.
use super::{entry, notifications};
use crate::env::Ref;
use concord_compiled::cache;
use concord_contract::class::Root;
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::handles::{Local, Scope};
use concord_runtime::{arrays, call, exceptions, init, loader, object, roots, strings};
use std::ffi::c_char;
use std::sync::OnceLock;

const POOL: &str = "Concord Heap";
const HELPER: &str = "sun/management/ManagementFactoryHelper";
/// Names by kind: young, full.
pub const COLLECTORS: [&str; 2] = ["Concord Young", "Concord Full"];

pub struct Beans {
    pool: &'static Root,
    pub collectors: [&'static Root; 2],
    /// Pool and manager of compiled code.
    code: Option<[&'static Root; 2]>,
}
impl Beans {
    /// The heap first.
    pub fn pools(&self) -> Vec<&'static Root> {
        [self.pool].into_iter().chain(self.code.map(|c| c[0])).collect()
    }
    fn is_code(&self, bean: Obj) -> bool {
        self.code.is_some_and(|c| c.iter().any(|r| r.get() == bean))
    }
}
static BEANS: OnceLock<Beans> = OnceLock::new();

/// The beans if somebody has asked for them.
pub fn made() -> Option<&'static Beans> {
    BEANS.get()
}

/// The pool and the collectors.
pub fn beans(th: &Thread) -> JResult<&'static Beans> {
    if let Some(b) = BEANS.get() {
        return Ok(b);
    }
    let scope = Scope::new(th);
    // Type and thresholds; -1 is none.
    let pool = |name: &str, heap: u64, threshold: i64| {
        let name = strings::new_str(th, name)?;
        let args = [name.addr() as u64, heap, threshold as u64, 0, threshold as u64, 0];
        let desc = "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;";
        Ok(scope.handle(make(th, HELPER, "createMemoryPool", desc, &args)?))
    };
    let heap = pool(POOL, 1, 0)?;
    let code = match cache::usage() {
        None => None,
        Some(_) => {
            let pool = pool("CodeCache", 0, -1)?;
            let name = strings::new_str(th, "CodeCacheManager")?;
            let desc = "(Ljava/lang/String;)Ljava/lang/management/MemoryManagerMXBean;";
            Some([pool, scope.handle(make(th, HELPER, "createMemoryManager", desc, &[name.addr() as u64])?)])
        }
    };
    // With the platform's extensions if that module is there.
    let extended = "com/sun/management/internal/GarbageCollectorExtImpl";
    let class = if loader::find_boot(th, extended.into())?.is_some() { extended } else { HELPER };
    let collector = |name: &str| {
        let name = scope.handle(strings::new_str(th, name)?);
        let desc = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;";
        Ok(scope.handle(make(th, class, "createGarbageCollector", desc, &[name.get().addr() as u64, 0])?))
    };
    let (young, full) = (collector(COLLECTORS[0])?, collector(COLLECTORS[1])?);
    let root = |o: Obj| {
        let r = roots::new_root();
        roots::keep(r, o);
        r
    };
    Ok(BEANS.get_or_init(|| Beans {
        pool: root(heap.get()),
        collectors: [root(young.get()), root(full.get())],
        code: code.map(|c| c.map(|h| root(h.get()))),
    }))
}
/// 0 for the young collector, 1 for the full one; None for what is neither.
pub fn kind_of(bean: Obj) -> Option<usize> {
    made()?.collectors.iter().position(|c| c.get() == bean)
}
fn make(th: &Thread, class: &str, name: &str, desc: &str, args: &[u64]) -> JResult<Obj> {
    let r = call::call_static(th, class, name, desc, args)?;
    // SAFETY: the descriptor promises a reference, and no safepoint lies between.
    Ok(unsafe { Obj::from_addr(r as usize) })
}

fn array(th: &Thread, class: &str, list: &[&'static Root]) -> JResult<Obj> {
    let class = loader::find_class(th, class.into(), loader::boot())?;
    let a = arrays::new_ref_array(th, class, list.len())?;
    for (i, r) in list.iter().enumerate() {
        arrays::set_ref(a, i, r.get());
    }
    Ok(a)
}

/// A java.lang.management.MemoryUsage.
pub fn new_usage(th: &Thread, init_bytes: i64, used: i64, committed: i64, max: i64) -> JResult<Obj> {
    let class = loader::find_class(th, "java/lang/management/MemoryUsage".into(), loader::boot())?;
    init::initialize(th, class)?;
    let slots = [init_bytes, used, committed.max(used), max].map(|v| v as u64);
    object::new_with(th, class, "(JJJJ)V", &[slots[0], 0, slots[1], 0, slots[2], 0, slots[3], 0])
}
/// Usage of the heap with that many bytes in use.
pub fn usage_of(th: &Thread, used: usize, committed: usize) -> JResult<Obj> {
    let max = concord_heap::max_memory() as i64;
    let flags = &concord_base::options::get().flags;
    new_usage(th, flags.initial_heap_size as i64, (used as i64).min(max), (committed as i64).min(max), max)
}
/// The pool's peak begins again at what is in use.
pub fn reset_peak(pool: Obj) {
    if made().is_some_and(|b| b.is_code(pool)) {
        return cache::reset_peak();
    }
    concord_heap::reset_peak_memory(concord_heap::used_memory());
}
/// Usage of all pools, in their order, with that many bytes of the heap in use.
pub fn set_usages(th: &Thread, array: &Local<'_>, used: usize, committed: usize) -> JResult<()> {
    let u = usage_of(th, used, committed)?;
    arrays::set_ref(array.get(), 0, u);
    if let Some(c) = cache::usage() {
        let u = code_usage(th, c, c.used)?;
        arrays::set_ref(array.get(), 1, u);
    }
    Ok(())
}
fn code_usage(th: &Thread, u: cache::Usage, used: usize) -> JResult<Obj> {
    new_usage(th, u.initial as i64, used as i64, u.committed as i64, u.size as i64)
}
/// What is known of the code cache, if the bean is its pool.
fn code_pool(th: &Thread, pool: Obj) -> JResult<Option<cache::Usage>> {
    Ok(if beans(th)?.is_code(pool) { cache::usage() } else { None })
}
fn heap_usage(th: &Thread) -> JResult<Obj> {
    usage_of(th, concord_heap::used_memory(), concord_heap::total_memory())
}
fn peak(th: &Thread) -> JResult<Obj> {
    let peak = concord_heap::peak_memory().max(concord_heap::used_memory());
    usage_of(th, peak, concord_heap::total_memory().max(peak))
}

/// Attributes that the collector has beyond the standard ones.
#[repr(C)]
pub struct ExtraAttribute {
    name: *const c_char,
    kind: c_char,
    description: *const c_char,
}
#[repr(C)]
pub struct LastGc {
    index: i64,
    start: i64,
    end: i64,
    before: concord_runtime::handles::Handle,
    after: concord_runtime::handles::Handle,
    count: i32,
    values: *mut u64,
}

entry! {
    pools(th, manager: Ref) -> obj {
        let b = beans(th)?;
        let pools = match manager.get() {
            m if m.is_null() => b.pools(),
            m if kind_of(m).is_some() => vec![b.pool],
            m if b.is_code(m) => b.pools().split_off(1),
            _ => return Ok(Obj::NULL),
        };
        array(th, "java/lang/management/MemoryPoolMXBean", &pools)
    }
    managers(th, pool: Ref) -> obj {
        let b = beans(th)?;
        let code = b.code.map(|c| c[1]);
        let managers = match pool.get() {
            p if p.is_null() => code.into_iter().chain(b.collectors).collect(),
            p if p == b.pool.get() => b.collectors.to_vec(),
            p if b.is_code(p) => code.into_iter().collect(),
            _ => return Ok(Obj::NULL),
        };
        array(th, "java/lang/management/MemoryManagerMXBean", &managers)
    }
    pool_usage(th, pool: Ref) -> obj {
        match code_pool(th, pool.get())? {
            Some(u) => code_usage(th, u, u.used),
            None => heap_usage(th),
        }
    }
    peak_usage(th, pool: Ref) -> obj {
        match code_pool(th, pool.get())? {
            Some(u) => code_usage(th, u, u.peak),
            None => peak(th),
        }
    }
    collection_usage(th, pool: Ref) -> obj {
        if code_pool(th, pool.get())?.is_some() {
            return Ok(Obj::NULL);
        }
        let last = [false, true].into_iter().filter_map(|full| concord_heap::totals(full).last);
        let used = last.max_by_key(|r| r.number).map_or(0, |r| r.after);
        usage_of(th, used, concord_heap::total_memory())
    }
    usage(th, heap: u8) -> obj {
        if heap != 0 {
            return heap_usage(th);
        }
        let bytes = native_bytes();
        new_usage(th, 0, bytes, bytes, -1)
    }
    set_threshold(th, _pool: Ref, kind: i32, value: i64) -> j {
        if value < 0 {
            return exceptions::throw(th, "java/lang/IllegalArgumentException", "Invalid threshold value");
        }
        match notifications::set_threshold(th, kind, value)? {
            Some(old) => Ok(old),
            None => exceptions::throw(th, "java/lang/IllegalArgumentException", "Invalid threshold type"),
        }
    }
    set_sensor(th, _pool: Ref, kind: i32, sensor: Ref) -> void {
        if notifications::set_sensor(th, kind, sensor.get())? {
            return Ok(());
        }
        exceptions::throw(th, "java/lang/IllegalArgumentException", "Invalid threshold type")
    }
    dump_heap(th, file: Ref, live: u8) -> i {
        let path = strings::to_string(file.get());
        let request = concord_tools::hprof::Request { live: live != 0, overwrite: false, gzip: None };
        match concord_tools::hprof::dump(th, std::path::Path::new(&path), request) {
            Ok(_) => Ok(0),
            Err(why) => {
                let text = why.strip_prefix(&format!("Unable to create {path}: ")).unwrap_or(&why).to_string();
                exceptions::throw(th, "java/io/IOException", &text)
            }
        }
    }
    gc_attributes(_th, _manager: Ref, out: *mut ExtraAttribute, count: i32) -> i {
        if count < 1 {
            return Ok(0);
        }
        let row = ExtraAttribute {
            name: c"GcThreadCount".as_ptr(),
            kind: b'I' as c_char,
            description: c"Number of GC threads".as_ptr(),
        };
        // SAFETY: the caller passes room for `count` rows.
        unsafe { out.write(row) };
        Ok(1)
    }
    last_gc(th, manager: Ref, out: *mut LastGc) -> void {
        let last = kind_of(manager.get()).and_then(|k| {
            let t = concord_heap::totals(k == 1);
            t.last.map(|r| (t.count, r))
        });
        // SAFETY: the caller passes a record whose arrays have an element per pool and whose values
        // have room for one.
        let o = unsafe { &mut *out };
        let Some((count, r)) = last else {
            o.index = 0;
            return Ok(());
        };
        o.index = count as i64;
        (o.start, o.end) = (r.begun.as_millis() as i64, r.ended.as_millis() as i64);
        let (before, after) = (Ref::new(o.before), Ref::new(o.after));
        let scope = Scope::new(th);
        set_usages(th, &scope.handle(before.get()), r.before, r.committed_before)?;
        set_usages(th, &scope.handle(after.get()), r.after, r.committed_after)?;
        if o.count >= 1 && !o.values.is_null() {
            // SAFETY: as above.
            unsafe { *o.values = concord_heap::worker_count() as u64 };
        }
        Ok(())
    }
    notify(th, manager: Ref, on: u8) -> void {
        match kind_of(manager.get()) {
            Some(kind) => notifications::set_wanted(th, kind, on != 0),
            None => Ok(()),
        }
    }
}

/// Resident bytes of the process outside of the Java heap.
fn native_bytes() -> i64 {
    let pages: Option<i64> =
        std::fs::read_to_string("/proc/self/statm").ok().and_then(|t| t.split(' ').nth(1)?.parse().ok());
    (pages.unwrap_or(0) * 4096 - concord_heap::used_memory() as i64).max(0)
}
