//! Machine code as the compiler writes it, and what was accessed in front of each place.
use super::*;

/// rax = 0x1000, rcx = 0x2000, rdi = 3.
fn registers() -> Registers {
    let mut r = [0; 23];
    r[libc::REG_RAX as usize] = 0x1000;
    r[libc::REG_RCX as usize] = 0x2000;
    r[libc::REG_RDI as usize] = 3;
    r[libc::REG_RSP as usize] = 0x9000;
    r
}
const START: usize = 0x40_0000;
fn at(code: &[u8], pc: usize, registers: &Registers) -> Option<(usize, u8, bool)> {
    let code = Code { start: START, bytes: code, known: &|_| Some(0) };
    before(&code, START + pc, registers, &mut Judge::default(), |a| a < 0x8000).map(|a| (a.address, a.width, a.writes))
}
fn found(code: &[u8]) -> Option<(usize, u8, bool)> {
    at(code, code.len(), &registers())
}

const STORE: &[u8] = &[0x48, 0x89, 0x50, 0x10]; // mov [rax+16], rdx
const FENCE: &[u8] = &[0xf0, 0x83, 0x4c, 0x24, 0xc0, 0x00]; // lock or dword [rsp-64], 0
const ASK: &[u8] = &[0xf7, 0x00, 0x04, 0x00, 0x00, 0x00]; // test dword [rax], 4
const BRANCH: &[u8] = &[0x75, 0x06]; // jnz over the fence
const NOP: &[u8] = &[0x90];

