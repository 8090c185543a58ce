//! Bytecode that `javac` does not make.
use super::classes::{Body, Member};
use super::world::{class, method, thread};
use crate::INTERPRETER;
use crate::code::Code;
use crate::code::{bci_at, word_at};
use crate::translate::{Style, translate_with};
use concord_contract::entries::Engine;
use concord_contract::frame;
use concord_contract::method::MethodRef;
use concord_contract::{JResult, Thread};

/// A static method of Natives' class with this body.
pub fn assemble(descriptor: &str, max_stack: u16, max_locals: u16, bytes: &[u8], rows: &[[u16; 4]]) -> MethodRef {
    let body = Body { max_stack, max_locals, bytes: bytes.to_vec(), exceptions: rows.to_vec() };
    let m = Member { flags: 8, name: "handmade".into(), descriptor: descriptor.into(), code: Some(body) };
    let m = method(&m, class("Natives"), 0);
    INTERPRETER.install(m);
    m
}
fn run(th: &Thread, descriptor: &str, locals: u16, bytes: &[u8], args: &[u64]) -> JResult<u64> {
    INTERPRETER.invoke(th, assemble(descriptor, 12, locals, bytes, &[]), args)
}

/// Code that folds the `stack` ints on the stack into one number, base 10, the top as last digit.
fn fold(stack: usize) -> Vec<u8> {
    let mut b = vec![54, 9]; // istore 9
    let mut factor = 10i16;
    for _ in 1..stack {
        b.extend([17, (factor >> 8) as u8, factor as u8, 104, 21, 9, 96, 54, 9]);
        factor = factor.wrapping_mul(10);
    }
    b.extend([21, 9, 172]);
    b
}
fn shuffle(push: &[u8], op: u8, depth: usize) -> u64 {
    let th = thread(1 << 16);
    let mut code: Vec<u8> = push.iter().map(|n| 3 + n).collect();
    code.push(op);
    code.extend(fold(depth));
    run(th, "()I", 10, &code, &[]).unwrap()
}

#[test]
fn stack_shuffles() {
    assert_eq!(shuffle(&[1, 2], 89, 3), 122);
    assert_eq!(shuffle(&[1, 2], 90, 3), 212);
    assert_eq!(shuffle(&[1, 2, 3], 91, 4), 3123);
    assert_eq!(shuffle(&[1, 2], 92, 4), 1212);
    assert_eq!(shuffle(&[1, 2, 3], 93, 5) % 10000, 23123 % 10000);
    assert_eq!(shuffle(&[1, 2, 3], 93, 4), 3123);
    assert_eq!(shuffle(&[1, 2, 3, 4], 94, 4), 1234);
    assert_eq!(shuffle(&[1, 2], 95, 2), 21);
    assert_eq!(shuffle(&[1, 2, 3], 88, 1), 1);
    assert_eq!(shuffle(&[1, 2, 3], 87, 2), 12);
}

#[test]
fn a_call_may_come_between_the_stores_that_publish_code() {
    let th = thread(1 << 16);
    // iload_0 iconst_1 iadd ireturn
    let m = assemble("(I)I", 2, 1, &[26, 4, 96, 172], &[]);
    assert_eq!(INTERPRETER.invoke(th, m, &[41]), Ok(42));
    // Another thread has stored the code, and not yet the address of its words.
    m.code.store(std::ptr::null_mut(), std::sync::atomic::Ordering::Release);
    INTERPRETER.install(m);
    assert_eq!(INTERPRETER.invoke(th, m, &[42]), Ok(43));
}

#[test]
fn two_slot_values_shuffle_as_pairs() {
    let th = thread(1 << 16);
    // lload_0 dup2 ladd lreturn
    assert_eq!(run(th, "(J)J", 2, &[30, 92, 97, 173], &[21, 0]), Ok(42));
    // dload_0 dup2 dadd dreturn
    assert_eq!(run(th, "(D)D", 2, &[38, 92, 99, 175], &[2.5f64.to_bits(), 0]).map(f64::from_bits), Ok(5.0));
    // iload_2 lload_0 dup2_x1 pop2 istore_2 lload_0 ladd lreturn
    assert_eq!(run(th, "(JI)J", 3, &[28, 30, 93, 88, 61, 30, 97, 173], &[20, 0, 9]), Ok(40));
    // lload_0 lload_2 dup2_x2 pop2 lsub lreturn: b - a
    assert_eq!(run(th, "(JJ)J", 4, &[30, 32, 94, 88, 101, 173], &[3, 0, 10, 0]), Ok(7));
}

