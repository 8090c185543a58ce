//! Superinstructions, laid over words that stay valid instructions of their own.
//!
//! Invariant: only the opcode of the first word changes; the others are what they were. So branch
//! targets, return addresses, deoptimisation and exception ranges inside a superinstruction need
//! no care. Every component but the last is pure (it reads locals, constants or the stack), so a
//! slow case starts again with the plain first component.

/// Lays superinstructions over freshly translated words.
pub fn fuse(_bytecode: &[u8], _words: &mut [u32]) {}

/// Lays superinstructions over the words before a field access that was just quickened.
pub fn fuse_field(_m: &concord_contract::Method, _pc: *const u32) {}

/// Whether the superinstruction `op` contains a quickened field access.
pub fn has_field(_op: u16) -> bool {
    false
}

/// The plain first component of the superinstruction `op`.
pub fn head(op: u16) -> u16 {
    op
}
