//! Reference maps of hand-made code: conflicts, handlers, subroutines, hostile input.

use concord_classfile::ExceptionEntry;
use concord_classfile::descriptor::BasicType;
use concord_classfile::oopmap::{CodePool, CodeView, MethodMaps};
use concord_classfile::opcodes::op::*;

struct Pool;

impl CodePool for Pool {
    fn field_descriptor(&self, index: u16) -> Option<&[u8]> {
        [&b"J"[..], b"Ljava/lang/Object;"].get(usize::from(index)).copied()
    }
    fn method_descriptor(&self, index: u16) -> Option<&[u8]> {
        [&b"(JLjava/lang/Object;I)[I"[..], b"()V", b"()D"].get(usize::from(index)).copied()
    }
    fn constant_kind(&self, index: u16) -> Option<BasicType> {
        [BasicType::Int, BasicType::Object, BasicType::Long].get(usize::from(index)).copied()
    }
}

fn view<'a>(code: &'a [u8], locals: u16, descriptor: &'a [u8], table: &'a [ExceptionEntry]) -> CodeView<'a> {
    CodeView {
        code,
        max_locals: locals,
        max_stack: 8,
        exception_table: table,
        is_static: true,
        descriptor,
        pool: &Pool,
    }
}

/// Locals, stack and depth before `bci`.
fn at(view: &CodeView, bci: usize) -> (Vec<usize>, Vec<usize>, usize) {
    let maps = MethodMaps::compute(view).expect("computes");
    let map = maps.at(view, bci).expect("an instruction");
    (map.local_refs().collect(), map.stack_refs().collect(), map.stack_depth())
}

#[test]
fn calls_and_wide_values() {
    let code = [LCONST_0, ALOAD_0, ICONST_1, INVOKESTATIC, 0, 0, GETSTATIC, 0, 1, GETSTATIC, 0, 0, DUP2_X1, RETURN];
    let v = view(&code, 1, b"(Ljava/lang/String;)V", &[]);
    assert_eq!(at(&v, 3), (vec![0], vec![2], 4));
    assert_eq!(at(&v, 6), (vec![0], vec![0], 1));
    assert_eq!(at(&v, 12), (vec![0], vec![0, 1], 4));
    assert_eq!(at(&v, 13), (vec![0], vec![0, 3], 6));
}

#[test]
fn conflicting_local_is_dead() {
    // if (i != 0) x = null else x = 1; return
    let code = [ILOAD_0, IFEQ, 0, 8, ACONST_NULL, ASTORE_1, GOTO, 0, 5, ICONST_1, ISTORE_1, RETURN];
    let v = view(&code, 2, b"(I)V", &[]);
    assert_eq!(at(&v, 6), (vec![1], vec![], 0));
    assert_eq!(at(&v, 11), (vec![], vec![], 0));
    let both = [ILOAD_0, IFEQ, 0, 8, ACONST_NULL, ASTORE_1, GOTO, 0, 5, ACONST_NULL, ASTORE_1, RETURN];
    assert_eq!(at(&view(&both, 2, b"(I)V", &[]), 11), (vec![1], vec![], 0));
}

#[test]
fn handler_sees_what_holds_throughout_its_range() {
    // Local 0 stays a reference, local 1 becomes one in the middle, local 2 stops being one.
    let code = [
        ACONST_NULL,
        ASTORE_2,
        ACONST_NULL,
        ASTORE_1,
        ICONST_0,
        ISTORE_2,
        INVOKESTATIC,
        0,
        1,
        RETURN,
        ASTORE_1,
        RETURN,
    ];
    let table = [ExceptionEntry { start: 2, end: 9, handler: 10, catch_type: 0 }];
    let v = view(&code, 3, b"(Ljava/lang/Object;)V", &table);
    assert_eq!(at(&v, 10), (vec![0], vec![0], 1));
    assert_eq!(at(&v, 6), (vec![0, 1], vec![], 0));
}

#[test]
fn unreachable_code_has_an_empty_map() {
    let code = [RETURN, ALOAD_0, POP, RETURN];
    let v = view(&code, 1, b"(Ljava/lang/Object;)V", &[]);
    let maps = MethodMaps::compute(&v).unwrap();
    let map = maps.at(&v, 2).unwrap();
    assert!(!map.reachable());
    assert_eq!((map.local_refs().count(), map.stack_depth()), (0, 0));
}

/// Two callers of one subroutine disagree about local 2, which it does not touch.
#[test]
fn subroutine_keeps_its_callers_locals_apart() {
    let code = [
        /*  0 */ ACONST_NULL,
        ASTORE_2,
        JSR,
        0,
        13, // -> 15, local 2 a reference
        /*  5 */ ALOAD_2,
        POP,
        ICONST_0,
        ISTORE_2,
        JSR,
        0,
        6, // -> 15, local 2 an int
        /* 12 */ ILOAD_2,
        POP,
        RETURN,
        /* 15 */ ASTORE_1,
        ACONST_NULL,
        ASTORE_3,
        INVOKESTATIC,
        0,
        1,
        RET,
        1,
    ];
    let v = view(&code, 4, b"(Ljava/lang/Object;)V", &[]);
    let maps = MethodMaps::compute(&v).unwrap();
    assert_eq!(at(&v, 5), (vec![0, 2, 3], vec![], 0));
    assert_eq!(at(&v, 12), (vec![0, 3], vec![], 0));
    let inside = maps.at(&v, 18).unwrap();
    assert_eq!(inside.local_refs().collect::<Vec<_>>(), [0, 3]);
    assert_eq!(inside.maybe().collect::<Vec<_>>(), [2]);
    // The return address is no reference, neither on the stack nor in its local.
    let entry = maps.at(&v, 15).unwrap();
    assert_eq!((entry.stack_depth(), entry.stack_refs().count()), (1, 0));
}

