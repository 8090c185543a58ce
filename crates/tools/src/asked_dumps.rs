//! Heap dumps that options ask for: at the first OutOfMemoryError, before and after collections of
//! the full heap.
//!
//! Invariant: no two of them have the same file: the second and later ones are numbered.
use crate::hprof;
use concord_base::options;
use concord_contract::Thread;
use concord_safepoint::Stopped;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static MADE: AtomicU32 = AtomicU32::new(0);

/// HeapDumpPath names a file or a folder; %p is the process's number.
fn path(number: u32) -> PathBuf {
    let f = &options::get().flags;
    let id = std::process::id().to_string();
    let name = format!("java_pid{id}.hprof{}", if f.heap_dump_gzip_level > 0 { ".gz" } else { "" });
    let path = match f.heap_dump_path.as_deref() {
        None | Some("") => PathBuf::from(name),
        Some(p) => {
            let path = PathBuf::from(p.replace("%p", &id));
            if path.is_dir() { path.join(name) } else { path }
        }
    };
    if number == 0 {
        return path;
    }
    let mut numbered = path.into_os_string();
    numbered.push(format!(".{number}"));
    PathBuf::from(numbered)
}

/// Says what is done, and its outcome.
fn told(dump: impl FnOnce(&Path, hprof::Request) -> Result<hprof::Done, String>) {
    let path = path(MADE.fetch_add(1, Ordering::Relaxed));
    concord_base::outln!("Dumping heap to {} ...", path.display());
    let level = u32::try_from(options::get().flags.heap_dump_gzip_level).unwrap_or(0);
    let request = hprof::Request { live: false, overwrite: false, gzip: (level > 0).then_some(level) };
    match dump(&path, request) {
        Ok(done) => {
            concord_base::outln!(
                "Heap dump file created [{} bytes in {:.3} secs]",
                done.bytes,
                done.time.as_secs_f64()
            );
        }
        Err(e) => concord_base::outln!("{e}"),
    }
}

/// Dumps as HeapDumpPath and HeapDumpGzipLevel say.
pub fn dump(th: &Thread) {
    told(|path, request| hprof::dump(th, path, request));
}

/// At the stop of a collection of the full heap: before anything is traced, or when all is done.
pub fn at_full_collection(stopped: &Stopped, over: bool) {
    let f = &options::get().flags;
    if if over { f.heap_dump_after_full_gc } else { f.heap_dump_before_full_gc } {
        told(|path, request| hprof::dump_at_stop(stopped, path, request));
    }
}
