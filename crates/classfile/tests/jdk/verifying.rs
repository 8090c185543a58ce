//! The type checker over every class of the image: javac's output has no faults.

use crate::image;
use concord_classfile::verifier::{Unresolved, VerifierEnv, VerifyError, verify};
use concord_classfile::{ClassFile, ParseOptions, access, names, parse};
use std::collections::HashMap;
use std::time::{Duration, Instant};

struct World<'a> {
    classes: HashMap<&'a [u8], &'a ClassFile<'a>>,
    current: &'a [u8],
    questions: usize,
}

impl<'a> World<'a> {
    fn get(&self, name: &[u8]) -> Result<&'a ClassFile<'a>, Unresolved> {
        self.classes.get(name).copied().ok_or(Unresolved)
    }
    fn chain(&self, from: &[u8]) -> impl Iterator<Item = &'a ClassFile<'a>> + '_ {
        std::iter::successors(self.classes.get(from).copied(), |c| {
            c.super_name().and_then(|s| self.classes.get(s).copied())
        })
    }
}

impl VerifierEnv for World<'_> {
    fn is_interface(&mut self, name: &[u8]) -> Result<bool, Unresolved> {
        self.questions += 1;
        Ok(self.get(name)?.is_interface())
    }
    fn is_subclass(&mut self, sub: &[u8], sup: &[u8]) -> Result<bool, Unresolved> {
        self.questions += 1;
        self.get(sub)?;
        Ok(self.chain(sub).any(|c| c.name() == sup))
    }
    fn is_current_or_super(&mut self, name: &[u8]) -> bool {
        self.chain(self.current).any(|c| c.name() == name)
    }
    fn is_protected_elsewhere(&mut self, class: &[u8], name: &[u8], desc: &[u8], m: bool) -> Result<bool, Unresolved> {
        for c in self.chain(class) {
            let found = if m { c.method(name, desc).map(|m| m.access) } else { c.field(name, desc).map(|f| f.access) };
            if let Some(flags) = found {
                let elsewhere = names::package_of(c.name()) != names::package_of(self.current);
                return Ok(flags & access::PROTECTED != 0 && elsewhere);
            }
        }
        Ok(false)
    }
}

#[test]
fn every_class_verifies() {
    let opts = ParseOptions { module_info: true, ..Default::default() };
    let files = image::classes().iter().filter(|c| c.path != "module-info.class");
    let parsed: Vec<ClassFile> = files.map(|c| parse(&c.bytes, &opts).expect("parses")).collect();
    let classes = parsed.iter().map(|c| (c.name(), c)).collect();
    let mut world = World { classes, current: b"", questions: 0 };
    let (mut spent, mut bytes, mut unresolved) = (Duration::ZERO, 0, 0);
    for class in &parsed {
        world.current = class.name();
        let begin = Instant::now();
        let verdict = verify(class, &mut world);
        spent += begin.elapsed();
        bytes += class.bytes.len();
        match verdict {
            Ok(()) => {}
            // A few classes refer to optional classes that the image does not have.
            Err(VerifyError::Unresolved) => unresolved += 1,
            Err(VerifyError::NeedsOldVerifier) if class.major < 50 => {}
            Err(e) => panic!("{}: {e}", String::from_utf8_lossy(class.name())),
        }
    }
    println!(
        "{} classes, {:.1} us each, {:.1} ns per byte of class file, {} questions, {unresolved} unresolved",
        parsed.len(),
        spent.as_secs_f64() * 1e6 / parsed.len() as f64,
        spent.as_nanos() as f64 / bytes as f64,
        world.questions
    );
    assert!(unresolved < 5, "{unresolved} classes refer to classes that are missing");
}
