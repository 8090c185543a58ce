//! What happens after a collection: notifications of GarbageCollectorMXBean, thresholds of
//! MemoryPoolMXBean.
//!
//! Invariant: Java is called by one thread, the Notification Thread, which is started when something
//! is first asked for; collections only wake it. Each collection is told once, in order; if Java falls
//! behind, the oldest are dropped. The heap's pools are compared with their thresholds after collections, the others each
//! [`INTERVAL`], too, while there is a threshold of one of them.
use super::memory::{self, COLLECTORS};
use super::pools::{self, Pool, Usage};
use concord_contract::class::Root;
use concord_contract::{JResult, Obj, Thread};
use concord_heap::Record;
use concord_runtime::handles::Scope;
use concord_runtime::threads::{self, AttachArgs};
use concord_runtime::{arrays, call, exceptions, known, loader, object, roots, strings};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock};
use std::time::Duration;

/// Collections that wait to be told.
const LONGEST: usize = 100;

/// How often pools beside the heap are looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// A collection: whether full, how many of its kind there were, what it did, and the pools before and after it.
type News = (bool, u64, Record, [Vec<Usage>; 2]);

static QUEUE: Mutex<VecDeque<News>> = Mutex::new(VecDeque::new());
static ARRIVED: Condvar = Condvar::new();
static STARTED: AtomicBool = AtomicBool::new(false);
/// Somebody listens to young, to full collections.
static WANTED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

/// Threshold and sensor.
struct Watch {
    high: AtomicI64,
    low: AtomicI64,
    sensor: OnceLock<&'static Root>,
    /// The usage is above the threshold, and Java knows.
    on: AtomicBool,
}
/// By pool: of usage, of usage after collections.
static WATCHES: [[Watch; 2]; pools::COUNT] = [const {
    [const {
        Watch { high: AtomicI64::new(-1), low: AtomicI64::new(-1), sensor: OnceLock::new(), on: AtomicBool::new(false) }
    }; 2]
}; pools::COUNT];

/// Sets a threshold by the interface's number; the old one, or None for no such kind.
///
/// # Errors
/// What starting the thread throws.
pub fn set_threshold(th: &Thread, pool: Pool, kind: i32, value: i64) -> JResult<Option<i64>> {
    let watches = &WATCHES[pool as usize];
    let cell = match kind {
        901 => &watches[0].high,
        902 => &watches[0].low,
        903 => &watches[1].high,
        904 => &watches[1].low,
        _ => return Ok(None),
    };
    start(th)?;
    let old = cell.swap(value, Ordering::SeqCst);
    // The thread may have to look by itself from now on.
    ARRIVED.notify_one();
    Ok(Some(old))
}
/// Sets the object that is told of a threshold; false for no such kind.
///
/// # Errors
/// What starting the thread throws.
pub fn set_sensor(th: &Thread, pool: Pool, kind: i32, sensor: Obj) -> JResult<bool> {
    let watch = match kind {
        901 | 902 => &WATCHES[pool as usize][0],
        903 | 904 => &WATCHES[pool as usize][1],
        _ => return Ok(false),
    };
    roots::keep(watch.sensor.get_or_init(roots::new_root), sensor);
    start(th)?;
    Ok(true)
}
/// Begins or ends telling of young (0) or full (1) collections.
///
/// # Errors
/// What starting the thread throws.
pub fn set_wanted(th: &Thread, kind: usize, on: bool) -> JResult<()> {
    WANTED[kind].store(on, Ordering::SeqCst);
    if on { start(th) } else { Ok(()) }
}

/// Called at the end of each collection, at the stop.
pub fn collected(full: bool) {
    pools::collection_ends(full);
    let t = concord_heap::totals(full);
    let Some(r) = t.last.filter(|_| STARTED.load(Ordering::Acquire)) else { return };
    let mut q = QUEUE.lock().expect("notifications");
    if q.len() == LONGEST {
        q.pop_front();
    }
    q.push_back((full, t.count, r, pools::around(full, &r)));
    ARRIVED.notify_one();
}

/// Starts the thread, once.
fn start(th: &Thread) -> JResult<()> {
    if STARTED.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    let body = || {
        let args = AttachArgs { name: Some("Notification Thread".into()), group: std::ptr::null_mut(), daemon: true };
        match threads::attach_system(args) {
            Ok(th) => {
                threads::announce(th);
                serve(th)
            }
            Err(e) => concord_base::vm_log!(OsThread, Warning, "no notification thread: {e}"),
        }
    };
    match std::thread::Builder::new().name("Notification".into()).stack_size(1 << 20).spawn(body) {
        Ok(_) => Ok(()),
        Err(e) => exceptions::throw(th, "java/lang/OutOfMemoryError", &format!("unable to create native thread: {e}")),
    }
}

fn serve(th: &Thread) {
    loop {
        let news = concord_runtime::blocking(th, next);
        let scope = Scope::new(th);
        let done = match &news {
            Some(n) => [tell(th, n), watch_heap(th, n)],
            None => [Ok(()), watch_others(th)],
        };
        for r in done {
            if r.is_err() {
                let e = scope.handle(th.take_exception());
                concord_base::vm_log!(Gc, Warning, "a notification failed: {}", exceptions::describe(e.get()));
            }
        }
    }
}
/// Waits for the next collection; None when it is time to look at the pools beside the heap.
fn next() -> Option<News> {
    let mut q = QUEUE.lock().expect("notifications");
    loop {
        if let Some(n) = q.pop_front() {
            return Some(n);
        }
        if others().any(|p| WATCHES[p as usize][0].high.load(Ordering::SeqCst) > 0) {
            let (again, end) = ARRIVED.wait_timeout(q, INTERVAL).expect("notifications");
            if end.timed_out() {
                return None;
            }
            q = again;
        } else {
            q = ARRIVED.wait(q).expect("notifications");
        }
    }
}
fn others() -> impl Iterator<Item = Pool> {
    pools::all().filter(|p| !p.is_heap())
}

