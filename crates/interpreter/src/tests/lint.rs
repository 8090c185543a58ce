//! The machine code of the handlers keeps the rules that make sibling calls and speed.
use std::process::Command;

/// Functions in the handlers' section, with their instructions.
fn handlers() -> Vec<Vec<String>> {
    let exe = std::env::current_exe().unwrap();
    let out = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn", "-j", "interp_text"])
        .arg(exe)
        .output()
        .expect("objdump is needed for this test");
    assert!(out.status.success());
    let mut all: Vec<Vec<String>> = vec![];
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        if line.ends_with(">:") {
            all.push(vec![]);
        } else if let (Some(f), Some((_, i))) = (all.last_mut(), line.split_once('\t')) {
            f.push(i.trim().to_string());
        }
    }
    all
}

#[test]
fn handlers_are_leaves_without_frames() {
    let all = handlers();
    assert!(all.len() > 700, "only {} handlers found", all.len());
    let mut saved = 0;
    for f in &all {
        for i in f {
            assert!(!i.starts_with("call"), "{i} in:\n{}", f.join("\n"));
            let frame = i.starts_with("sub") && i.ends_with("%rsp");
            assert!(!frame, "{i} in:\n{}", f.join("\n"));
        }
        saved += f.iter().any(|i| i.starts_with("push")) as usize;
        assert!(f.iter().any(|i| i.starts_with("jmp") || i.starts_with("ret")), "{}", f.join("\n"));
    }
    // Three registers are free; handlers that need a fourth save one. More than a quarter of them
    // would mean that something heavy has crept into the common path.
    assert!(saved * 4 < all.len(), "{saved} of {} handlers save registers", all.len());
}
