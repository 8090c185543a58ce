//! The attach protocol: a socket in /tmp, opened when a tool asks for it.
//!
//! Invariant: there is at most one listener; it serves one request at a time and answers only
//! processes of the VM's own user (or root). The socket's file exists exactly while the listener
//! does, so a tool that finds none asks for one: it makes `.attach_pid<pid>` and sends SIGQUIT. If
//! something else has removed the file, that signal makes another listener.
//!
//! ```text
//!  request: "1\0" command "\0" argument "\0" argument "\0" argument "\0"
//!  reply:   number "\n" text
//! ```
use crate::commands::{self, Reply};
use concord_base::{options, vm_log};
use concord_contract::Thread;
use concord_runtime::threads::print::Extent;
use concord_runtime::threads::{self, AttachArgs};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

const BAD_VERSION: i32 = 101;
const FAILED: i32 = -1;
/// Longest command and argument: as long as the tools' own buffers.
const LONGEST: usize = 16 + 3 * 1024 + 4;

static LISTENING: AtomicBool = AtomicBool::new(false);
/// The listener's socket; -1 for none.
static ACCEPTING: AtomicI32 = AtomicI32::new(-1);
static SOCKET: Mutex<Option<PathBuf>> = Mutex::new(None);

fn socket_path() -> PathBuf {
    PathBuf::from(format!("/tmp/.java_pid{}", std::process::id()))
}

/// A socket of an earlier process with this number is in the way.
pub fn remove_stale_socket() {
    // Usually there is none.
    let _absent = std::fs::remove_file(socket_path());
}

/// Removes the socket; at the end of the VM.
pub fn end() {
    if let Some(path) = SOCKET.lock().expect("attach socket").take() {
        // Nothing is left to be told.
        let _removed = std::fs::remove_file(path);
    }
}

/// Whether a tool has left the file that asks for a listener.
fn is_asked_for() -> bool {
    let name = format!(".attach_pid{}", std::process::id());
    // SAFETY: a query.
    let me = unsafe { libc::geteuid() };
    let ours = |p: PathBuf| std::fs::metadata(p).is_ok_and(|m| m.uid() == me || m.uid() == 0);
    ours(PathBuf::from(&name)) || ours(PathBuf::from("/tmp").join(&name))
}

/// What SIGQUIT does, on the Signal Dispatcher thread: serve a tool that waits, or dump threads.
pub fn on_quit(th: &Thread) {
    if !options::get().flags.disable_attach_mechanism {
        if LISTENING.load(Ordering::Acquire) {
            // Somebody cleans up /tmp: the tool that asks gets another socket.
            if !socket_path().exists() {
                let old = ACCEPTING.swap(-1, Ordering::AcqRel);
                // SAFETY: a system call; the listener's thread wakes up and closes what is its own.
                unsafe { libc::shutdown(old, libc::SHUT_RDWR) };
                LISTENING.store(false, Ordering::Release);
                listen();
                return;
            }
        } else if is_asked_for() {
            listen();
            return;
        }
    }
    dump(th);
    if let Some(a) = crate::agents() {
        (a.data_dump)(th);
    }
}

/// Threads and heap, and a histogram if that is asked for.
fn dump(th: &Thread) {
    threads::print::dump_all(th, true);
    if options::get().flags.print_class_histogram {
        let text = crate::histogram::text(th, true);
        concord_base::out!("{text}");
    }
}

/// Opens the socket and starts the listener, unless there is one.
pub fn listen() {
    if LISTENING.swap(true, Ordering::AcqRel) {
        return;
    }
    let listener = match open() {
        Ok(l) => l,
        Err(e) => {
            vm_log!(OsThread, Warning, "no attach socket: {e}");
            LISTENING.store(false, Ordering::Release);
            return;
        }
    };
    ACCEPTING.store(listener.as_raw_fd(), Ordering::Release);
    let body = move || {
        let args = AttachArgs { name: Some("Attach Listener".into()), group: std::ptr::null_mut(), daemon: true };
        match threads::attach_system(args) {
            Ok(th) => {
                threads::announce(th);
                concord_safepoint::to_native(th);
                serve(th, &listener);
                concord_safepoint::to_vm(th);
                threads::detach_current(th);
            }
            Err(e) => vm_log!(OsThread, Warning, "no attach listener: {e}"),
        }
    };
    if let Err(e) = std::thread::Builder::new().name("Attach Listener".into()).stack_size(1 << 20).spawn(body) {
        vm_log!(OsThread, Warning, "no thread for the attach listener: {e}");
        end();
        LISTENING.store(false, Ordering::Release);
    }
}

