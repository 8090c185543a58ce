//! What happens after a collection: notifications of GarbageCollectorMXBean, thresholds of
//! MemoryPoolMXBean.
//!
//! Invariant: Java is called by one thread, the Notification Thread, which is started when something
//! is first asked for; collections only wake it. Each collection is told once, in order; if Java falls
//! behind, the oldest are dropped.
use super::memory::{self, COLLECTORS};
use concord_contract::class::Root;
use concord_contract::{JResult, Obj, Thread};
use concord_heap::Record;
use concord_runtime::handles::Scope;
use concord_runtime::threads::{self, AttachArgs};
use concord_runtime::{arrays, call, exceptions, known, loader, object, roots, strings};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock};

/// Collections that wait to be told.
const LONGEST: usize = 100;

/// A collection: whether full, how many of its kind there were, and what it did.
type News = (bool, u64, Record);

static QUEUE: Mutex<VecDeque<News>> = Mutex::new(VecDeque::new());
static ARRIVED: Condvar = Condvar::new();
static STARTED: AtomicBool = AtomicBool::new(false);
/// Somebody listens to young, to full collections.
static WANTED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

/// Thresholds and sensors by kind: usage, usage after collections.
struct Watch {
    high: AtomicI64,
    low: AtomicI64,
    sensor: OnceLock<&'static Root>,
    /// The usage is above the threshold, and Java knows.
    on: AtomicBool,
}
static WATCHES: [Watch; 2] = [const {
    Watch { high: AtomicI64::new(-1), low: AtomicI64::new(-1), sensor: OnceLock::new(), on: AtomicBool::new(false) }
}; 2];

/// Sets a threshold by the interface's number; the old one, or None for no such kind.
///
/// # Errors
/// What starting the thread throws.
pub fn set_threshold(th: &Thread, kind: i32, value: i64) -> JResult<Option<i64>> {
    let cell = match kind {
        901 => &WATCHES[0].high,
        902 => &WATCHES[0].low,
        903 => &WATCHES[1].high,
        904 => &WATCHES[1].low,
        _ => return Ok(None),
    };
    start(th)?;
    Ok(Some(cell.swap(value, Ordering::SeqCst)))
}
/// Sets the object that is told of a threshold; false for no such kind.
///
/// # Errors
/// What starting the thread throws.
pub fn set_sensor(th: &Thread, kind: i32, sensor: Obj) -> JResult<bool> {
    let watch = match kind {
        901 | 902 => &WATCHES[0],
        903 | 904 => &WATCHES[1],
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
fn collected(full: bool) {
    let t = concord_heap::totals(full);
    let Some(r) = t.last else { return };
    let mut q = QUEUE.lock().expect("notifications");
    if q.len() == LONGEST {
        q.pop_front();
    }
    q.push_back((full, t.count, r));
    ARRIVED.notify_one();
}

/// Starts the thread, once.
fn start(th: &Thread) -> JResult<()> {
    if STARTED.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    roots::set_after_collection(collected);
    let body = || {
        let args = AttachArgs { name: Some("Notification Thread".into()), group: std::ptr::null_mut(), daemon: true };
        match threads::attach_system(args) {
            Ok(th) => serve(th),
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
        let news = concord_runtime::blocking(th, || {
            let mut q = QUEUE.lock().expect("notifications");
            loop {
                match q.pop_front() {
                    Some(n) => return n,
                    None => q = ARRIVED.wait(q).expect("notifications"),
                }
            }
        });
        let scope = Scope::new(th);
        for r in [tell(th, &news), watch(th, &news)] {
            if r.is_err() {
                let e = scope.handle(th.take_exception());
                concord_base::vm_log!(Gc, Warning, "a notification failed: {}", exceptions::describe(e.get()));
            }
        }
    }
}

fn usages(th: &Thread, used: usize, committed: usize) -> JResult<Obj> {
    let class = loader::find_class(th, "java/lang/management/MemoryUsage".into(), loader::boot())?;
    let scope = Scope::new(th);
    let a = scope.handle(arrays::new_ref_array(th, class, memory::beans(th)?.pools().len())?);
    memory::set_usages(th, &a, used, committed)?;
    Ok(a.get())
}

/// Hands a collection to its bean: GarbageCollectorExtImpl.createGCNotification.
fn tell(th: &Thread, (full, count, r): &News) -> JResult<()> {
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
    let before = scope.handle(usages(th, r.before, r.committed_before)?);
    let after = scope.handle(usages(th, r.after, r.committed_after)?);
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

/// Compares the usage after a collection with the thresholds.
fn watch(th: &Thread, (_full, _, r): &News) -> JResult<()> {
    let used = r.after;
    for (i, w) in WATCHES.iter().enumerate() {
        let (high, low) = (w.high.load(Ordering::SeqCst), w.low.load(Ordering::SeqCst));
        let Some(sensor) = w.sensor.get().filter(|s| !s.get().is_null()) else { continue };
        if high > 0 && used as i64 >= high {
            // The usage crosses its threshold once; collections are counted that leave more than theirs.
            if !w.on.swap(true, Ordering::SeqCst) || i == 1 {
                let scope = Scope::new(th);
                let usage = scope.handle(memory::usage_of(th, used, concord_heap::total_memory())?);
                let desc = "(ILjava/lang/management/MemoryUsage;)V";
                call::call_virtual(th, sensor.get(), "trigger", desc, &[1, usage.get().addr() as u64])?;
            }
        } else if (used as i64) < low.max(high) && w.on.swap(false, Ordering::SeqCst) {
            call::call_virtual(th, sensor.get(), "clear", "()V", &[])?;
        }
    }
    Ok(())
}