#[test]
fn nested_subroutines() {
    let code = [
        /*  0 */ ACONST_NULL,
        ASTORE_3,
        JSR,
        0,
        5, // -> 7
        /*  5 */ NOP,
        RETURN,
        /*  7 */ ASTORE_1,
        JSR,
        0,
        5,
        RET,
        1, // -> 13
        /* 13 */ ASTORE_2,
        ICONST_0,
        ISTORE_3,
        RET,
        2,
    ];
    let v = view(&code, 4, b"(Ljava/lang/Object;)V", &[]);
    assert_eq!(at(&v, 8).0, [0, 3]);
    // The inner one overwrote local 3: the outer one's caller sees it.
    assert_eq!(at(&v, 11).0, [0]);
    assert_eq!(at(&v, 5).0, [0]);
}

#[test]
fn bad_code_is_an_error() {
    let cases: [(&[u8], &str); 9] = [
        (&[POP, RETURN], "operand stack underflow"),
        (&[GOTO, 0, 1], "jump into the middle"),
        (&[GOTO, 0x7f, 0], "branch out of the code"),
        (&[NOP], "control flows off the end"),
        (&[ICONST_0, GOTO, 0xff, 0xff], "depths differ"),
        (&[ALOAD, 9, ASTORE, 9, RETURN], "beyond max_locals"),
        (&[INVOKESTATIC, 0, 9, RETURN], "no method"),
        (&[GETSTATIC, 0, 9, RETURN], "no field"),
        (&[203], "unknown bytecode"),
    ];
    for (code, why) in cases {
        let bad = MethodMaps::compute(&view(code, 1, b"()V", &[])).expect_err(why);
        assert!(bad.why.contains(why), "{why}: {bad}");
    }
    let overflow = [ICONST_0; 9];
    assert!(MethodMaps::compute(&view(&overflow, 1, b"()V", &[])).is_err());
}

/// 10,000 blocks times 60,000 locals must not take 75 MB: every slot is `maybe` instead.
#[test]
fn oversized_tables_fall_back() {
    let mut code = Vec::new();
    for _ in 0..10_000 {
        code.extend([ACONST_NULL, POP, GOTO, 0, 3]);
    }
    code.extend([ICONST_1, RETURN]);
    let v = view(&code, 60_000, b"(Ljava/lang/Object;)V", &[]);
    let maps = MethodMaps::compute(&v).unwrap();
    assert!(maps.heap_size() < 1 << 20);
    let map = maps.at(&v, code.len() - 1).unwrap();
    assert_eq!((map.local_refs().count(), map.stack_depth()), (0, 1));
    assert_eq!(map.maybe().count(), 60_001);
}

fn assigned(view: &CodeView, bci: usize) -> u64 {
    MethodMaps::assigned(view, bci).expect("computes").first().copied().unwrap_or(0)
}

#[test]
fn a_local_is_assigned_behind_a_store_on_some_path() {
    // if (i != 0) { long x = 0 } else { Object o = null }; i = 1; return
    let code = [ILOAD_0, IFEQ, 0, 8, LCONST_0, LSTORE_1, GOTO, 0, 5, ACONST_NULL, ASTORE_3, ICONST_1, ISTORE_0, RETURN];
    let v = view(&code, 4, b"(I)V", &[]);
    assert_eq!([0, 5, 6, 9, 10, 11, 13].map(|bci| assigned(&v, bci)), [1, 1, 7, 1, 1, 15, 15]);
}

#[test]
fn a_handler_sees_what_was_stored_before_the_last_that_can_throw() {
    // try { int a = 1; call(); int b = 1 } catch { }
    let code = [ICONST_1, ISTORE_0, INVOKESTATIC, 0, 1, ICONST_1, ISTORE_1, RETURN, ASTORE_2, RETURN];
    let table = [ExceptionEntry { start: 0, end: 7, handler: 8, catch_type: 0 }];
    let v = view(&code, 3, b"()V", &table);
    assert_eq!([7, 8, 9].map(|bci| assigned(&v, bci)), [3, 1, 5]);
}

#[test]
fn a_subroutine_returns_with_what_it_stored() {
    // jsr; return; int a = 1; the address; ret
    let code = [JSR, 0, 4, RETURN, ASTORE_0, ICONST_1, ISTORE_1, RET, 0];
    let v = view(&code, 2, b"()V", &[]);
    assert_eq!([3, 4, 5, 7].map(|bci| assigned(&v, bci)), [3, 0, 1, 3]);
}

#[test]
fn a_loop_brings_its_stores_back() {
    // while (true) { use; int a = 1 }
    let code = [NOP, ICONST_1, ISTORE_0, GOTO, 0xff, 0xfd];
    let v = view(&code, 1, b"()V", &[]);
    assert_eq!([0, 3].map(|bci| assigned(&v, bci)), [1, 1]);
}