#[test]
fn the_access_in_front() {
    assert_eq!(found(STORE), Some((0x1010, 8, true)));
    assert_eq!(found(&[0x48, 0x8b, 0x54, 0xf8, 0x10]), Some((0x1028, 8, false)), "mov rdx, [rax+rdi*8+16]");
    assert_eq!(found(&[0xf0, 0x48, 0x0f, 0xc1, 0x10]), Some((0x1000, 8, true)), "lock xadd [rax], rdx");
    assert_eq!(found(&[0x39, 0x50, 0x08]), Some((0x1008, 4, false)), "cmp [rax+8], edx");
}
#[test]
fn a_fence_is_its_stores() {
    assert_eq!(found(&[STORE, ASK, BRANCH, FENCE].concat()), Some((0x1010, 8, true)));
    assert_eq!(found(&[STORE, ASK].concat()), Some((0x1010, 8, true)));
    assert_eq!(
        found(&[STORE, &[0xf7, 0x40, 0x0c, 4, 0, 0, 0]].concat()),
        Some((0x100c, 4, false)),
        "test dword [rax+12], 4"
    );
    let behind = |n: usize| found(&[STORE, &NOP.repeat(n)].concat());
    assert_eq!(behind(BACK - 1), Some((0x1010, 8, true)));
    assert_eq!(behind(BACK), None, "further back than what is looked at");
}
#[test]
fn a_fence_behind_the_code_is_its_stores() {
    const LOAD: &[u8] = &[0x8b, 0x10]; // mov edx, [rax]
    const ASK: &[u8] = &[0xf6, 0xc2, 0x04]; // test dl, 4
    const BRANCH: &[u8] = &[0x74, 0x05]; // je to the fence
    const BACK: &[u8] = &[0xeb, 0xf3]; // jmp back
    const ELSEWHERE: &[u8] = &[0x90, 0x90, 0x90, 0x90, 0xc3]; // ... ret
    let code = [STORE, LOAD, ASK, BRANCH, ELSEWHERE, FENCE, BACK].concat();
    assert_eq!(at(&code, code.len() - BACK.len(), &registers()), Some((0x1010, 8, true)));
    // The thread may not have come to the fence from there; and the loop may go on in front of it.
    let other = [STORE, LOAD, ASK, &[0x74, 0x00], ELSEWHERE, FENCE, BACK].concat();
    assert_eq!(at(&other, other.len() - BACK.len(), &registers()), None);
    let endless = [STORE, LOAD, ASK, BRANCH, &[0xe9, 0xee, 0xff, 0xff, 0xff], FENCE, BACK].concat();
    assert_eq!(at(&endless, endless.len() - BACK.len(), &registers()), Some((0x1010, 8, true)));
    // What the fence jumps back to is not known to be behind the store, or there is no fence.
    assert_eq!(at(&code, code.len(), &registers()), None);
    let code = [STORE, LOAD, ASK, BRANCH, ELSEWHERE, NOP, BACK].concat();
    assert_eq!(at(&code, code.len() - BACK.len(), &registers()), None);
    // A question that holds up is an access of the header itself.
    assert_eq!(found(&[STORE, LOAD].concat()), Some((0x1000, 4, false)));
}
#[test]
fn what_has_changed_gives_nothing() {
    assert_eq!(found(&[0x48, 0x8b, 0x40, 0x10]), None, "mov rax, [rax+16]");
    assert_eq!(found(&[STORE, &[0x48, 0x89, 0xc8]].concat()), None, "mov rax, rcx behind");
    assert_eq!(found(&[STORE, &[0x48, 0x89, 0xd1]].concat()), Some((0x1010, 8, true)), "mov rcx, rdx behind");
    // lock cmpxchg [rax+8], rcx leaves what it found in rax.
    assert_eq!(found(&[0xf0, 0x48, 0x0f, 0xb1, 0x48, 0x08]), None);
}
#[test]
fn what_was_not_run_in_sequence_gives_nothing() {
    assert_eq!(found(&[STORE, &[0xc3]].concat()), None, "ret");
    assert_eq!(found(&[STORE, &[0xff, 0xd2]].concat()), None, "call rdx");
    assert_eq!(found(&[STORE, &[0xeb, 0x00], NOP].concat()), None, "jmp");
    assert_eq!(found(&[STORE, &[0x06]].concat()), None, "no instruction");
}
#[test]
fn other_memory_is_passed_over() {
    let mut far = registers();
    far[libc::REG_RCX as usize] = 0x10000;
    let code = [STORE, &[0x48, 0x89, 0x11]].concat(); // mov [rcx], rdx
    assert_eq!(at(&code, code.len(), &far), Some((0x1010, 8, true)));
}
#[test]
fn decoding_begins_where_an_instruction_does() {
    let known = [0u32, 100, 200, 300];
    let at = |offset| beginning(&known, |k| *k, offset);
    assert_eq!(at(400), Some(300));
    assert_eq!(at(300 + LEAST), Some(300));
    assert_eq!(at(299 + LEAST), Some(200), "with room in front");
    assert_eq!(at(20), Some(0));
    assert_eq!(at(300 + REACH), Some(300));
    assert_eq!(at(301 + REACH), None);
    assert_eq!(beginning(&[] as &[u32], |k| *k, 40), Some(0));
}
#[test]
fn what_a_jump_may_have_come_to_gives_nothing() {
    // A branch over the store, and one behind that comes back between the two.
    const OVER: &[u8] = &[0x74, 0x04]; // je behind the store
    assert_eq!(found(&[OVER, STORE].concat()), None);
    assert_eq!(found(&[&[0x74, 0x00], STORE].concat()), Some((0x1010, 8, true)), "to the store itself");
    let behind = |branch: &[u8]| {
        let code = [STORE, NOP, branch].concat();
        at(&code, STORE.len() + NOP.len(), &registers())
    };
    assert_eq!(behind(&[0x7c, 0xfe]), None, "jl to itself");
    assert_eq!(behind(&[0x7c, 0xfd]), None, "jl behind the store");
    assert_eq!(behind(&[0x7c, 0xf9]), Some((0x1010, 8, true)), "jl to the store");
    assert_eq!(behind(&[0xc3, 0x7c, 0xfc]), Some((0x1010, 8, true)), "behind a return");
}
#[test]
fn tables_of_jumps_are_no_code() {
    assert_eq!(found(&[&[0xff, 0xe1], STORE].concat()), None, "jmp rcx in front");
}
#[test]
fn what_instructions_do_is_known() {
    assert_eq!(found(&[0xf7, 0x20]), None, "mul [rax] changes rax");
    assert_eq!(found(&[0xf7, 0x21]), Some((0x2000, 4, false)), "mul [rcx] reads");
    assert_eq!(found(&[0xff, 0x01]), Some((0x2000, 4, true)), "inc [rcx] writes");
    assert_eq!(found(&[0x0f, 0xa3, 0x11]), Some((0x2000, 4, false)), "bt [rcx], edx reads");
    assert_eq!(found(&[STORE, &[0x48, 0x98]].concat()), None, "cdqe changes rax");
    assert_eq!(found(&[STORE, &[0xf3, 0xa4]].concat()), None, "rep movsb");
    assert_eq!(found(&[STORE, &[0x0f, 0x18, 0x09]].concat()), Some((0x1010, 8, true)), "a prefetch is no access");
}