/// The socket, made under another name so that nobody connects before its mode is set.
fn open() -> std::io::Result<UnixListener> {
    let path = socket_path();
    let draft = path.with_extension("tmp");
    if let Err(e) = std::fs::remove_file(&draft)
        && e.kind() != std::io::ErrorKind::NotFound
    {
        return Err(e);
    }
    let l = UnixListener::bind(&draft)?;
    std::fs::set_permissions(&draft, std::fs::Permissions::from_mode(0o600))?;
    std::fs::rename(&draft, &path)?;
    *SOCKET.lock().expect("attach socket") = Some(path);
    Ok(l)
}

fn serve(th: &Thread, listener: &UnixListener) {
    loop {
        let stream = match listener.accept() {
            Ok((s, _)) => s,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            // Another one has taken its place.
            Err(_) if ACCEPTING.load(Ordering::Acquire) != listener.as_raw_fd() => return,
            Err(e) => {
                vm_log!(OsThread, Warning, "the attach socket failed: {e}");
                end();
                LISTENING.store(false, Ordering::Release);
                return;
            }
        };
        if !is_trusted(&stream) {
            continue;
        }
        if let Err(e) = answer(th, stream) {
            // The tool went away; there will be others.
            vm_log!(OsThread, Info, "an attach request ended early: {e}");
        }
    }
}

/// Whether the other end is a process of our user or root.
fn is_trusted(stream: &UnixStream) -> bool {
    // SAFETY: the kernel fills the record of the size given; queries.
    unsafe {
        let mut peer: libc::ucred = std::mem::zeroed();
        let mut size = size_of::<libc::ucred>() as libc::socklen_t;
        let ok = libc::getsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &mut size,
        ) == 0;
        ok && (peer.uid == 0 || (peer.uid == libc::geteuid() && peer.gid == libc::getegid()))
    }
}

fn answer(th: &Thread, mut stream: UnixStream) -> std::io::Result<()> {
    let (code, text) = match request(&mut stream)? {
        Request::Bad(code) => (code, Vec::new()),
        Request::Do(words) => {
            concord_safepoint::to_vm(th);
            let reply = execute(th, &words);
            concord_safepoint::to_native(th);
            reply
        }
    };
    stream.write_all(format!("{code}\n").as_bytes())?;
    stream.write_all(&text)?;
    stream.flush()?;
    stream.shutdown(std::net::Shutdown::Both)
}

enum Request {
    /// Command and three arguments.
    Do(Vec<String>),
    Bad(i32),
}

/// Reads version, command and arguments.
fn request(stream: &mut impl Read) -> std::io::Result<Request> {
    let mut bytes = Vec::new();
    let mut one = [0u8; 512];
    loop {
        let n = stream.read(&mut one)?;
        bytes.extend_from_slice(&one[..n]);
        let version = bytes.iter().position(|b| *b == 0);
        if let Some(end) = version
            && &bytes[..end] != b"1"
        {
            return Ok(Request::Bad(BAD_VERSION));
        }
        if bytes.iter().filter(|b| **b == 0).count() >= 5 {
            break;
        }
        if n == 0 || bytes.len() > LONGEST {
            return Err(std::io::Error::other("incomplete request"));
        }
    }
    let words = bytes.split(|b| *b == 0).skip(1).take(4);
    Ok(Request::Do(words.map(|w| String::from_utf8_lossy(w).into_owned()).collect()))
}

