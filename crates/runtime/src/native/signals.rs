//! Signals that Java code handles, and alternate signal stacks.
//!
//! Invariant: a handler does nothing but count and post; the Signal Dispatcher thread, which waits
//! here, calls Java. Handlers touch no thread-local storage.
use crate::{call, exceptions, loader};
use concord_base::{Symbol, options};
use concord_contract::{JResult, Thread};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

const SIGNALS: usize = 65;
/// Signal number that stands for "no more signals": the VM ends.
const EXIT: usize = 0;

static PENDING: [AtomicU32; SIGNALS] = [const { AtomicU32::new(0) }; SIGNALS];
/// What to do on SIGQUIT besides Java's handlers: thread dump, attach listener.
static ON_QUIT: AtomicUsize = AtomicUsize::new(0);

struct Semaphore(UnsafeCell<libc::sem_t>);
// SAFETY: sem_post and sem_wait are thread-safe; `start` initializes it before the first handler.
unsafe impl Sync for Semaphore {}
// SAFETY: all-zero bytes are what sem_init(0) writes on Linux; `start` calls it all the same.
static ARRIVED: Semaphore = Semaphore(UnsafeCell::new(unsafe { std::mem::zeroed() }));

/// Prepares the dispatch; before the first handler is installed.
pub fn start() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: runs once, before anybody posts or waits.
    ONCE.call_once(|| unsafe {
        libc::sem_init(ARRIVED.0.get(), 0, 0);
    });
}

/// Registers what SIGQUIT does; it runs on the Signal Dispatcher thread in state `InVm`.
pub fn set_on_quit(f: fn(&Thread)) {
    ON_QUIT.store(f as usize, Ordering::Release);
}

fn post(signal: usize) {
    PENDING[signal].fetch_add(1, Ordering::SeqCst);
    // SAFETY: async-signal-safe; the semaphore was initialized by `start`.
    unsafe { libc::sem_post(ARRIVED.0.get()) };
}

/// The handler that stands for "dispatch to Java".
pub extern "C" fn java_handler(signal: i32, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    if (1..SIGNALS as i32).contains(&signal) {
        post(signal as usize);
    }
}

/// Asks the dispatcher to end.
pub fn stop() {
    post(EXIT);
}

fn next() -> usize {
    loop {
        for (i, p) in PENDING.iter().enumerate() {
            let taken = p.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
            if taken.is_ok() {
                return i;
            }
        }
        // SAFETY: the semaphore was initialized by `start`; an interrupted wait tries again.
        unsafe { libc::sem_wait(ARRIVED.0.get()) };
    }
}

/// The body of the Signal Dispatcher thread: returns when [`stop`] was called.
pub fn dispatch_loop(th: &Thread) {
    start();
    loop {
        let signal = crate::blocking(th, next);
        match signal {
            EXIT => return,
            s if s == libc::SIGQUIT as usize => {
                let f = ON_QUIT.load(Ordering::Acquire);
                if f != 0 {
                    // SAFETY: only `set_on_quit` stores here.
                    let f = unsafe { std::mem::transmute::<usize, fn(&Thread)>(f) };
                    f(th);
                }
            }
            s => {
                if dispatch(th, s as i32).is_err() {
                    let e = th.take_exception();
                    concord_base::errln!("Exception in the handler of signal {s}: {}", exceptions::describe(e));
                }
            }
        }
    }
}

fn dispatch(th: &Thread, signal: i32) -> JResult<()> {
    let class = "jdk/internal/misc/Signal";
    if loader::find_loaded(Symbol::from(class), loader::boot()).is_none() {
        return Ok(());
    }
    call::call_static(th, class, "dispatch", "(I)V", &[signal as u64]).map(|_void| ())
}

