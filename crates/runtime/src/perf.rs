//! Performance counters in shared memory: what jps, jstat and `jcmd PerfCounter.print` read.
//!
//! Invariant: an entry never moves once it is made; its value is written by plain 8-byte stores
//! (byte strings byte by byte), which readers in other processes may see at any time. The header's
//! `used` and `num_entries` are written after the entry that they cover.
//!
//! ```text
//!  ca fe c0 c0 | byte order | 2 | 0 | accessible | used:4 | overflow:4 | stamp:8 | 32:4 | entries:4
//!  entry: length:4 name_offset:4 vector:4 type:1 flags:1 unit:1 variability:1 data_offset:4 name\0 data
//! ```
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32, Ordering};

/// Bytes of the memory, as HotSpot's PerfDataMemorySize.
const SIZE: usize = 32 << 10;
const HEADER: usize = 32;
const ENTRY: usize = 20;

/// What a value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Unit {
    None = 1,
    Bytes = 2,
    Ticks = 3,
    Events = 4,
    String = 5,
    Hertz = 6,
}
/// How a value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Variability {
    Constant = 1,
    Monotonic = 2,
    Variable = 3,
}

struct Memory {
    base: usize,
    file: Option<PathBuf>,
    used: usize,
    names: Vec<(String, usize)>,
    /// What did not fit.
    overflow: usize,
}
static MEMORY: Mutex<Option<Memory>> = Mutex::new(None);

/// A counter's value.
#[derive(Clone, Copy)]
pub struct Counter(&'static AtomicI64);
impl Counter {
    pub fn set(self, v: i64) {
        self.0.store(v, Ordering::Relaxed);
    }
    pub fn get(self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
    pub fn address(self) -> usize {
        self.0.as_ptr() as usize
    }
}
/// Where a byte string lives, with its capacity (terminating zero included).
#[derive(Clone, Copy)]
pub struct Bytes {
    address: usize,
    capacity: usize,
}
impl Bytes {
    /// Replaces the text; what does not fit is cut.
    pub fn set(self, text: &[u8]) {
        let n = text.len().min(self.capacity - 1);
        let padded = text[..n].iter().copied().chain(std::iter::repeat(0)).take(self.capacity);
        for (i, b) in padded.enumerate() {
            // SAFETY: within the entry, which lives for ever.
            unsafe { AtomicU8::from_ptr((self.address + i) as *mut u8) }.store(b, Ordering::Relaxed);
        }
    }
    pub fn address(self) -> usize {
        self.address
    }
}

fn word(address: usize) -> &'static AtomicU32 {
    // SAFETY: a 4-byte aligned word of the mapping, which lives for ever.
    unsafe { AtomicU32::from_ptr(address as *mut u32) }
}

/// Name of the effective user, as other VMs' tools look for it.
fn user() -> Option<String> {
    // SAFETY: getpwuid returns null or a record whose strings live until the next call.
    unsafe {
        let p = libc::getpwuid(libc::geteuid());
        if p.is_null() || (*p).pw_name.is_null() {
            return None;
        }
        Some(CStr::from_ptr((*p).pw_name).to_string_lossy().into_owned())
    }
}

/// `/tmp/hsperfdata_<user>` of a user.
pub fn folder_of(user: &str) -> PathBuf {
    Path::new("/tmp").join(format!("hsperfdata_{user}"))
}

/// The folder, made if absent; None if it is not ours alone to write to.
fn secure_folder() -> Option<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    let dir = folder_of(&user()?);
    match std::fs::DirBuilder::new().mode(0o755).create(&dir) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(_) => return None,
    }
    let m = std::fs::symlink_metadata(&dir).ok()?;
    // SAFETY: a query.
    let me = unsafe { libc::geteuid() };
    (m.is_dir() && m.uid() == me && m.mode() & 0o022 == 0).then_some(dir)
}

/// Removes the files of processes that are gone.
fn sweep(dir: &Path) {
    let Ok(rows) = std::fs::read_dir(dir) else { return };
    for row in rows.flatten() {
        let name = row.file_name();
        let Some(pid) = name.to_str().and_then(|n| n.parse::<i32>().ok()) else { continue };
        // SAFETY: signal 0 only asks.
        let gone =
            unsafe { libc::kill(pid, 0) } != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH);
        if gone {
            // Whoever else sweeps may have been faster.
            let _swept = std::fs::remove_file(row.path());
        }
    }
}