fn execute(th: &Thread, words: &[String]) -> (i32, Vec<u8>) {
    let [name, a, b, c] = words else { return (FAILED, Vec::new()) };
    vm_log!(OsThread, Info, "attach: {name} {a} {b} {c}");
    let reply: Reply = match name.as_str() {
        "jcmd" => commands::execute(th, a, commands::Source::Attach),
        "threaddump" => {
            let has = |option: char| [a, b].iter().any(|w| w.starts_with('-') && w.contains(option));
            commands::threads::dump(th, Extent { locks: has('l'), figures: has('e') })
        }
        "inspectheap" => commands::heap::inspect(th, a, b),
        "dumpheap" => commands::heap::dump_for_attach(th, a, b, c),
        "properties" => commands::properties::system(th),
        "agentProperties" => commands::properties::agent(th),
        "printflag" => commands::flags::print(a),
        "setflag" => commands::flags::set(a, b),
        "datadump" => {
            dump(th);
            if let Some(agents) = crate::agents() {
                (agents.data_dump)(th);
            }
            Ok(Vec::new())
        }
        "load" => commands::agents::load(th, a, b == "true", c),
        _ => Err(format!("Operation {name} not recognized!").into()),
    };
    match reply {
        Ok(text) => (0, text),
        Err(e) => (e.code, e.text.into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn read(bytes: &[u8]) -> Result<Request, std::io::Error> {
        request(&mut std::io::Cursor::new(bytes))
    }
    #[test]
    fn requests_are_read_whole_or_refused() {
        match read(b"1\0jcmd\0VM.version\0\0\0") {
            Ok(Request::Do(w)) => assert_eq!(w, ["jcmd", "VM.version", "", ""]),
            _ => panic!("a good request"),
        }
        assert!(matches!(read(b"2\0jcmd\0\0\0\0"), Ok(Request::Bad(BAD_VERSION))));
        assert!(read(b"1\0jcmd\0a\0").is_err());
        assert!(read(b"").is_err());
        assert!(read(&[b'1'; 100_000]).is_err());
    }

    /// A stream that gives its bytes in pieces of random sizes.
    struct Pieces<'a, R: FnMut(usize) -> usize>(&'a [u8], R);
    impl<R: FnMut(usize) -> usize> Read for Pieces<'_, R> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let n = (1 + (self.1)(40)).min(self.0.len()).min(into.len());
            into[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    /// Random requests: the verdict follows from the bytes alone, however they arrive, and no
    /// request is read for ever.
    #[test]
    fn requests_are_the_same_in_any_pieces() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 20) as usize % below
        };
        let (mut done, mut refused, mut ended) = (0, 0, 0);
        for _ in 0..5_000 {
            let mut bytes = if random(8) == 0 { Vec::new() } else { b"1\0".to_vec() };
            for _ in 0..3 + random(3) {
                let length = if random(50) == 0 { random(4000) } else { random(20) };
                bytes.extend((0..length).map(|_| random(256) as u8).filter(|b| *b != 0));
                bytes.push(0);
            }
            let words: Vec<String> =
                bytes.split(|b| *b == 0).skip(1).take(4).map(|w| String::from_utf8_lossy(w).into_owned()).collect();
            let version = bytes.split(|b| *b == 0).next() == Some(b"1");
            let complete = bytes.iter().filter(|b| **b == 0).count() >= 5;
            let mut sizes = seed_of(&bytes);
            match request(&mut Pieces(&bytes, |n| {
                sizes = sizes.wrapping_mul(6364136223846793005).wrapping_add(1);
                (sizes >> 33) as usize % n
            })) {
                Ok(Request::Do(w)) => {
                    done += 1;
                    assert!(version && complete, "{bytes:x?}");
                    assert_eq!(w, words);
                }
                Ok(Request::Bad(code)) => {
                    refused += 1;
                    assert!(!version && code == BAD_VERSION, "{bytes:x?}");
                }
                Err(_) => {
                    ended += 1;
                    assert!(!complete || bytes.len() > LONGEST, "{bytes:x?}");
                }
            }
        }
        assert!(done > 1000 && refused > 200 && ended > 200, "{done} done, {refused} refused, {ended} ended");
    }

    fn seed_of(bytes: &[u8]) -> u64 {
        bytes.iter().fold(7, |h: u64, b| h.wrapping_mul(31).wrapping_add(u64::from(*b)))
    }
}
