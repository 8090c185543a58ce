//! `-XX:+PrintCompilation`, in HotSpot's columns.
use concord_base::{options, vm_log};
use concord_contract::MethodRef;
use concord_contract::code_table::Installed;
use concord_contract::method::acc;
use std::sync::Mutex;

fn on() -> bool {
    options::get().flags.print_compilation
}

/// `-XX:+DumpPerfMapAtExit`: appends a piece of code to the file in which Linux perf looks for
/// names. It is written at once, not at exit: a process may end in other ways.
pub fn perf_map(code: &Installed) {
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
    let m = code.method;
    let osr = code.osr_bci.map_or(String::new(), |b| format!(" @ {b}"));
    let class = m.class.name.as_str().replace('/', ".");
    let text = format!("{:x} {:x} {class}::{}{osr}\n", code.start, code.end - code.start, m.name.as_str());
    if let Some(Err(e)) = file.as_mut().map(|f| f.write_all(text.as_bytes())) {
        vm_log!(Jit, Warning, "perf map: {e}");
    }
}

/// The line of a compilation.
fn line(m: MethodRef, osr: Option<u16>, id: u32, tail: &str) -> String {
    let mark = |yes: bool, c: char| if yes { c } else { ' ' };
    let blocking = !options::get().flags.background_compilation;
    let bytes = m.bytecode.len();
    format!(
        "{:7} {id:4} {}{}{}{}{} {}       {}::{}{} ({bytes} bytes){tail}",
        concord_base::log::uptime().as_millis(),
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
    if on() {
        println!("{}", line(m, osr, id, ""));
    }
}
pub fn failed(m: MethodRef, osr: Option<u16>, id: u32, why: &str) {
    if on() {
        println!("{}", line(m, osr, id, &format!("   COMPILE SKIPPED: {why}")));
    }
}
pub fn not_entrant(code: &Installed) {
    if on() {
        println!("{}", line(code.method, code.osr_bci, code.id, "   made not entrant"));
    }
}