#[test]
fn subroutines_return() {
    let th = thread(1 << 16);
    // 0: iconst_0 istore_0  2: jsr 12  5: jsr 12  8: iload_0 ireturn nop nop
    // 12: astore_1  13: iinc 0 by 5  16: ret 1
    let code = [3, 59, 168, 0, 10, 168, 0, 7, 26, 172, 0, 0, 76, 132, 0, 5, 169, 1];
    assert_eq!(run(th, "()I", 2, &code, &[]), Ok(10));
    // The same with jsr_w and goto_w:
    // 0: iconst_0 istore_0  2: jsr_w 14  7: goto_w 20  14: astore_1 iinc 0 by 7 ret 1
    // 20: iload_0 ireturn
    let c = [3, 59, 201, 0, 0, 0, 12, 200, 0, 0, 0, 13, 0, 0, 76, 132, 0, 7, 169, 1, 26, 172];
    assert_eq!(run(th, "()I", 2, &c, &[]), Ok(7));
}

#[test]
fn wide_forms_address_far_locals() {
    let th = thread(1 << 16);
    // bipush 9; wide istore 300; wide iinc 300 by -1000; wide iload 300; ireturn
    let code = [16, 9, 196, 54, 1, 44, 196, 132, 1, 44, 0xfc, 0x18, 196, 21, 1, 44, 172];
    assert_eq!(run(th, "()I", 301, &code, &[]).map(|v| v as u32 as i32), Ok(9 - 1000));
}

#[test]
fn unbalanced_monitors_are_illegal() {
    let th = thread(1 << 16);
    let o = super::rows::instance(class("java/lang/Object")).addr() as u64;
    // aload_0 monitorenter return
    assert!(run(th, "(Ljava/lang/Object;)V", 1, &[42, 194, 177], &[o]).is_err());
    assert!(super::rows::caught(th, "IllegalMonitorStateException"));
    // aload_0 monitorexit return
    assert!(run(th, "(Ljava/lang/Object;)V", 1, &[42, 195, 177], &[o]).is_err());
    assert!(super::rows::caught(th, "IllegalMonitorStateException"));
    super::check_balanced(th);
}

#[test]
fn results_are_narrowed_to_the_return_type() {
    let th = thread(1 << 16);
    let v = 0x1_2345_6789u64 as u32 as u64;
    for (d, want) in [("(I)Z", 1), ("(I)B", 0xffff_ff89), ("(I)C", 0x6789), ("(I)S", 0x6789), ("(I)I", v)] {
        assert_eq!(run(th, d, 1, &[26, 172], &[v]), Ok(want), "{d}");
    }
}

#[test]
fn words_and_bytecode_indices_map_both_ways() {
    let th = thread(1 << 16);
    let code = [16, 9, 196, 54, 0, 3, 196, 132, 0, 3, 0, 1, 196, 21, 0, 3, 172];
    let m = assemble("()I", 4, 4, &code, &[]);
    assert_eq!(word_at(m, 0), None);
    assert_eq!(INTERPRETER.invoke(th, m, &[]), Ok(10));
    for bci in [0u16, 2, 6, 12, 16] {
        let w = word_at(m, bci).unwrap();
        assert_eq!(bci_at(m, w), bci);
    }
    assert_eq!(word_at(m, 3), None);
}

#[test]
fn traced_code_reports_every_instruction() {
    let th = thread(1 << 16);
    // i = 3; do i-- while (i != 0); return i
    let code = [6, 59, 132, 0, 0xff, 26, 154, 0xff, 0xfc, 26, 172];
    let m = assemble("()I", 2, 1, &code, &[]);
    let style = Style { sc: true, vbd: true, traced: true, counted: false, supers: true };
    translate_with(m, style, &|_| None).publish(m);
    assert_eq!(INTERPRETER.invoke(th, m, &[]), Ok(0));
    let mut want = vec![(0, 6), (1, 59)];
    for _ in 0..3 {
        want.extend([(2, 132), (5, 26), (6, 154)]);
    }
    want.extend([(9, 26), (10, 172)]);
    let all = super::rows::TRACE.lock().unwrap();
    let got: Vec<(u16, u8)> = all.iter().filter(|t| t.0 == "handmade").map(|t| (t.1, t.2)).collect();
    assert_eq!(got, want);
}