/// Maps the memory, shared through a file if `share`; entries can be made afterwards.
pub fn start(share: bool) {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    let mut file = None;
    let mut fd = -1;
    if share && let Some(dir) = secure_folder() {
        sweep(&dir);
        let path = dir.join(std::process::id().to_string());
        let opened = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW)
            .open(&path);
        match opened.and_then(|f| f.set_len(SIZE as u64).map(|()| f)) {
            Ok(f) => {
                fd = f.as_raw_fd();
                file = Some((path, f));
            }
            Err(e) => concord_base::vm_log!(OsThread, Warning, "no performance data file: {e}"),
        }
    }
    let flags = if fd >= 0 { libc::MAP_SHARED } else { libc::MAP_PRIVATE | libc::MAP_ANONYMOUS };
    // SAFETY: a fresh mapping at an address of the kernel's choice, of the file just sized.
    let p = unsafe { libc::mmap(std::ptr::null_mut(), SIZE, libc::PROT_READ | libc::PROT_WRITE, flags, fd, 0) };
    if p == libc::MAP_FAILED {
        return;
    }
    let base = p as usize;
    // SAFETY: the first bytes of the mapping.
    unsafe { std::ptr::copy_nonoverlapping([0xca_u8, 0xfe, 0xc0, 0xc0, 1, 2, 0, 0].as_ptr(), p.cast(), 8) };
    word(base + 24).store(HEADER as u32, Ordering::Relaxed);
    word(base + 8).store(HEADER as u32, Ordering::Relaxed);
    let memory = Memory { base, file: file.map(|f| f.0), used: HEADER, names: Vec::new(), overflow: 0 };
    *MEMORY.lock().expect("perf memory") = Some(memory);
}

/// Says that the counters are complete: tools wait for it.
pub fn announce() {
    if let Some(m) = MEMORY.lock().expect("perf memory").as_ref() {
        // SAFETY: byte 7 of the header.
        unsafe { AtomicU8::from_ptr((m.base + 7) as *mut u8) }.store(1, Ordering::Release);
    }
    stamp();
}

/// Notes the time of the last change.
pub fn stamp() {
    if let Some(m) = MEMORY.lock().expect("perf memory").as_ref() {
        let ns = concord_base::log::uptime().as_nanos() as i64;
        // SAFETY: the aligned 8 bytes at 16.
        unsafe { AtomicI64::from_ptr((m.base + 16) as *mut i64) }.store(ns, Ordering::Release);
    }
}

/// Removes the file; the mapping stays, others may write to it until the process ends.
pub fn end() {
    if let Some(m) = MEMORY.lock().expect("perf memory").as_mut()
        && let Some(path) = m.file.take()
    {
        // A file that is gone already is what is wanted.
        let _removed = std::fs::remove_file(path);
    }
}

/// Makes an entry; the address of its data, aligned to 8 bytes.
fn make(
    name: &str,
    kind: u8,
    vector: usize,
    bytes: usize,
    unit: u8,
    variability: u8,
    supported: bool,
) -> Option<usize> {
    let mut guard = MEMORY.lock().expect("perf memory");
    let m = guard.as_mut()?;
    if let Some((_, at)) = m.names.iter().find(|n| n.0 == name) {
        return Some(*at);
    }
    let data = (ENTRY + name.len() + 1 + 7) & !7;
    let length = (data + bytes + 7) & !7;
    if m.used + length > SIZE {
        m.overflow += length;
        word(m.base + 12).store(m.overflow as u32, Ordering::Relaxed);
        return None;
    }
    let at = m.base + m.used;
    word(at).store(length as u32, Ordering::Relaxed);
    word(at + 4).store(ENTRY as u32, Ordering::Relaxed);
    word(at + 8).store(vector as u32, Ordering::Relaxed);
    word(at + 12).store(u32::from_le_bytes([kind, u8::from(supported), unit, variability]), Ordering::Relaxed);
    word(at + 16).store(data as u32, Ordering::Relaxed);
    // SAFETY: within the entry; fresh memory is zero, so the name ends.
    unsafe { std::ptr::copy_nonoverlapping(name.as_ptr(), (at + ENTRY) as *mut u8, name.len()) };
    m.used += length;
    m.names.push((name.to_string(), at + data));
    let entries = m.names.len() as u32;
    word(m.base + 28).store(entries, Ordering::Release);
    word(m.base + 8).store(m.used as u32, Ordering::Release);
    Some(at + data)
}

