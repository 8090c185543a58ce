//! Functions as text, what passes make of them, and what the verifier says.
//!
//! `filetests/*.ir` hold cases, separated by `----`:
//! ```text
//! ; remarks
//! ; test PASS ...         shape, rotate, types, clean, scalars, fresh, loads, nonnull, casts, repeat, bounds, fences, several of them, or verify
//! function ...
//! ; gives                 (after passes) the function as it must be then
//! function ...
//! ; fails TEXT            (instead) the verifier's error, or the parser's
//! ```
//! Every case is read, written and read again; every function that is not to fail is verified before
//! and after. `CONCORD_BLESS=1` writes what is given in place of what was expected.
#[path = "support/names.rs"]
mod names;

use concord_jit::ir::{Func, Op, Terminator, parse, verify};
use concord_jit::passes::{bounds, casts, clean, fences, fresh, loads, nonnull, repeat, rotate, scalars, shape, types};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Texts of the verifier: each must be seen in some case.
const ERRORS: &[&str] = &[
    "is defined twice",
    "has no definition",
    "does not dominate",
    "the entry block has parameters",
    "operands of wrong types in",
    "operands of wrong types at the end",
    "a result of another type",
    "with wrong arguments",
    "jumps to the entry",
    "has no terminator",
    "gives a long or double one slot",
    "holds the lock of a number",
    "stands in a frame that calls nobody",
    "has a virtual object of wrong types",
    "has virtual objects of its own",
];

macro_rules! variants {
    ($all:ident $name:ident $of:ident: $($v:ident)*) => {
        const $all: &[&str] = &[$(stringify!($v)),*];
        fn $name(x: &$of) -> &'static str {
            match x { $($of::$v { .. } => stringify!($v),)* }
        }
    };
}
variants! { OPS op_name Op:
    Param OsrLocal OsrMonitor Int Long Float Double Null Root Bin Un Cmp FCmp Cmp3 NullCheck BoundsCheck Guard
    ArrayLength LoadField StoreField LoadElement StoreElement LoadStatic StoreStatic LoadRaw StoreRaw CompareAndSet
    CompareAndExchange Update Publish PublishShared Fence LoadFence GetClass CurrentThread Leaf New NewArray MultiNewArray
    InstanceOf CanCast CanStore
    IsA IsExactly SelectInterface Call RowCall Raise Interrupted PendingException Catch MonitorEnter MonitorExit
    RegisterFinalizer Poll Count CountClass CountReceiver
}
variants! { ENDS end_name Terminator: Unset Jump If Switch Return Deopt Throw }

/// What the cases have shown.
#[derive(Default)]
struct Seen {
    names: BTreeSet<&'static str>,
    errors: Vec<String>,
}

fn read(text: &str) -> Result<Func, String> {
    parse::function(text, &mut names::Any::default())
}

/// What the passes make of the input, or the error.
fn treat(passes: &[&str], input: &str, seen: &mut Seen) -> Result<String, String> {
    let mut f = read(input)?;
    let text = f.to_string();
    assert_eq!(read(&text).map(|f| f.to_string()).as_ref(), Ok(&text), "the text does not come back");
    parse::comes_back(&f)?;
    for b in f.order() {
        seen.names.extend(f.block(b).insts.iter().map(|i| op_name(&i.op)));
        seen.names.insert(end_name(&f.block(b).end));
    }
    verify::verify(&f)?;
    for pass in passes {
        match *pass {
            "bounds" => bounds::run(&mut f),
            "casts" => casts::run(&mut f),
            "clean" => clean::run(&mut f),
            "fences" => fences::run(&mut f),
            "nonnull" => nonnull::run(&mut f),
            "rotate" => rotate::run(&mut f),
            "fresh" => fresh::run(&mut f),
            "loads" => loads::run(&mut f),
            "repeat" => repeat::run(&mut f),
            "scalars" => scalars::run(&mut f),
            "shape" => shape::run(&mut f),
            "types" => types::run(&mut f),
            "verify" => assert_eq!(f.to_string(), text),
            other => panic!("there is no pass {other}"),
        }
        verify::verify(&f)?;
    }
    Ok(f.to_string())
}

/// One case; its new text.
fn case(at: &Path, text: &str, seen: &mut Seen, wrong: &mut Vec<String>) -> String {
    let line = |key: &str| text.lines().find_map(|l| l.strip_prefix(key).map(str::trim));
    let passes: Vec<&str> = line("; test").expect("every case says `; test`").split_whitespace().collect();
    let split = text.find("; gives").or_else(|| text.find("; fails"));
    let (input, expected) = text.split_at(split.unwrap_or(text.len()));
    let found = treat(&passes, input, seen);
    let mut complain = |what: String| wrong.push(format!("{}: {what}\n{input}", at.display()));
    match (&found, line("; fails")) {
        (Err(e), Some(want)) if e.contains(want) && !want.is_empty() => seen.errors.push(e.clone()),
        (Err(e), _) => complain(format!("fails: {e}")),
        (Ok(_), Some(want)) => complain(format!("does not fail with {want}")),
        (Ok(out), None) if passes != ["verify"] => {
            let expected = expected.strip_prefix("; gives\n").unwrap_or(expected);
            if expected.trim_end() != out.trim_end() {
                complain(format!("gives\n{out}\ninstead of\n{expected}"));
            }
            return format!("{input}; gives\n{out}");
        }
        (Ok(_), None) => {}
    }
    text.to_string()
}

#[test]
fn filetests() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let bless = std::env::var_os("CONCORD_BLESS").is_some();
    let (mut seen, mut wrong) = (Seen::default(), Vec::new());
    for f in &files {
        let text = std::fs::read_to_string(f).unwrap();
        let new: Vec<String> = text.split("----\n").map(|c| case(f, c, &mut seen, &mut wrong)).collect();
        if bless {
            std::fs::write(f, new.join("----\n")).unwrap();
        }
    }
    // What was written is not wrong any more; what fails or should is.
    wrong.retain(|w| !bless || !w.contains(": gives\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unseen: Vec<_> = OPS.iter().chain(ENDS).filter(|n| !seen.names.contains(*n)).collect();
    assert!(unseen.is_empty(), "in no case: {unseen:?}");
    let silent: Vec<_> = ERRORS.iter().filter(|e| !seen.errors.iter().any(|s| s.contains(*e))).collect();
    assert!(silent.is_empty(), "no case fails with {silent:?}");
}