extern "C" fn nothing(_signal: i32, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {}

/// Installs the handler of SIGQUIT (thread dumps, attach), unless -Xrs leaves it to the program.
pub fn install_quit_handler() {
    start();
    // Writing to a closed pipe is an IOException; a handler, unlike SIG_IGN, is not inherited by
    // the programs that this one starts.
    for s in [libc::SIGPIPE, libc::SIGXFSZ] {
        if current(s) == Some(libc::SIG_DFL) {
            install(s, nothing as *const () as usize);
        }
    }
    if !options::get().flags.reduce_signal_usage {
        install(libc::SIGQUIT, java_handler as *const () as usize);
    }
}

/// Sets a signal's action; gives the old handler's address, None if the system refuses.
pub fn install(signal: i32, handler: usize) -> Option<usize> {
    // SAFETY: zeroed sigactions are valid; the mask functions get valid pointers.
    unsafe {
        let mut new: libc::sigaction = std::mem::zeroed();
        let mut old: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = handler;
        libc::sigfillset(&mut new.sa_mask);
        new.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        if handler > libc::SIG_IGN {
            new.sa_flags |= libc::SA_SIGINFO;
        }
        (libc::sigaction(signal, &new, &mut old) == 0).then_some(old.sa_sigaction)
    }
}

/// The handler of a signal now.
pub fn current(signal: i32) -> Option<usize> {
    // SAFETY: a query into a valid place.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        (libc::sigaction(signal, std::ptr::null(), &mut old) == 0).then_some(old.sa_sigaction)
    }
}

/// An alternate stack for signal handlers of the calling thread, so that a handler can run after a
/// stack overflow; released when dropped, by the same thread.
pub struct AlternateStack {
    base: *mut libc::c_void,
    size: usize,
}

impl AlternateStack {
    /// Installs one unless the thread has one already.
    ///
    /// # Errors
    /// What the system says.
    pub fn install() -> std::io::Result<Option<AlternateStack>> {
        // SAFETY: queries and mappings with valid arguments; checked.
        unsafe {
            let mut old: libc::stack_t = std::mem::zeroed();
            if libc::sigaltstack(std::ptr::null(), &mut old) == 0 && old.ss_flags & libc::SS_DISABLE == 0 {
                return Ok(None);
            }
            // With AVX-512 the kernel's frame alone is larger than SIGSTKSZ.
            let least = libc::getauxval(libc::AT_MINSIGSTKSZ) as usize;
            let page = 4096;
            let size = (least.max(libc::MINSIGSTKSZ) + (64 << 10)).next_multiple_of(page);
            let prot = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
            let base = libc::mmap(std::ptr::null_mut(), size + page, prot, flags, -1, 0);
            if base == libc::MAP_FAILED {
                return Err(std::io::Error::last_os_error());
            }
            libc::mprotect(base, page, libc::PROT_NONE);
            let new = libc::stack_t { ss_sp: base.byte_add(page), ss_flags: 0, ss_size: size };
            if libc::sigaltstack(&new, std::ptr::null_mut()) != 0 {
                let error = std::io::Error::last_os_error();
                libc::munmap(base, size + page);
                return Err(error);
            }
            Ok(Some(AlternateStack { base, size: size + page }))
        }
    }
}
// SAFETY: a mapping; only `drop` depends on the thread, and it says so.
unsafe impl Send for AlternateStack {}
impl Drop for AlternateStack {
    fn drop(&mut self) {
        // SAFETY: the stack was installed by this thread and no handler runs on it now.
        unsafe {
            let off = libc::stack_t { ss_sp: std::ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
            libc::sigaltstack(&off, std::ptr::null_mut());
            libc::munmap(self.base, self.size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn alternate_stacks_are_installed_once() {
        std::thread::spawn(|| {
            // A Rust thread may have one already; then this is the `None` case both times.
            let first = AlternateStack::install().unwrap();
            assert!(AlternateStack::install().unwrap().is_none());
            drop(first);
        })
        .join()
        .unwrap();
    }
    #[test]
    fn posted_signals_come_out_once() {
        start();
        let old = install(libc::SIGUSR2, java_handler as *const () as usize);
        assert!(old.is_some());
        // SAFETY: the handler only counts.
        unsafe { libc::raise(libc::SIGUSR2) };
        assert_eq!(next(), libc::SIGUSR2 as usize);
        stop();
        assert_eq!(next(), EXIT);
    }
}
