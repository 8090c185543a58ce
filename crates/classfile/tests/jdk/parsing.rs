//! Every class of the JDK through the parser and the printer.
use crate::image;
use concord_classfile::{ParseOptions, VmAnnotations, parse};

#[test]
fn every_class_parses_in_both_modes() {
    let mut count = 0;
    for class in image::classes() {
        for trusted in [false, true] {
            let module_info = class.path == "module-info.class";
            let opts = ParseOptions { trusted, module_info, ..Default::default() };
            let parsed = parse(class.bytes, &opts).unwrap_or_else(|e| panic!("{}/{}: {e}", class.module, class.path));
            assert_eq!(format!("{}.class", concord_classfile::mutf8::to_string(parsed.name())), class.path);
        }
        count += 1;
    }
    assert!(count > 20_000, "the image has only {count} classes");
}

/// The counts of JDK 17's java.base; a recogniser that misses one changes what the VM does.
#[test]
fn vm_annotations_of_java_base() {
    let mut counts = [0usize; 12];
    for class in image::classes().iter().filter(|c| c.module == "java.base") {
        let opts = ParseOptions { trusted: true, module_info: true, ..Default::default() };
        let parsed = parse(class.bytes, &opts).expect("parses");
        let sets = std::iter::once(parsed.annotations.vm)
            .chain(parsed.methods.iter().map(|m| m.annotations.vm))
            .chain(parsed.fields.iter().map(|f| f.annotations.vm));
        for set in sets {
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += usize::from(set.contains(VmAnnotations(1 << bit)));
            }
        }
        // Without the right to them, none is seen.
        let opts = ParseOptions { module_info: true, ..Default::default() };
        let plain = parse(class.bytes, &opts).expect("parses");
        assert!(plain.methods.iter().all(|m| m.annotations.vm.is_empty()));
    }
    let at_least = |set: VmAnnotations, n: usize| {
        let got = counts[set.0.trailing_zeros() as usize];
        assert!(got >= n, "{set:?}: {got} of {n}");
    };
    at_least(VmAnnotations::FORCE_INLINE, 2100);
    at_least(VmAnnotations::HIDDEN, 400);
    at_least(VmAnnotations::INTRINSIC_CANDIDATE, 390);
    at_least(VmAnnotations::LAMBDA_FORM_COMPILED, 400);
    at_least(VmAnnotations::SCOPED, 180);
    at_least(VmAnnotations::STABLE, 110);
    at_least(VmAnnotations::CALLER_SENSITIVE, 110);
    at_least(VmAnnotations::VALUE_BASED, 40);
    at_least(VmAnnotations::POLYMORPHIC_SIGNATURE, 35);
    at_least(VmAnnotations::RESERVED_STACK_ACCESS, 18);
    at_least(VmAnnotations::CONTENDED, 10);
    at_least(VmAnnotations::DONT_INLINE, 4);
}
