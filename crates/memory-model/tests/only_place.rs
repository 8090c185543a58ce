//! Fences for Java accesses stand in this crate and nowhere else.
use std::path::{Path, PathBuf};

/// Rooms and files whose fences order the VM's own words, each with the reason.
const OWN: &[(&str, &str)] = &[
    ("memory-model/", "the place itself"),
    ("monitors/", "the lock protocol's own words, proven by its models"),
    ("safepoint/", "the stop protocol's own words"),
    ("compiled/src/natives/wrapper.rs", "a thread's state when it comes back from native code, as safepoint/ has it"),
    ("compiled/src/asm.rs", "encodes that exchange"),
    ("contention/src/probe.rs", "loads and clock in their order, to time a load of memory that nothing is done with"),
    ("contention/src/operand.rs", "recognizes the compiler's fence in machine code"),
    ("jit/src/lower/", "lowers what `jit/src/passes/fences.rs` was told by this crate; the test below"),
];
/// Where the compiler names its fence instruction, each with the reason.
const COMPILER: &[(&str, &str)] = &[
    ("passes/fences.rs", "places it where this crate says"),
    ("passes/loads.rs", "forgets there what it knows"),
    ("frontend/intrinsics.rs", "Unsafe.fullFence"),
    ("ir/", "the instruction's form: uses, text, verifier"),
    ("lower/cranelift/sharing.rs", "makes machine code of it"),
    ("lower/cranelift/memory.rs", "sends it there"),
    ("lower/cranelift/calls.rs", "sends it to memory.rs"),
];
/// What orders memory: Rust's fences, and instructions in assembler.
const FENCES: &[&str] = &["fence(", "mfence", "sfence", "lfence", "lock or", "lock add", "dmb ", "xchg"];

fn sources(at: &Path, out: &mut Vec<PathBuf>) {
    for e in std::fs::read_dir(at).expect("a folder of sources") {
        let p = e.expect("an entry").path();
        if p.is_dir() {
            sources(&p, out);
        } else if p.extension().is_some_and(|x| x == "rs") {
            out.push(p);
        }
    }
}

/// Lines with a fence in code; comments do not count.
fn fences_in(text: &str) -> Vec<String> {
    let code = |l: &str| l.split("//").next().unwrap_or_default().to_string();
    text.lines().map(code).filter(|l| FENCES.iter().any(|f| l.contains(f))).collect()
}

#[test]
fn no_other_room_emits_a_fence() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&crates, &mut files);
    assert!(files.len() > 100, "only {} sources found", files.len());
    let mut wrong = Vec::new();
    for f in files {
        let name = f.strip_prefix(&crates).expect("below crates").to_string_lossy().into_owned();
        if OWN.iter().any(|(p, _)| name.starts_with(p)) || !name.contains("/src/") {
            continue;
        }
        let text = std::fs::read_to_string(&f).expect("a source");
        for l in fences_in(&text) {
            // Calls of this crate are what should stand there; so are names of natives.
            if !l.contains("emit::") && !l.contains("_fence(_: &Thread") {
                wrong.push(format!("{name}: {}", l.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "fences outside of the memory-model room:\n{}", wrong.join("\n"));
}

/// Compiled code: one pass decides, by this crate's tables, and one function emits.
#[test]
fn the_compiler_asks_where_fences_stand() {
    let jit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../jit/src");
    let mut files = Vec::new();
    sources(&jit, &mut files);
    let (mut wrong, mut emitters) = (Vec::new(), Vec::new());
    for f in files {
        let name = f.strip_prefix(&jit).expect("below jit/src").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&f).expect("a source");
        if text.contains("Op::Fence") && !COMPILER.iter().any(|(p, _)| name.starts_with(p)) {
            wrong.push(name.clone());
        }
        emitters.extend(text.matches("ins().atomic_rmw(").map(|_| name.clone()));
        emitters.extend(text.matches("ins().fence(").map(|_| name.clone()));
    }
    assert!(wrong.is_empty(), "fences of compiled code outside of their places: {wrong:?}");
    emitters.sort();
    // The atomic operations of Unsafe, and the fence.
    assert_eq!(emitters, ["lower/cranelift/memory.rs", "lower/cranelift/sharing.rs"]);
    let pass = std::fs::read_to_string(jit.join("passes/fences.rs")).expect("the pass");
    assert!(pass.contains("model::fences("), "the pass decides by itself");
}

#[test]
fn accesses_for_java_programs_use_no_ordering_of_their_own() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let places = ["runtime/src/unsafe_natives", "libjvm/src/jni", "runtime/src/vm_natives"];
    for p in places {
        let mut files = Vec::new();
        sources(&runtime.join(p), &mut files);
        for f in files {
            let text = std::fs::read_to_string(&f).expect("a source");
            assert!(!text.contains("SeqCst"), "{} orders memory by itself", f.display());
        }
    }
}

/// Files that turn a reference into its 32-bit form, which only a store needs, each with the reason.
const STORES: &[(&str, &str)] = &[
    ("contract/", "defines it"),
    ("heap/", "the place itself"),
    ("tools/", "writes dumps, not the heap"),
    ("runtime/src/roots.rs", "links pending references at a stop; they are published"),
];

/// Publication and the collector's barrier stand in the heap room, so references are stored there.
#[test]
fn no_other_room_stores_references() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&crates, &mut files);
    let mut wrong = Vec::new();
    for f in files {
        let name = f.strip_prefix(&crates).expect("below crates").to_string_lossy().into_owned();
        if STORES.iter().any(|(p, _)| name.starts_with(p)) || !name.contains("/src/") || name.contains("/tests/") {
            continue;
        }
        let text = std::fs::read_to_string(&f).expect("a source");
        for l in text.lines().filter(|l| l.contains(".encode()") && !l.trim_start().starts_with("//")) {
            wrong.push(format!("{name}: {}", l.trim()));
        }
    }
    assert!(wrong.is_empty(), "references stored outside of the heap room:\n{}", wrong.join("\n"));
}

#[test]
fn the_search_finds_fences() {
    assert_eq!(fences_in("  std::sync::atomic::fence(Ordering::SeqCst);\n// fence(x)\nlet a = 1;").len(), 1);
    assert_eq!(fences_in("asm!(\"lock or dword ptr [rsp - 64], 0\");").len(), 1);
}
