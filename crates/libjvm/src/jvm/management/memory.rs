//! Memory pools, collectors, usage.
//!
//! Invariant: there is one heap pool and one collector, made on first use and then always the same
//! two objects.
use super::entry;
use crate::env::Ref;
use concord_contract::class::Root;
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::handles::Scope;
use concord_runtime::{arrays, call, exceptions, init, loader, object, roots, strings};
use std::ffi::c_char;
use std::sync::OnceLock;

const POOL: &str = "Concord Heap";
const COLLECTOR: &str = "Concord Collector";

static BEANS: OnceLock<(&'static Root, &'static Root)> = OnceLock::new();

/// The pool and the collector.
fn beans(th: &Thread) -> JResult<(Obj, Obj)> {
    if let Some((p, c)) = BEANS.get() {
        return Ok((p.get(), c.get()));
    }
    let scope = Scope::new(th);
    let pool = {
        let name = strings::new_str(th, POOL)?;
        // No thresholds: the collector does not watch any.
        let args = [name.addr() as u64, 1, u64::MAX, 0, u64::MAX, 0];
        let desc = "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;";
        scope.handle(make(th, "sun/management/ManagementFactoryHelper", "createMemoryPool", desc, &args)?)
    };
    let collector = {
        let name = scope.handle(strings::new_str(th, COLLECTOR)?);
        let desc = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;";
        let args = [name.get().addr() as u64, 0];
        // With the platform's extensions if that module is there.
        let extended = "com/sun/management/internal/GarbageCollectorExtImpl";
        let class = if loader::find_boot(th, extended.into())?.is_some() { extended } else { "sun/management/ManagementFactoryHelper" };
        scope.handle(make(th, class, "createGarbageCollector", desc, &args)?)
    };
    let root = |o: Obj| {
        let r = roots::new_root();
        r.set(o);
        r
    };
    let (p, c) = BEANS.get_or_init(|| (root(pool.get()), root(collector.get())));
    Ok((p.get(), c.get()))
}
fn make(th: &Thread, class: &str, name: &str, desc: &str, args: &[u64]) -> JResult<Obj> {
    let r = call::call_static(th, class, name, desc, args)?;
    // SAFETY: the descriptor promises a reference, and no safepoint lies between.
    Ok(unsafe { Obj::from_addr(r as usize) })
}

fn one(th: &Thread, class: &str, o: Obj) -> JResult<Obj> {
    let scope = Scope::new(th);
    let o = scope.handle(o);
    let class = loader::find_class(th, class.into(), loader::boot())?;
    let a = arrays::new_ref_array(th, class, 1)?;
    arrays::set_ref(a, 0, o.get());
    Ok(a)
}

/// A java.lang.management.MemoryUsage.
fn new_usage(th: &Thread, init_bytes: i64, used: i64, committed: i64, max: i64) -> JResult<Obj> {
    let class = loader::find_class(th, "java/lang/management/MemoryUsage".into(), loader::boot())?;
    init::initialize(th, class)?;
    let slots = [init_bytes, used, committed.max(used), max].map(|v| v as u64);
    object::new_with(th, class, "(JJJJ)V", &[slots[0], 0, slots[1], 0, slots[2], 0, slots[3], 0])
}
fn heap_usage(th: &Thread) -> JResult<Obj> {
    let max = concord_heap::max_memory() as i64;
    let committed = concord_heap::total_memory() as i64;
    let used = concord_heap::used_memory() as i64;
    let flags = &concord_base::options::get().flags;
    new_usage(th, flags.initial_heap_size as i64, used.min(max), committed.min(max), max)
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
    before: *mut u64,
    after: *mut u64,
    count: i32,
    values: *mut u64,
}

entry! {
    pools(th, manager: Ref) -> obj {
        let (pool, collector) = beans(th)?;
        if !manager.get().is_null() && manager.get() != collector {
            return Ok(Obj::NULL);
        }
        one(th, "java/lang/management/MemoryPoolMXBean", pool)
    }
    managers(th, pool: Ref) -> obj {
        let (known, collector) = beans(th)?;
        if !pool.get().is_null() && pool.get() != known {
            return Ok(Obj::NULL);
        }
        one(th, "java/lang/management/MemoryManagerMXBean", collector)
    }
    pool_usage(th, _pool: Ref) -> obj { heap_usage(th) }
    peak_usage(th, _pool: Ref) -> obj {
        // Peaks are not recorded; the collector lets the heap grow to its pages in use.
        heap_usage(th)
    }
    collection_usage(_th, _pool: Ref) -> obj { Ok(Obj::NULL) }
    usage(th, heap: u8) -> obj {
        if heap != 0 {
            return heap_usage(th);
        }
        let bytes = native_bytes();
        new_usage(th, 0, bytes, bytes, -1)
    }
    set_threshold(th, _pool: Ref, _kind: i32, _value: i64) -> j {
        exceptions::throw(th, "java/lang/UnsupportedOperationException", "memory usage thresholds are not supported by this VM")
    }
    set_sensor(th, _pool: Ref, _kind: i32, _sensor: Ref) -> void {
        exceptions::throw(th, "java/lang/UnsupportedOperationException", "memory usage sensors are not supported by this VM")
    }
    dump_heap(th, _file: Ref, _live: u8) -> i {
        exceptions::throw(th, "java/lang/UnsupportedOperationException", "heap dumps are not supported by this VM")
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
    last_gc(_th, _manager: Ref, out: *mut LastGc) -> void {
        // Index 0 says that no record of a collection is kept.
        // SAFETY: the caller passes a record.
        unsafe { (*out).index = 0 };
        Ok(())
    }
}
/// Notifications need a record of each collection, which is not kept.
pub extern "C" fn notify(_th: &Thread, _manager: Ref, _on: u8) {}

/// Resident bytes of the process outside of the Java heap.
fn native_bytes() -> i64 {
    let pages: Option<i64> = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|t| t.split(' ').nth(1)?.parse().ok());
    (pages.unwrap_or(0) * 4096 - concord_heap::used_memory() as i64).max(0)
}
