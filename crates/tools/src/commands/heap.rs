//! The heap: histogram, dump, figures, collections.
use super::{Arguments, Reply, checked};
use crate::{histogram, hprof};
use concord_contract::Thread;
use concord_runtime::call;
use std::path::Path;

pub fn histogram(th: &Thread, a: &Arguments) -> Reply {
    Ok(histogram::text(th, !a.flag("-all")).into_bytes())
}

/// The attach protocol's `inspectheap`: `-live` or `-all`, and a file or nothing.
pub fn inspect(th: &Thread, which: &str, file: &str) -> Reply {
    let live = match which {
        "" | "-live" => true,
        "-all" => false,
        other => return Err(format!("Invalid argument to inspectheap operation: {other}\n").into()),
    };
    let text = histogram::text(th, live);
    if file.is_empty() {
        return Ok(text.into_bytes());
    }
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)
        .and_then(|mut f| std::io::Write::write_all(&mut f, text.as_bytes()));
    match written {
        Ok(()) => Ok(format!("Heap inspection file created: {file}\n").into_bytes()),
        Err(_) => Err(format!("Failed to allocate space for file: {file}\n").into()),
    }
}

/// The lines that a dump prints, whether or not it worked.
fn dump_to(th: &Thread, file: &str, live: bool, overwrite: bool, gzip: Option<u32>) -> Reply {
    let mut out = format!("Dumping heap to {file} ...\n");
    match hprof::dump(th, Path::new(file), hprof::Request { live, overwrite, gzip }) {
        Ok(done) => out.push_str(&format!(
            "Heap dump file created [{} bytes in {:.3} secs]\n",
            done.bytes,
            done.time.as_secs_f64()
        )),
        Err(e) => out.push_str(&format!("{e}\n")),
    }
    Ok(out.into_bytes())
}

pub fn dump(th: &Thread, a: &Arguments) -> Reply {
    let gzip = match a.int("-gz").filter(|_| a.is_given("-gz")) {
        None => None,
        Some(n @ 1..=9) => Some(n as u32),
        Some(n) => return Ok(format!("Compression level out of range (1-9): {n}\n").into_bytes()),
    };
    dump_to(th, a.text("filename").unwrap_or(""), !a.flag("-all"), a.flag("-overwrite"), gzip)
}

/// The attach protocol's `dumpheap`: file, `-live` or `-all`, compression level or nothing.
pub fn dump_for_attach(th: &Thread, file: &str, which: &str, level: &str) -> Reply {
    if file.is_empty() {
        return Err("No dump file specified\n".into());
    }
    let live = match which {
        "" | "-live" => true,
        "-all" => false,
        other => return Err(format!("Invalid argument to dumpheap operation: {other}\n").into()),
    };
    let gzip = match level.parse::<u32>() {
        Ok(n @ 1..=9) => Some(n),
        Err(_) if level.is_empty() => None,
        _ => return Err(format!("Invalid compress level: {level}\n").into()),
    };
    dump_to(th, file, live, false, gzip)
}

pub fn info(_th: &Thread, _a: &Arguments) -> Reply {
    Ok(concord_runtime::threads::print::heap_text().into_bytes())
}

pub fn run(th: &Thread, _a: &Arguments) -> Reply {
    if concord_base::options::get().flags.disable_explicit_gc {
        return Ok(b"Explicit GC is disabled, no GC has been performed.\n".to_vec());
    }
    concord_heap::system_gc(th);
    Ok(b"Command executed successfully\n".to_vec())
}

pub fn run_finalization(th: &Thread, _a: &Arguments) -> Reply {
    let r = call::call_static(th, "java/lang/System", "runFinalization", "()V", &[]);
    checked(th, r)?;
    Ok(b"Command executed successfully\n".to_vec())
}

/// Classes and numbers of objects that wait for their finalizers.
pub fn finalizer_info(th: &Thread, _a: &Arguments) -> Reply {
    let class = "java/lang/ref/FinalizerHistogram";
    let r = call::call_static(th, class, "getFinalizerHistogram", "()[Ljava/lang/ref/FinalizerHistogram$Entry;", &[]);
    let address = checked(th, r)?;
    // SAFETY: the descriptor promises an array, and no safepoint lies between.
    let array = unsafe { concord_contract::Obj::from_addr(address as usize) };
    if array.array_len() == 0 {
        return Ok(b"No instances waiting for finalization found\n".to_vec());
    }
    let mut out = String::from(
        "Unreachable instances waiting for finalization\n#instances  class name\n-----------------------\n",
    );
    for i in 0..array.array_len() {
        let e = array.array_ref(i);
        let field = |name: &str, d: &str| {
            use concord_runtime::info::ClassExt;
            e.class().find_field(name.into(), d.into()).map(|f| f.offset() as usize)
        };
        if let (Some(n), Some(c)) = (field("instanceCount", "I"), field("className", "Ljava/lang/String;")) {
            out.push_str(&format!("{:>10}  {}\n", e.get_i32(n), concord_runtime::strings::to_string(e.get_ref(c))));
        }
    }
    Ok(out.into_bytes())
}
