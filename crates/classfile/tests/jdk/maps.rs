//! Reference maps against what javac wrote into StackMapTable, for every method of the image.

use crate::image;
use concord_classfile::descriptor::MethodDescriptor;
use concord_classfile::oopmap::{CodeView, MethodMaps, OopMap};
use concord_classfile::opcodes::instructions;
use concord_classfile::stack_map::{FrameKind, Frames, VerificationType};
use concord_classfile::{ClassFile, MethodInfo, ParseOptions, parse};
use std::time::{Duration, Instant};

fn initial_locals(class: &ClassFile, method: &MethodInfo) -> Vec<VerificationType> {
    let mut locals = Vec::new();
    if !method.is_static() {
        locals.push(VerificationType::UninitializedThis);
    }
    let desc = MethodDescriptor::new(class.constants.utf8(method.desc)).expect("method descriptor");
    for p in desc.params() {
        locals.push(match (p.kind.is_reference(), p.slots()) {
            (true, _) => VerificationType::Null,
            (_, 2) => VerificationType::Long,
            _ => VerificationType::Integer,
        });
    }
    locals
}

/// Slot by slot: what the frame says against what the map says.
fn compare(what: &str, types: &[VerificationType], is_ref: impl Fn(usize) -> bool) -> usize {
    let mut slot = 0;
    for t in types {
        match t {
            // The frame may forget a slot that still holds a reference.
            VerificationType::Top => {}
            t if t.is_reference() => assert!(is_ref(slot), "{what} {slot}: {t:?} is no reference in the map"),
            t => {
                for s in slot..slot + t.slots() {
                    assert!(!is_ref(s), "{what} {s}: {t:?} is a reference in the map");
                }
            }
        }
        slot += t.slots();
    }
    slot
}

fn check_method(class: &ClassFile, method: &MethodInfo, map: &mut OopMap, spent: &mut Duration) -> usize {
    let Some(view) = CodeView::of(class, method) else {
        return 0;
    };
    let begin = Instant::now();
    let maps = MethodMaps::compute(&view).expect("javac's code is well-formed");
    *spent += begin.elapsed();
    let table = method.code.as_ref().and_then(|c| c.stack_map_table);
    let mut locals = initial_locals(class, method);
    let mut at = None;
    let mut frames = 0;
    for frame in table.into_iter().flat_map(|t| Frames::new(t).expect("table has a count")) {
        let frame = frame.expect("javac's frames are well-formed");
        let mut stack = Vec::new();
        match frame.kind {
            FrameKind::Same => {}
            FrameKind::OneStack(t) => stack.extend(t.iter()),
            FrameKind::Chop(n) => locals.truncate(locals.len() - usize::from(n)),
            FrameKind::Append(t) => locals.extend(t.iter()),
            FrameKind::Full { locals: l, stack: s } => {
                locals = l.iter().collect();
                stack.extend(s.iter());
            }
        }
        let bci = at.map_or(usize::from(frame.delta), |prev: usize| prev + usize::from(frame.delta) + 1);
        at = Some(bci);
        maps.at_into(&view, bci, map).expect("a frame stands at an instruction");
        // Code that only the frame itself reaches is dead for the maps.
        if map.reachable() {
            compare("local", &locals, |s| map.is_local_ref(s));
            let depth = compare("stack", &stack, |s| map.is_stack_ref(s));
            assert_eq!(depth, map.stack_depth(), "stack depth at {bci}");
            frames += 1;
        }
    }
    frames
}

#[test]
fn maps_agree_with_every_frame() {
    let (mut frames, mut methods, mut code, mut spent) = (0, 0, 0, Duration::ZERO);
    let mut map = OopMap::default();
    for file in image::classes() {
        let opts = ParseOptions { trusted: true, module_info: true, ..Default::default() };
        let class = parse(file.bytes, &opts).expect("parses");
        for method in &class.methods {
            let name = || String::from_utf8_lossy(class.constants.utf8(method.name)).into_owned();
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                check_method(&class, method, &mut map, &mut spent)
            }));
            frames += done.unwrap_or_else(|_| panic!("in {}/{} {}", file.module, file.path, name()));
            methods += 1;
            code += method.code.as_ref().map_or(0, |c| c.code.len());
        }
    }
    println!("{methods} methods, {frames} frames, {:.0} ns per bytecode byte", spent.as_nanos() as f64 / code as f64);
    assert!(frames > 200_000, "only {frames} frames were compared");
}

/// Every instruction can be asked for, and asking twice gives the same answer.
#[test]
fn every_instruction_of_java_lang_has_a_map() {
    let mut map = OopMap::default();
    let mut asked = 0;
    for file in image::classes().iter().filter(|c| c.module == "java.base" && c.path.starts_with("java/lang/")) {
        let class = parse(file.bytes, &ParseOptions { trusted: true, ..Default::default() }).expect("parses");
        for method in &class.methods {
            let Some(view) = CodeView::of(&class, method) else {
                continue;
            };
            let maps = MethodMaps::compute(&view).expect("well-formed");
            for i in instructions(view.code) {
                let bci = i.expect("well-formed").bci;
                maps.at_into(&view, bci, &mut map).expect("an instruction");
                assert_eq!(maps.at(&view, bci).expect("an instruction"), map);
                asked += 1;
            }
        }
    }
    assert!(asked > 50_000, "only {asked} instructions");
}
