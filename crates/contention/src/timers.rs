//! The timers that interrupt Java threads, and what an interrupt does.
//!
//! Invariant: a timer runs on the processor time of one thread, so that who sleeps is left alone, and its signal comes to
//! that thread. A signal is taken that nobody has a handler for. The handler takes no lock, allocates nothing, and
//! keeps `errno`; it reads memory only where the heap has some.
//!
//! Samples are taken in compiled code: there the thread is between two stops, so that the object whose address the
//! registers hold is in its place, and the code is not freed. Elsewhere an interrupt only counts.
use crate::samples::{Sample, Slot};
use crate::{operand, probe};
use concord_contract::code_table::{Place, find};
use std::ffi::{c_int, c_void};
use std::io;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Takes the first real-time signal that nobody handles.
///
/// # Errors
/// There is none, or the system refuses.
pub fn take_signal() -> Result<(), String> {
    for signal in libc::SIGRTMIN() + 3..=libc::SIGRTMAX() {
        // SAFETY: zeroed sigactions are valid; all pointers are to locals.
        unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &raw mut old) != 0 || old.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            let mut new: libc::sigaction = std::mem::zeroed();
            new.sa_sigaction = interrupted as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize;
            new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
            libc::sigfillset(&raw mut new.sa_mask);
            // Faults are never held back.
            for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP, libc::SIGABRT] {
                libc::sigdelset(&raw mut new.sa_mask, fault);
            }
            if libc::sigaction(signal, &raw const new, std::ptr::null_mut()) != 0 {
                return Err(format!("sigaction: {}", io::Error::last_os_error()));
            }
        }
        SIGNAL.store(signal, Relaxed);
        return Ok(());
    }
    Err("all real-time signals are in use".into())
}

/// A timer on a thread's processor time.
#[derive(Debug)]
pub struct Timer(libc::timer_t);

// SAFETY: a timer's id is a number of the process.
unsafe impl Send for Timer {}

impl Timer {
    /// Interrupts thread `tid` of this process each `period` nanoseconds of its processor time, the first time after
    /// `first`.
    ///
    /// # Errors
    /// The system's; ESRCH or EINVAL if the thread has ended.
    pub fn start(tid: u32, slot: &'static Slot, first: u64, period: u64) -> io::Result<Timer> {
        /// The kernel's: a clock of one thread, of the time that it was scheduled.
        const PER_THREAD: u32 = 4 | 2;
        let clock = (!tid << 3 | PER_THREAD) as libc::clockid_t;
        let time = |ns: u64| libc::timespec {
            tv_sec: (ns / 1_000_000_000) as libc::time_t,
            tv_nsec: (ns % 1_000_000_000) as libc::c_long,
        };
        let when = libc::itimerspec { it_interval: time(period), it_value: time(first.max(1)) };
        // SAFETY: a zeroed sigevent is valid, all pointers are to locals, and the slot lives for ever.
        unsafe {
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = SIGNAL.load(Relaxed);
            event.sigev_notify_thread_id = tid as c_int;
            event.sigev_value.sival_ptr = std::ptr::from_ref(slot).cast_mut().cast();
            let mut id: libc::timer_t = std::ptr::null_mut();
            if libc::timer_create(clock, &raw mut event, &raw mut id) != 0 {
                return Err(io::Error::last_os_error());
            }
            let timer = Timer(id);
            if libc::timer_settime(id, 0, &raw const when, std::ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(timer)
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: made by `start`, deleted once.
        let result = unsafe { libc::timer_delete(self.0) };
        debug_assert_eq!(result, 0);
    }
}

extern "C" fn interrupted(_signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes valid records; errno is the interrupted thread's own.
    let (info, context, errno) =
        unsafe { (&*info, &*context.cast::<libc::ucontext_t>(), &mut *libc::__errno_location()) };
    // Somebody else's signal of the same number says nothing.
    if info.si_code != libc::SI_TIMER {
        return;
    }
    let (before, from) = (*errno, now());
    // SAFETY: the value that `Timer::start` gave to the timer.
    let slot = unsafe { &*info.si_value().sival_ptr.cast::<Slot>() };
    slot.interrupts.fetch_add(1, Relaxed);
    if let Some(s) = sample(slot, &context.uc_mcontext.gregs) {
        // SAFETY: this is the handler, which holds back all other signals.
        unsafe { slot.put(s) };
    }
    slot.time.fetch_add(now().saturating_sub(from), Relaxed);
    *errno = before;
}

/// Nanoseconds of a clock that can be read in a handler.
fn now() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local; the call is safe in handlers (POSIX), and cannot fail for this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut t) };
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

fn sample(slot: &Slot, registers: &operand::Registers) -> Option<Sample> {
    let pc = registers[libc::REG_RIP as usize] as usize;
    let Some(Place::Method(code)) = find(pc) else { return None };
    // SAFETY: the thread runs this code, which nobody frees before it is stopped.
    let bytes = unsafe { std::slice::from_raw_parts(code.start as *const u8, code.end - code.start) };
    let known = |offset| operand::beginning(&code.places, |p| p.0, offset);
    let around = operand::Code { start: code.start, bytes, known: &known };
    // SAFETY: this is the handler.
    let judge = unsafe { slot.judge() };
    let a = operand::before(&around, pc, registers, judge, concord_heap::walk::is_backed)?;
    // SAFETY: the heap has memory there.
    let slow = unsafe { probe::slow_reads(a.address) };
    Some(Sample { pc: a.pc, code: code.id, address: a.address, width: a.width, writes: a.writes, slow })
}
