//! Kernels as machine code, without a VM around them: same results as HotSpot's.
#[path = "support/world.rs"]
mod world;

use concord_contract::compiled::{Bailout, CompileRequest, Compiler};
use concord_jit::{QuickTier, Stages};
use std::process::Command;

fn run(program: &str, args: &[&str]) -> String {
    let out = Command::new(program).args(args).output().expect(program);
    assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn kernels_give_hotspots_results() {
    let dir = std::env::temp_dir().join(format!("concord-jit-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let dir_text = dir.to_str().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Kernels.java");
    run("javac", &["-XDstringConcat=inline", "-d", dir_text, source]);
    let expected = run("java", &["-cp", dir_text, "Kernels"]);
    let bytes = std::fs::read(dir.join("Kernels.class")).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let w: &'static world::World = Box::leak(Box::new(world::World::new(bytes)));
    let tier = QuickTier::new(w).unwrap();
    for m in w.methods.iter().filter(|m| !matches!(m.name.as_bytes(), b"main" | b"<init>")) {
        let request = CompileRequest::plain(m, 0);
        let code = if std::env::var_os("CONCORD_JIT_SHOW").is_some_and(|s| s.as_encoded_bytes() == m.name.as_bytes()) {
            let mut stages = Stages::default();
            let code = tier.translate(&request, Some(&mut stages));
            stages.ir.iter().for_each(|(p, t)| println!("== {p}\n{t}"));
            println!("{}\n{}", stages.machine.form, stages.machine.listing);
            code
        } else {
            tier.compile(&request)
        };
        let code = code.unwrap_or_else(|e| match e {
            Bailout::Unsupported(t) | Bailout::Later(t) => panic!("{m:?}: {t}"),
        });
        assert!(!code.calls.is_empty() || code.states.is_empty(), "{m:?} has states and no calls");
        world::install(m, &code);
    }
    what_is_decided_is_not_asked(&tier, w.method("predicates"));
    releases_are_not_locked(&tier, w.method("locked"));
    let th = world::thread();
    let mut checked = 0;
    for line in expected.lines() {
        let (name, value) = line.split_once(' ').unwrap();
        assert_eq!(world::call(th, w.method(name)), value.parse::<i64>().unwrap(), "{name}");
        checked += 1;
    }
    assert!(checked >= 14, "only {checked} kernels ran");
    assert_eq!(w.class.name.as_bytes(), b"Kernels");
}

/// Inlined predicates leave no boolean that is tested again, and an element is checked once for four
/// accesses.
fn what_is_decided_is_not_asked(tier: &QuickTier, m: concord_contract::MethodRef) {
    let mut stages = Stages::default();
    let request = CompileRequest::plain(m, 0);
    tier.translate(&request, Some(&mut stages)).unwrap();
    let count = |stage: &str, what: &str| {
        let text = &stages.ir.iter().find(|s| s.0 == stage).unwrap().1;
        text.lines().filter(|l| l.trim_start().starts_with(what)).count()
    };
    // Five comparisons of x; before, one test of each predicate's value as well.
    assert_eq!((count("frontend", "if "), count("repeat", "if ")), (8, 5));
    assert!(count("frontend", "bounds_check") > 1);
    assert_eq!(count("repeat", "bounds_check"), 1);
    assert_eq!(count("repeat", "null_check"), 1);
}

/// Three monitors that nobody else is interested in are entered with one locked instruction each, and
/// left without any: what asks for more lies behind the return, with the cold code.
fn releases_are_not_locked(tier: &QuickTier, m: concord_contract::MethodRef) {
    let mut stages = Stages::default();
    let request = CompileRequest::plain(m, 0);
    tier.translate(&request, Some(&mut stages)).unwrap();
    let locked: Vec<&str> = stages
        .machine
        .form
        .lines()
        .map(str::trim)
        .take_while(|l| *l != "ret" && !l.starts_with("retq"))
        .filter(|l| l.starts_with("lock ") || l.contains("fence") && !l.contains(':'))
        .collect();
    assert_eq!(locked.len(), 3, "{locked:#?} in\n{}", stages.machine.form);
    assert!(locked.iter().all(|l| l.contains("cmpxchg")), "{locked:#?}");
}