fn usages(th: &Thread, of: &[Usage]) -> JResult<Obj> {
    let class = loader::find_class(th, "java/lang/management/MemoryUsage".into(), loader::boot())?;
    let scope = Scope::new(th);
    let a = scope.handle(arrays::new_ref_array(th, class, memory::beans(th)?.count())?);
    memory::set_usages(th, &a, of)?;
    Ok(a.get())
}

/// Hands a collection to its bean: GarbageCollectorExtImpl.createGCNotification.
fn tell(th: &Thread, (full, count, r, pools): &News) -> JResult<()> {
    if !WANTED[usize::from(*full)].load(Ordering::SeqCst) {
        return Ok(());
    }
    let Some(beans) = memory::made() else { return Ok(()) };
    let bean = beans.collectors[usize::from(*full)];
    let scope = Scope::new(th);
    let builder =
        call::call_virtual(th, bean.get(), "getGcInfoBuilder", "()Lcom/sun/management/internal/GcInfoBuilder;", &[])?;
    // SAFETY: the descriptor promises a reference, and no safepoint lies between.
    let builder = scope.handle(unsafe { Obj::from_addr(builder as usize) });
    let before = scope.handle(usages(th, &pools[0])?);
    let after = scope.handle(usages(th, &pools[1])?);
    let threads_number = call::call_static(
        th,
        "java/lang/Integer",
        "valueOf",
        "(I)Ljava/lang/Integer;",
        &[concord_heap::worker_count() as u64],
    )?;
    // SAFETY: as above.
    let number = scope.handle(unsafe { Obj::from_addr(threads_number as usize) });
    let extra = scope.handle(arrays::new_ref_array(th, known::classes().object, 1)?);
    arrays::set_ref(extra.get(), 0, number.get());
    let class = loader::find_class(th, "com/sun/management/GcInfo".into(), loader::boot())?;
    let desc = "(Lcom/sun/management/internal/GcInfoBuilder;JJJ[Ljava/lang/management/MemoryUsage;[Ljava/lang/management/MemoryUsage;[Ljava/lang/Object;)V";
    let a = |o: Obj| o.addr() as u64;
    let (begun, ended) = (r.begun.as_millis() as u64, r.ended.as_millis() as u64);
    let args = [a(builder.get()), *count, 0, begun, 0, ended, 0, a(before.get()), a(after.get()), a(extra.get())];
    let info = scope.handle(object::new_with(th, class, desc, &args)?);
    let name = scope.handle(strings::new_str(th, COLLECTORS[usize::from(*full)])?);
    let action = scope.handle(strings::new_str(th, if *full { "end of major GC" } else { "end of minor GC" })?);
    let cause = scope.handle(strings::new_str(th, r.cause)?);
    let now = concord_runtime::vm_natives::object::current_millis() as u64;
    let desc = "(JLjava/lang/String;Ljava/lang/String;Ljava/lang/String;Lcom/sun/management/GcInfo;)V";
    let args = [now, 0, a(name.get()), a(action.get()), a(cause.get()), a(info.get())];
    call::call_virtual(th, bean.get(), "createGCNotification", desc, &args).map(|_| ())
}

/// Compares what a collection left with the thresholds.
fn watch_heap(th: &Thread, (full, _, _, around): &News) -> JResult<()> {
    for (p, u) in pools::all().zip(&around[1]).filter(|(p, _)| p.is_heap()) {
        watch(th, &WATCHES[p as usize][0], u, false)?;
        if p.is_collected(*full) {
            // Each collection is counted that leaves more.
            watch(th, &WATCHES[p as usize][1], u, true)?;
        }
    }
    watch_others(th)
}
fn watch_others(th: &Thread) -> JResult<()> {
    others().try_for_each(|p| watch(th, &WATCHES[p as usize][0], &p.now(), false))
}
/// Tells the sensor when the usage crosses its threshold, or `each` time that it is above.
fn watch(th: &Thread, w: &Watch, u: &Usage, each: bool) -> JResult<()> {
    let (high, low) = (w.high.load(Ordering::SeqCst), w.low.load(Ordering::SeqCst));
    let Some(sensor) = w.sensor.get().filter(|s| !s.get().is_null()) else { return Ok(()) };
    if high > 0 && u.used >= high {
        if !w.on.swap(true, Ordering::SeqCst) || each {
            let scope = Scope::new(th);
            let usage = scope.handle(memory::new_usage(th, *u)?);
            let desc = "(ILjava/lang/management/MemoryUsage;)V";
            call::call_virtual(th, sensor.get(), "trigger", desc, &[1, usage.get().addr() as u64])?;
        }
    } else if u.used < low.max(high) && w.on.swap(false, Ordering::SeqCst) {
        call::call_virtual(th, sensor.get(), "clear", "()V", &[])?;
    }
    Ok(())
}
