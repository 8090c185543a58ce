//! `-XX:+PrintCompilation`, in HotSpot's columns.
use crate::table;
use concord_base::event_log;
use concord_base::{options, vm_log};
use concord_contract::MethodRef;
use concord_contract::code_table::Installed;
use concord_contract::method::acc;
use std::sync::Mutex;

fn on() -> bool {
    options::get().flags.print_compilation
}

/// The name under which tools see a piece of code.
pub fn name(code: &Installed) -> String {
    let m = code.method;
    let osr = code.osr_bci.map_or(String::new(), |b| format!(" @ {b}"));
    format!("{}::{}{osr}", m.class.name.as_str().replace('/', "."), m.name.as_str())
}

/// `-XX:+DumpPerfMapAtExit`: appends a piece of code to the file in which Linux perf looks for
/// names. It is written at once, not at exit: a process may end in other ways.
pub fn perf_map(code: &Installed) {
    perf_map_entry(code.start, code.end - code.start, || name(code));
}

/// As [`perf_map`] for `bytes` of code at `start`.
pub fn perf_map_entry(start: usize, bytes: usize, name: impl FnOnce() -> String) {
    use std::io::Write;
    static FILE: Mutex<Option<std::fs::File>> = Mutex::new(None);
    if !options::get().flags.dump_perf_map_at_exit {
        return;
    }
    let mut file = FILE.lock().expect("perf map");
    if file.is_none() {
        let path = format!("/tmp/perf-{}.map", std::process::id());
        match std::fs::File::create(&path) {
            Ok(f) => *file = Some(f),
            Err(e) => return vm_log!(Jit, Warning, "{path}: {e}"),
        }
    }
    let text = format!("{start:x} {bytes:x} {}\n", name());
    if let Some(Err(e)) = file.as_mut().map(|f| f.write_all(text.as_bytes())) {
        vm_log!(Jit, Warning, "perf map: {e}");
    }
}

/// `jcmd PID Compiler.perfmap`: writes the names of all code there is now.
///
/// # Errors
/// What the system says about the file.
pub fn write_perf_map() -> Result<(), String> {
    // Under the flag the file is complete at any time.
    if options::get().flags.dump_perf_map_at_exit {
        return Ok(());
    }
    let mut text = String::new();
    table::methods(|c| text.push_str(&format!("{:x} {:x} {}\n", c.start, c.end - c.start, name(c))));
    table::stubs(|s| text.push_str(&format!("{:x} {:x} {}\n", s.start, s.bytes, s.name)));
    let path = format!("/tmp/perf-{}.map", std::process::id());
    std::fs::write(&path, text).map_err(|e| format!("{path}: {e}"))
}

/// A compilation in a list.
pub fn task(m: MethodRef, osr: Option<u16>, id: u32) -> String {
    format!("{}\n", body(m, osr, id))
}

/// The line of a compilation.
fn line(m: MethodRef, osr: Option<u16>, id: u32, tail: &str) -> String {
    format!("{:7} {}{tail}", concord_base::log::uptime().as_millis(), body(m, osr, id))
}
fn body(m: MethodRef, osr: Option<u16>, id: u32) -> String {
    let mark = |yes: bool, c: char| if yes { c } else { ' ' };
    let blocking = !crate::commands::in_background(m);
    let bytes = m.bytecode.len();
    format!(
        "{id:4} {}{}{}{}{} {}       {}::{}{} ({bytes} bytes)",
        mark(osr.is_some(), '%'),
        mark(m.has(acc::SYNCHRONIZED), 's'),
        mark(!m.exceptions.is_empty(), '!'),
        mark(blocking, 'b'),
        mark(m.is_native(), 'n'),
        crate::tiers::level(m) as u8,
        m.class.name.as_str().replace('/', "."),
        m.name.as_str(),
        osr.map_or(String::new(), |bci| format!(" @ {bci}")),
    )
}

pub fn begin(m: MethodRef, osr: Option<u16>, id: u32) {
    event_log::note(event_log::Kind::Compilation, 0, body(m, osr, id));
    if on() {
        concord_base::outln!("{}", line(m, osr, id, ""));
    }
}
/// What `-XX:CompileCommand=print` asks for, under HotSpot's headings.
pub fn listing(code: &Installed, text: &str) {
    let (c1, assembly) = (" C1-compiled nmethod ", " Assembly ");
    let compiled = line(code.method, code.osr_bci, code.id, "");
    concord_base::outln!("\n{c1:=^80}\n{assembly:-^80}\n\nCompiled method (c1) {compiled}");
    concord_base::outln!(
        " main code      [{:#018x},{:#018x}] = {}\n\n{text}",
        code.start,
        code.end,
        code.end - code.start
    );
    concord_base::outln!("{:-^80}\n{:=^80}", "", "");
}
/// A method that the user wants interpreted.
pub fn excluded(m: MethodRef) {
    if on() && !concord_base::compile_commands::quiet() {
        let (mark, class) = (if m.is_static() { " static" } else { "" }, m.class.name.as_str().replace('/', "."));
        let name = format!("{class}::{}", m.name.as_str());
        concord_base::outln!("### Excluding compile:{mark} {name}");
        concord_base::outln!(
            "made not compilable on level 1  {name} ({} bytes)   excluded by CompileCommand",
            m.bytecode.len()
        );
    }
}
pub fn failed(m: MethodRef, osr: Option<u16>, id: u32, why: &str) {
    if on() {
        concord_base::outln!("{}", line(m, osr, id, &format!("   COMPILE SKIPPED: {why}")));
    }
}
pub fn not_entrant(code: &Installed) {
    if on() {
        concord_base::outln!("{}", line(code.method, code.osr_bci, code.id, "   made not entrant"));
    }
}
