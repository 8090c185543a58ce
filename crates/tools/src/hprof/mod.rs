//! Heap dumps in the HPROF binary format 1.0.2, as jmap, jcmd, the HotSpotDiagnostic bean and
//! -XX:+HeapDumpOnOutOfMemoryError write them.
//!
//! Invariant: the dump is of one stop. An identifier is an object's address (8 bytes), a class's is
//! its java.lang.Class's; the file appears under its name only as a new file, unless the request
//! says to overwrite.
//!
//! | module | what |
//! |---|---|
//! | `stream` | file, gzip, big-endian numbers, segments |
//! | `records` | classes, objects, roots, stacks |
//!
//! A file: header, STRINGs, LOAD_CLASSes, FRAMEs and TRACEs, HEAP_DUMP_SEGMENTs, HEAP_DUMP_END.
//! Arrays are written whole; a record's 32-bit length is never exceeded because a Java heap of 24
//! GB has no array of more bytes than 2^31 elements of 8, which are cut at 2^32 bytes.
mod gzip;
mod records;
mod stream;

use concord_contract::Thread;
use concord_safepoint::Stopped;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Only objects that survive a collection.
    pub live: bool,
    pub overwrite: bool,
    /// Compression level 1 to 9.
    pub gzip: Option<u32>,
}

/// What was written.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    pub bytes: u64,
    pub time: Duration,
}

/// Writes a dump.
///
/// # Errors
/// A line for the user; an unfinished file is removed.
pub fn dump(th: &Thread, path: &Path, request: Request) -> Result<Done, String> {
    if request.live {
        concord_heap::system_gc(th);
    }
    let file = concord_runtime::blocking(th, || stream::create(path, request.overwrite));
    // Names are asked for while Java may still run: only the walk needs the stop.
    fill(file, path, request, |out| {
        concord_safepoint::stop_the_world("HeapDumper", |stopped| records::write(out, stopped))
    })
}

/// The same at a stop; `live` is not heeded.
///
/// # Errors
/// As [`dump`].
pub fn dump_at_stop(stopped: &Stopped, path: &Path, request: Request) -> Result<Done, String> {
    fill(stream::create(path, request.overwrite), path, request, |out| records::write(out, stopped))
}

fn fill(
    file: std::io::Result<std::fs::File>,
    path: &Path,
    request: Request,
    write: impl FnOnce(&mut stream::Stream) -> std::io::Result<()>,
) -> Result<Done, String> {
    let begun = Instant::now();
    let file = file.map_err(|e| format!("Unable to create {}: {}", path.display(), reason(&e)))?;
    let sink = match request.gzip {
        Some(level) => stream::Sink::Gzip(gzip::Gzip::new(file, level)?),
        None => stream::Sink::Plain(file),
    };
    let mut out = stream::Stream::new(sink);
    let written = write(&mut out);
    match written.and_then(|()| out.finish()) {
        Ok(bytes) => Ok(Done { bytes, time: begun.elapsed() }),
        Err(e) => {
            // A part of a dump is of no use; that it cannot be removed changes nothing.
            let _removed = std::fs::remove_file(path);
            Err(format!("Dump file is incomplete: {}", reason(&e)))
        }
    }
}

/// The system's sentence without the number.
fn reason(e: &std::io::Error) -> String {
    let text = e.to_string();
    match text.find(" (os error") {
        Some(i) => text[..i].to_string(),
        None => text,
    }
}