/// A counter: the entry of that name, made if need be. Without room, or before [`start`], it
/// counts where nobody looks.
pub fn long(name: &str, unit: Unit, variability: Variability, value: i64) -> Counter {
    raw_long(name, unit as u8, variability as u8, value)
}
/// As [`long`], with the numbers that Java passes.
pub fn raw_long(name: &str, unit: u8, variability: u8, value: i64) -> Counter {
    let supported = name.starts_with("java.") || name.starts_with("com.sun.");
    let counter = match make(name, b'J', 0, 8, unit, variability, supported) {
        // SAFETY: an aligned cell of the mapping, which lives for ever.
        Some(p) => Counter(unsafe { AtomicI64::from_ptr(p as *mut i64) }),
        None => Counter(Box::leak(Box::new(AtomicI64::new(0)))),
    };
    counter.set(value);
    counter
}
/// A text of at most `capacity` bytes, the terminating zero included.
pub fn text(name: &str, variability: Variability, value: &str, capacity: usize) -> Bytes {
    raw_text(name, variability as u8, Unit::String as u8, value.as_bytes(), capacity.max(value.len() + 1))
}
/// As [`text`], with the numbers that Java passes.
pub fn raw_text(name: &str, variability: u8, unit: u8, value: &[u8], capacity: usize) -> Bytes {
    let supported = name.starts_with("java.") || name.starts_with("com.sun.");
    let address = match make(name, b'B', capacity, capacity, unit, variability, supported) {
        Some(p) => p,
        None => Box::leak(vec![0u8; capacity].into_boxed_slice()).as_ptr() as usize,
    };
    let b = Bytes { address, capacity };
    b.set(value);
    b
}

/// Whether counters are kept in memory that tools may read.
pub fn is_on() -> bool {
    MEMORY.lock().expect("perf memory").is_some()
}
/// Address and size of this VM's own memory.
pub fn own() -> Option<(usize, usize)> {
    MEMORY.lock().expect("perf memory").as_ref().map(|m| (m.base, SIZE))
}

/// Maps another process's counters for reading; address and size.
///
/// # Errors
/// What the system says, or why the file cannot be trusted.
pub fn attach(user_name: Option<&str>, pid: i32) -> std::io::Result<(usize, usize)> {
    use std::os::fd::AsRawFd;
    if pid == std::process::id() as i32 || pid == 0 {
        return own().ok_or_else(|| std::io::Error::other("this VM keeps no performance data"));
    }
    let path = match user_name {
        Some(u) => folder_of(u).join(pid.to_string()),
        None => find(pid).ok_or_else(|| std::io::Error::from_raw_os_error(libc::ENOENT))?,
    };
    let file = std::fs::File::open(path)?;
    let size = file.metadata()?.len() as usize;
    if size == 0 {
        return Err(std::io::Error::other("the performance data file is empty"));
    }
    // SAFETY: a fresh mapping of a readable file.
    let p = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if p == libc::MAP_FAILED { Err(std::io::Error::last_os_error()) } else { Ok((p as usize, size)) }
}

/// The file of a process of any user.
fn find(pid: i32) -> Option<PathBuf> {
    let rows = std::fs::read_dir("/tmp").ok()?;
    rows.flatten()
        .filter(|r| r.file_name().to_string_lossy().starts_with("hsperfdata_"))
        .map(|r| r.path().join(pid.to_string()))
        .find(|p| p.is_file())
}

/// Gives a mapping of [`attach`] back.
pub fn detach(address: usize, size: usize) {
    if own().is_some_and(|o| o.0 == address) {
        return;
    }
    // SAFETY: a mapping made by `attach`; Java's Perf class detaches each once.
    unsafe { libc::munmap(address as *mut libc::c_void, size) };
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn entries_have_the_layout_that_tools_read() {
        start(false);
        let c = long("java.test.count", Unit::Events, Variability::Monotonic, 5);
        let t = text("sun.test.text", Variability::Constant, "abc", 4);
        c.set(7);
        let (base, _) = own().expect("started");
        // SAFETY: the mapping lives for ever.
        let bytes = unsafe { std::slice::from_raw_parts(base as *const u8, SIZE) };
        let u4 = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
        assert_eq!(&bytes[..7], [0xca, 0xfe, 0xc0, 0xc0, 1, 2, 0]);
        let mut at = u4(24);
        let mut found = Vec::new();
        for _ in 0..u4(28) {
            let name = CStr::from_bytes_until_nul(&bytes[at + u4(at + 4)..]).expect("a name");
            found.push((name.to_str().expect("ascii"), at + u4(at + 16), bytes[at + 12], bytes[at + 13]));
            at += u4(at);
        }
        assert_eq!(at, u4(8));
        let (_, data, kind, supported) = found.iter().find(|f| f.0 == "java.test.count").expect("the counter");
        assert_eq!((data % 8, *kind, *supported, bytes[*data]), (0, b'J', 1, 7));
        let (_, data, kind, supported) = found.iter().find(|f| f.0 == "sun.test.text").expect("the text");
        assert_eq!((*kind, *supported, &bytes[*data..data + 4]), (b'B', 0, b"abc\0".as_slice()));
        assert_eq!(t.address(), base + data);
        assert_eq!(long("java.test.count", Unit::Events, Variability::Monotonic, 9).address(), c.address());
    }
}