#[test]
fn array_stores_follow_the_memory_model() {
    // aload_0 iconst_0 iconst_1 iastore return
    let m = assemble("([I)V", 3, 1, &[42, 3, 4, 79, 177], &[]);
    let op = |sc| {
        let c: Code =
            translate_with(m, Style { sc, vbd: false, traced: false, counted: false, supers: false }, &|_| None);
        c.words()[3].load(std::sync::atomic::Ordering::Relaxed) as u16
    };
    assert_eq!((op(true), op(false)), (270, 79));
    // aload_0 iconst_0 aload_0 aastore return: relaxed code publishes where there are LOCAL objects.
    let m = assemble("([Ljava/lang/Object;)V", 3, 1, &[42, 3, 42, 83, 177], &[]);
    let op = |sc, vbd| {
        let c: Code = translate_with(m, Style { sc, vbd, traced: false, counted: false, supers: false }, &|_| None);
        c.words()[3].load(std::sync::atomic::Ordering::Relaxed) as u16
    };
    assert_eq!((op(true, true), op(false, true), op(false, false)), (273, 276, 83));
}

#[test]
fn every_row_has_handlers_where_its_operands_can_be_cached() {
    use crate::dispatch::{Handler, TABLE, bad};
    let is_bad = |h: Handler| h as usize == bad as *const () as usize;
    let mut seen = std::collections::HashSet::new();
    for (code, name, words) in crate::ops::names() {
        assert!(seen.insert(code), "{name} is listed twice");
        assert!(words >= 1 && !is_bad(TABLE[0][code as usize]), "{name}");
        let states = (0..4).filter(|s| !is_bad(TABLE[*s][code as usize])).count();
        assert!(states == 2 || states == 4, "{name} runs in {states} states");
    }
    // What class files may contain, and the translator does not rewrite, has a row.
    let rewritten = [16, 19, 23, 34, 35, 36, 37, 48, 56, 67, 68, 69, 70, 81, 86, 174, 196];
    for op in 0..=201u16 {
        assert_eq!(seen.contains(&op), !rewritten.contains(&op), "opcode {op}");
    }
}

/// The interpreter's frames as the walker of the contract sees them.
#[test]
fn frames_are_walkable_from_a_native() {
    let th = thread(1 << 16);
    super::call(th, "Natives", "walked", &[5]).unwrap();
    let seen = super::rows::WALK.lock().unwrap();
    let names: Vec<&str> = seen.iter().map(|s| s.0.as_str()).collect();
    assert_eq!(names, ["walk", "walked2", "walked2", "walked2", "walked", "-"]);
    // The callers stand at their calls.
    assert!(seen[1..5].iter().all(|s| s.1 == 184 || s.1 == 182), "{seen:?}");
    assert!(frame::frames(th).next().is_none());
}

/// A constant in front of a return that unlocks may look like a superinstruction.
#[test]
fn constants_are_not_mistaken_for_superinstructions() {
    use concord_contract::BasicType;
    use std::sync::atomic::Ordering::Relaxed;
    let style = Style { sc: true, vbd: true, traced: false, counted: false, supers: true };
    let locked = |bytes: &[u8]| {
        let body = Body { max_stack: 1, max_locals: 1, bytes: bytes.to_vec(), exceptions: vec![] };
        let m = Member { flags: 0x28, name: "locked".into(), descriptor: "(I)I".into(), code: Some(body) };
        let c = translate_with(method(&m, class("Natives"), 0), style, &|_| Some((BasicType::Int, 65536 + 355)));
        c.words().iter().map(|w| w.load(Relaxed)).collect::<Vec<_>>()
    };
    // The plain return goes on behind the unlocking of a synchronized method.
    let unlocks = 304 | (172 | 0x8000) << 16;
    assert_eq!(locked(&[18, 1, 172]), [204, 65536 + 355, unlocks]);
    assert_eq!(locked(&[21, 0, 172]), [21, unlocks]);
}
