//! Panics of the VM's own code are internal errors.
//!
//! Invariant: no panic unwinds. A hook reports it and ends the process before the first frame is left,
//! whether the profile lets panics unwind or not.
use concord_base::bug;
use std::panic::PanicHookInfo;

/// Makes panics end the process with a report.
pub fn install() {
    std::panic::set_hook(Box::new(report));
}

fn report(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    let (file, line) = info.location().map_or(("unknown", 0), |l| (l.file(), l.line()));
    bug::die(format_args!("{message}"), file, line)
}

#[cfg(test)]
mod tests {
    const CHILD: &str = "CONCORD_TEST_OF_PANICS";

    /// Runs itself in another process, which panics.
    #[test]
    fn a_panic_is_reported_and_ends_the_process() {
        if std::env::var_os(CHILD).is_some() {
            crate::crash::install();
            std::thread::spawn(|| panic!("no number")).join().expect_err("the process has ended");
            return;
        }
        let place = std::env::temp_dir().join(format!("concord-panic-{}", std::process::id()));
        std::fs::create_dir_all(&place).unwrap();
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::panics::tests::a_panic_is_reported_and_ends_the_process", "--nocapture"])
            .env(CHILD, "1")
            .current_dir(&place)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&child.stdout).into_owned();
        assert!(!child.status.success(), "{printed}");
        assert!(printed.contains("#  Internal Error (panics.rs:"), "{printed}");
        let report = std::fs::read_dir(&place).unwrap().map(|e| e.unwrap().path()).next().expect("a report");
        let report_text = std::fs::read_to_string(report).unwrap();
        assert!(report_text.contains("#  Error: no number"), "{report_text}");
        assert!(report_text.ends_with("\nEND.\n"), "{report_text}");
        std::fs::remove_dir_all(place).unwrap();
    }
}
