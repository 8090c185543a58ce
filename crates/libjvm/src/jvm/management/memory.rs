//! Beans of memory pools, their managers and collectors; usage.
//!
//! Invariant: the beans are made on first use and then always the same objects, one per pool of `pools`, with a manager of
//! classes, one of code if there is any, and two collectors, for young and for full collections.
use super::pools::{self, Pool, Usage};
use super::{entry, notifications};
use crate::env::Ref;
use concord_contract::class::Root;
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::handles::{Local, Scope};
use concord_runtime::{arrays, call, exceptions, init, loader, object, roots, strings};
use std::ffi::c_char;
use std::sync::OnceLock;

const HELPER: &str = "sun/management/ManagementFactoryHelper";
/// Names by kind: young, full.
pub const COLLECTORS: [&str; 2] = ["Concord Young", "Concord Full"];

pub struct Beans {
    pools: Vec<(Pool, &'static Root)>,
    /// Managers of single pools beside the heap.
    managers: Vec<(Pool, &'static Root)>,
    pub collectors: [&'static Root; 2],
}
impl Beans {
    pub fn count(&self) -> usize {
        self.pools.len()
    }
    fn pool(&self, bean: Obj) -> Option<Pool> {
        self.pools.iter().find(|p| p.1.get() == bean).map(|p| p.0)
    }
}
static BEANS: OnceLock<Beans> = OnceLock::new();

/// The beans if somebody has asked for them.
pub fn made() -> Option<&'static Beans> {
    BEANS.get()
}
/// The pool of a bean.
pub fn pool_of(bean: Obj) -> Option<Pool> {
    made()?.pool(bean)
}

/// Pools, managers and collectors.
pub fn beans(th: &Thread) -> JResult<&'static Beans> {
    if let Some(b) = BEANS.get() {
        return Ok(b);
    }
    roots::add_before_collection(pools::collection_begins);
    roots::set_after_collection(notifications::collected);
    let scope = Scope::new(th);
    // Thresholds; -1 is none.
    let pool = |p: Pool| {
        let threshold = |has: bool| if has { 0 } else { -1i64 as u64 };
        let name = strings::new_str(th, p.name())?;
        let (usage, collection) = (threshold(p.has_threshold()), threshold(p.is_heap()));
        let args = [name.addr() as u64, u64::from(p.is_heap()), usage, 0, collection, 0];
        let desc = "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;";
        Ok((p, scope.handle(make(th, HELPER, "createMemoryPool", desc, &args)?)))
    };
    let manager = |p: Pool, name: &str| {
        let name = strings::new_str(th, name)?;
        let desc = "(Ljava/lang/String;)Ljava/lang/management/MemoryManagerMXBean;";
        Ok((p, scope.handle(make(th, HELPER, "createMemoryManager", desc, &[name.addr() as u64])?)))
    };
    let pools = pools::all().map(pool).collect::<JResult<Vec<_>>>()?;
    let managers = pools::all().filter_map(|p| match p {
        Pool::Code => Some(manager(p, "CodeCacheManager")),
        Pool::Metaspace => Some(manager(p, "Metaspace Manager")),
        Pool::Eden | Pool::Old => None,
    });
    let managers = managers.collect::<JResult<Vec<_>>>()?;
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
        pools: pools.iter().map(|(p, o)| (*p, root(o.get()))).collect(),
        managers: managers.iter().map(|(p, o)| (*p, root(o.get()))).collect(),
        collectors: [root(young.get()), root(full.get())],
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
pub fn new_usage(th: &Thread, u: Usage) -> JResult<Obj> {
    let class = loader::find_class(th, "java/lang/management/MemoryUsage".into(), loader::boot())?;
    init::initialize(th, class)?;
    let slots = [u.init, u.used, u.committed.max(u.used), u.max].map(|v| v as u64);
    object::new_with(th, class, "(JJJJ)V", &[slots[0], 0, slots[1], 0, slots[2], 0, slots[3], 0])
}
/// Puts the usage of all pools, in their order, into an array.
pub fn set_usages(th: &Thread, array: &Local<'_>, usages: &[Usage]) -> JResult<()> {
    for (i, u) in usages.iter().enumerate() {
        let u = new_usage(th, *u)?;
        arrays::set_ref(array.get(), i, u);
    }
    Ok(())
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
        let m = manager.get();
        let own = b.managers.iter().find(|(_, r)| r.get() == m).map(|o| o.0);
        let kind = kind_of(m);
        if !m.is_null() && own.is_none() && kind.is_none() {
            return Ok(Obj::NULL);
        }
        let managed = |p: Pool| m.is_null() || own == Some(p) || kind.is_some_and(|k| p.is_collected(k == 1));
        let pools: Vec<_> = b.pools.iter().filter(|(p, _)| managed(*p)).map(|p| p.1).collect();
        array(th, "java/lang/management/MemoryPoolMXBean", &pools)
    }
    managers(th, pool: Ref) -> obj {
        let b = beans(th)?;
        let p = b.pool(pool.get());
        if !pool.get().is_null() && p.is_none() {
            return Ok(Obj::NULL);
        }
        let own = b.managers.iter().filter(|(of, _)| p.is_none_or(|p| p == *of)).map(|m| m.1);
        let collectors = b.collectors.iter().enumerate();
        let collectors = collectors.filter(|(k, _)| p.is_none_or(|p| p.is_collected(*k == 1))).map(|c| *c.1);
        array(th, "java/lang/management/MemoryManagerMXBean", &own.chain(collectors).collect::<Vec<_>>())
    }
    pool_usage(th, pool: Ref) -> obj {
        beans(th)?;
        pool_of(pool.get()).map_or(Ok(Obj::NULL), |p| new_usage(th, p.now()))
    }
    peak_usage(th, pool: Ref) -> obj {
        beans(th)?;
        pool_of(pool.get()).map_or(Ok(Obj::NULL), |p| new_usage(th, p.peak()))
    }
    collection_usage(th, pool: Ref) -> obj {
        beans(th)?;
        pool_of(pool.get()).and_then(Pool::collected).map_or(Ok(Obj::NULL), |u| new_usage(th, u))
    }
    usage(th, heap: u8) -> obj {
        new_usage(th, pools::sum(heap != 0))
    }
    set_threshold(th, pool: Ref, kind: i32, value: i64) -> j {
        if value < 0 {
            return exceptions::throw(th, "java/lang/IllegalArgumentException", "Invalid threshold value");
        }
        let old = match pool_of(pool.get()) {
            Some(p) => notifications::set_threshold(th, p, kind, value)?,
            None => None,
        };
        match old {
            Some(old) => Ok(old),
            None => exceptions::throw(th, "java/lang/IllegalArgumentException", "Invalid threshold type"),
        }
    }
    set_sensor(th, pool: Ref, kind: i32, sensor: Ref) -> void {
        if let Some(p) = pool_of(pool.get())
            && notifications::set_sensor(th, p, kind, sensor.get())?
        {
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
        let kind = kind_of(manager.get());
        let last = kind.and_then(|k| {
            let t = concord_heap::totals(k == 1);
            t.last.map(|r| (t.count, r, pools::around(k == 1, &r)))
        });
        // SAFETY: the caller passes a record whose arrays have an element per pool and whose values
        // have room for one.
        let o = unsafe { &mut *out };
        let Some((count, r, usages)) = last else {
            o.index = 0;
            return Ok(());
        };
        o.index = count as i64;
        (o.start, o.end) = (r.begun.as_millis() as i64, r.ended.as_millis() as i64);
        let (before, after) = (Ref::new(o.before), Ref::new(o.after));
        let scope = Scope::new(th);
        set_usages(th, &scope.handle(before.get()), &usages[0])?;
        set_usages(th, &scope.handle(after.get()), &usages[1])?;
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
