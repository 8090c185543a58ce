//! The VM itself: version, uptime, command line, libraries, logs.
use super::{Arguments, Reply};
use concord_base::{event_log, log as vm_log, options};
use concord_contract::Thread;
use concord_runtime::threads;

/// Name and version, as the first line of VM.version and of dumps has them.
fn version_line() -> String {
    format!("{} version {}", options::VM_NAME, options::VM_VERSION)
}

pub fn version(_th: &Thread, _a: &Arguments) -> Reply {
    let jdk = concord_runtime::threads::print::jdk_version();
    Ok(format!("{}\nJDK {jdk}\n", version_line()).into_bytes())
}

pub fn contention(_th: &Thread, _a: &Arguments) -> Reply {
    match crate::contention() {
        Some(text) => Ok(text.into_bytes()),
        None => Err("contention is not looked for: it is under -remix and -remix:detect".into()),
    }
}

pub fn uptime(_th: &Thread, a: &Arguments) -> Reply {
    let seconds = vm_log::uptime().as_secs_f64();
    let date = if a.flag("-date") { format!("{}: ", vm_log::local_moment()) } else { String::new() };
    Ok(format!("{date}{seconds:.3} s\n").into_bytes())
}

pub fn command_line(_th: &Thread, _a: &Arguments) -> Reply {
    let o = options::get();
    let p = |name: &str| o.property(name).unwrap_or("");
    let mut s = String::from("VM Arguments:\n");
    if !o.vm_arguments.is_empty() {
        s.push_str("jvm_args: ");
        o.vm_arguments.iter().for_each(|a| {
            s.push_str(a);
            s.push(' ');
        });
        s.push('\n');
    }
    let unknown = |t: &str, or: &str| if t.is_empty() { or.to_string() } else { t.to_string() };
    let rest = format!(
        "java_command: {}\njava_class_path (initial): {}\nLauncher Type: {}\n",
        unknown(p("sun.java.command"), "<unknown>"),
        unknown(p("java.class.path"), "<not set>"),
        unknown(p("sun.java.launcher"), "generic"),
    );
    s.push_str(&rest);
    Ok(s.into_bytes())
}

pub fn libraries(_th: &Thread, _a: &Arguments) -> Reply {
    let maps = std::fs::read("/proc/self/maps").map_err(|e| format!("/proc/self/maps: {e}"))?;
    let mut out = b"Dynamic libraries:\n".to_vec();
    out.extend(maps);
    Ok(out)
}

/// The last events of all kinds, or of one.
pub fn events(_th: &Thread, a: &Arguments) -> Reply {
    let mut out = String::new();
    let most = match a.text("max") {
        None => usize::MAX,
        Some(text) => match text.parse() {
            Ok(n) => n,
            Err(_) => return Ok(format!("Invalid max option: \"{text}\".\n").into_bytes()),
        },
    };
    match a.text("log") {
        Some(name) if !event_log::is_known(name) => {
            out = format!("The name \"{name}\" did not match any known event log. Valid event log names are:\n");
            out.push_str(&event_log::names());
        }
        name => event_log::print(&mut out, name, most).expect("writing to a string"),
    }
    Ok(out.into_bytes())
}

/// Kilobytes of the process in memory and in swap.
fn resident() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let of = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|l| l.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse().ok()
    };
    Some((of("VmRSS:")?, of("VmSwap:").unwrap_or(0)))
}

/// Gives memory of the C library's heap back that is free there.
pub fn trim_native_heap(th: &Thread, _a: &Arguments) -> Reply {
    let before = resident();
    // SAFETY: the C library locks its own heap.
    concord_runtime::blocking(th, || unsafe { libc::malloc_trim(0) });
    let (Some(b), Some(a)) = (before, resident()) else {
        return Ok(b"Trim native heap (no details available)\n".to_vec());
    };
    let (before, after) = (b.0 + b.1, a.0 + a.1);
    let change = after as i64 - before as i64;
    Ok(format!("Trim native heap: RSS+Swap: {before}K->{after}K ({change:+}K)\n").into_bytes())
}

pub fn info(th: &Thread, a: &Arguments) -> Reply {
    let mut out = format!("#\n# JRE version: {}\n# Java VM: {}\n#\n\n", threads::print::jdk_version(), version_line())
        .into_bytes();
    let section = |name: &str, text: Reply| -> Reply {
        let mut t = format!("\n---------------  {name}  ---------------\n\n").into_bytes();
        t.extend(text?);
        Ok(t)
    };
    out.extend(section("S U M M A R Y", command_line(th, a))?);
    out.extend(section("P R O C E S S", super::heap::info(th, a))?);
    out.extend(section("T H R E A D S", super::threads::dump(th, Default::default()))?);
    out.extend(section("S Y S T E M", libraries(th, a))?);
    out.extend(b"\nEND.\n");
    Ok(out)
}

pub fn log(_th: &Thread, a: &Arguments) -> Reply {
    if a.all().next().is_none() {
        return Ok(super::help::syntax("VM.log").into_bytes());
    }
    if a.flag("rotate") {
        vm_log::rotate();
        return Ok(Vec::new());
    }
    if a.flag("list") {
        return Ok(vm_log::describe().into_bytes());
    }
    if a.flag("disable") {
        return vm_log::configure("disable").map(|()| Vec::new()).map_err(super::Failure::from);
    }
    let (output, what) = (a.text("output").unwrap_or(""), a.text("what").unwrap_or(""));
    if output.is_empty() && what.is_empty() && a.text("decorators").is_none() {
        return Ok(b"No log operation was requested\n".to_vec());
    }
    let text = match a.text("decorators") {
        Some(d) => format!("{what}:{output}:{d}"),
        None => format!("{what}:{output}"),
    };
    vm_log::configure(&text).map_err(super::Failure::from)?;
    concord_runtime::exceptions::tell_log();
    Ok(Vec::new())
}
