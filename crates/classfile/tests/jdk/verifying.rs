//! The type checker over every class of the image: javac's output has no faults.

use crate::image;
use crate::world::World;
use concord_classfile::verifier::{VerifyError, verify};
use concord_classfile::{ClassFile, ParseOptions, parse};
use std::time::{Duration, Instant};

#[test]
fn every_class_verifies() {
    let opts = ParseOptions { module_info: true, ..Default::default() };
    let files = image::classes().iter().filter(|c| c.path != "module-info.class");
    let parsed: Vec<ClassFile> = files.map(|c| parse(c.bytes, &opts).expect("parses")).collect();
    let classes = parsed.iter().map(|c| (c.name(), c)).collect();
    let mut world = World { classes, current: &parsed[0], isolated: false, questions: 0 };
    let (mut spent, mut bytes, mut unresolved) = (Duration::ZERO, 0, 0);
    for class in &parsed {
        world.current = class;
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
