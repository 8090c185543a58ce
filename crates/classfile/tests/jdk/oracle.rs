//! Owns HotSpot as the judge of class files: one run of `java` defines and links many classes.

use crate::image;
use crate::world::World;
use concord_classfile::verifier::{VerifyError, verify};
use concord_classfile::{ClassFile, ParseOptions, parse};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Exception class and message; `None` if the class was linked.
pub type Verdict = Option<(String, String)>;

pub struct Oracle {
    dir: PathBuf,
    java: PathBuf,
}

impl Oracle {
    /// Compiles the driver and the fixture.
    pub fn new(name: &str) -> Oracle {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
        let home = image::java_home();
        let dir = std::env::temp_dir().join(format!("concord-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("temporary directory");
        let mut javac = Command::new(home.join("bin/javac"));
        javac.arg("-g").arg("-nowarn").arg("-d").arg(&dir);
        javac.arg(sources.join("Define.java")).arg(sources.join("Fixture.java"));
        let output = javac.output().expect("javac runs");
        assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
        Oracle { dir, java: home.join("bin/java") }
    }

    pub fn fixture(&self) -> Vec<Vec<u8>> {
        let mut names: Vec<PathBuf> = std::fs::read_dir(&self.dir)
            .expect("compiled classes")
            .map(|e| e.expect("compiled class").path())
            .filter(|p| p.extension().is_some_and(|e| e == "class") && !p.ends_with("Define.class"))
            .collect();
        names.sort();
        names.iter().map(|n| std::fs::read(n).expect("readable class")).collect()
    }

    /// (exception class, message) of each class; `None` if it was linked.
    pub fn judge(&self, classes: &[Vec<u8>]) -> Vec<Verdict> {
        let (input, output) = (self.dir.join("in"), self.dir.join("out"));
        let mut file = (classes.len() as u32).to_be_bytes().to_vec();
        for c in classes {
            file.extend((c.len() as u32).to_be_bytes());
            file.extend(c);
        }
        std::fs::write(&input, file).expect("writable directory");
        let mut java = Command::new(&self.java);
        java.args(["-XX:+UseSerialGC", "-Xshare:auto", "-cp"]).arg(&self.dir).arg("Define").arg(&input).arg(&output);
        let done = java.output().expect("java runs");
        assert!(done.status.success(), "java: {}", String::from_utf8_lossy(&done.stderr));
        let bytes = std::fs::read(&output).expect("verdicts");
        let mut rest = &bytes[..];
        let mut verdicts = Vec::new();
        while let Some((head, tail)) = rest.split_first_chunk::<4>() {
            let (text, tail) = tail.split_at(u32::from_be_bytes(*head) as usize);
            rest = tail;
            let text = String::from_utf8_lossy(text).into_owned();
            verdicts.push(text.split_once('\n').map(|(a, b)| (a.to_string(), b.to_string())));
        }
        assert_eq!(verdicts.len(), classes.len());
        verdicts
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // A directory left behind in the temporary directory is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Our verdict in the same form. HotSpot verifies methods in the order of their names' addresses,
/// so each method in turn is verified first here, until one gives HotSpot's verdict.
fn verdict(bytes: &[u8], known: &HashMap<&[u8], &ClassFile<'_>>, theirs: &Verdict) -> Verdict {
    let mut class = match parse(bytes, &ParseOptions::default()) {
        Ok(class) => class,
        Err(e) => return Some((e.kind.class_name().replace('/', "."), e.message)),
    };
    let mut first = None;
    for n in 0..class.methods.len().max(1) {
        class.methods.rotate_left(usize::from(n > 0));
        let mut world = World { classes: known.clone(), current: &class, isolated: true, questions: 0 };
        let ours = match verify(&class, &mut world) {
            Ok(()) => return None,
            Err(VerifyError::Verify(m)) => Some(("java.lang.VerifyError".into(), m)),
            Err(VerifyError::ClassFormat(m)) => Some(("java.lang.ClassFormatError".into(), m)),
            Err(other) => Some((format!("{other:?}"), String::new())),
        };
        if ours == *theirs {
            return ours;
        }
        first = first.or(ours);
    }
    first
}

/// Whether HotSpot's verdict comes from loading and linking, which are the runtime's.
fn beyond_this_room(theirs: &Verdict) -> bool {
    let Some((kind, message)) = theirs else {
        return false;
    };
    match kind.as_str() {
        "java.lang.ClassFormatError" | "java.lang.UnsupportedClassVersionError" => false,
        "java.lang.VerifyError" => {
            message.contains("inherit from final") || message.starts_with("class ") || message.contains("(class: ")
        }
        "java.lang.NoClassDefFoundError" => !message.contains("ACC_MODULE"),
        _ => true,
    }
}

/// Where both reject but the wording may differ: HotSpot knows opcodes of its own (203 and up),
/// reads a stack map and checks it in one go, and prints a damaged one beyond its end.
fn same_family(ours: &Verdict, theirs: &Verdict) -> bool {
    let (Some(ours), Some(theirs)) = (ours, theirs) else {
        return false;
    };
    let both = |text: &str| ours.1.starts_with(text) && theirs.1.starts_with(text);
    let before_table = |v: &(String, String)| v.1.split("  Stackmap Table:").next().map(str::to_string);
    theirs.1.starts_with("Bad instruction")
        || ours.1.starts_with("Bad instruction") && ours.1.contains(": <illegal>")
        || ours.0 == theirs.0 && both("StackMapTable format error")
        || both("StackMapTable error: bad offset") && before_table(ours) == before_table(theirs)
}

/// Classes of java.base, parsed.
pub fn java_base() -> Vec<ClassFile<'static>> {
    let files = image::classes().iter().filter(|c| c.module == "java.base" && c.path != "module-info.class");
    files.map(|c| parse(c.bytes, &ParseOptions { trusted: true, ..Default::default() }).expect("parses")).collect()
}

/// Lets HotSpot and this crate judge `classes` and fails on any difference. Returns how many
/// HotSpot rejected.
pub fn compare(oracle: &Oracle, classes: &[Vec<u8>], known: &HashMap<&[u8], &ClassFile<'_>>) -> usize {
    let theirs = oracle.judge(classes);
    let (mut compared, mut rejected, mut wrong) = (0, 0, Vec::new());
    for (n, (bytes, theirs)) in classes.iter().zip(&theirs).enumerate() {
        let ours = verdict(bytes, known, theirs);
        // HotSpot loads superclasses and interfaces while it parses, and has the verifier of old
        // classes.
        if beyond_this_room(theirs)
            || ours.as_ref().is_some_and(|o| o.0 == "NeedsOldVerifier" || o.0.starts_with("MayPassInference"))
        {
            continue;
        }
        compared += 1;
        rejected += usize::from(theirs.is_some());
        if ours != *theirs && !same_family(&ours, theirs) {
            wrong.push((n, ours, theirs));
        }
    }
    println!("{compared} compared, {rejected} rejected by HotSpot, {} differ", wrong.len());
    for (n, ours, theirs) in wrong.iter().take(40) {
        let show = |v: &Verdict| v.as_ref().map_or("accepted".into(), |(k, m)| format!("{k}: {m}"));
        println!("--- mutant {n}\nHotSpot: {}\nours:    {}", show(theirs), show(ours));
    }
    assert!(wrong.is_empty(), "{} of {compared} classes are judged differently", wrong.len());
    rejected
}
