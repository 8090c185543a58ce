//! The few x86-64 instructions of which adapters are made.
//!
//! Invariant: operands are 64 bits wide unless the name says otherwise, and memory operands have a
//! 32-bit displacement, so each instruction has one form.

/// General registers by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum R {
    Rax,
    Rcx,
    Rdx,
    Rbx,
    Rsp,
    Rbp,
    Rsi,
    Rdi,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
}

/// A memory operand.
#[derive(Clone, Copy, Debug)]
pub struct M(pub R, pub i32);

/// A forward jump to be bound.
#[must_use]
pub struct Jump(usize);

#[derive(Default)]
pub struct Asm {
    pub code: Vec<u8>,
}

impl Asm {
    fn rex(&mut self, w: bool, reg: u8, base: u8) {
        let b = 0x40 | (w as u8) << 3 | (reg >> 3) << 2 | (base >> 3);
        if b != 0x40 {
            self.code.push(b);
        }
    }
    fn mem(&mut self, reg: u8, m: M) {
        let base = m.0 as u8;
        self.code.push(0x80 | (reg & 7) << 3 | (base & 7));
        if base & 7 == 4 {
            self.code.push(0x24);
        }
        self.code.extend(m.1.to_le_bytes());
    }
    fn op_mem(&mut self, w: bool, op: &[u8], reg: u8, m: M) {
        self.rex(w, reg, m.0 as u8);
        self.code.extend(op);
        self.mem(reg, m);
    }
    fn op_reg(&mut self, w: bool, op: &[u8], reg: u8, rm: u8) {
        self.rex(w, reg, rm);
        self.code.extend(op);
        self.code.push(0xc0 | (reg & 7) << 3 | (rm & 7));
    }
    pub fn push(&mut self, r: R) {
        self.rex(false, 0, r as u8);
        self.code.push(0x50 | (r as u8 & 7));
    }
    pub fn pop(&mut self, r: R) {
        self.rex(false, 0, r as u8);
        self.code.push(0x58 | (r as u8 & 7));
    }
    pub fn push_mem(&mut self, m: M) {
        self.op_mem(false, &[0xff], 6, m);
    }
    pub fn mov(&mut self, to: R, from: R) {
        self.op_reg(true, &[0x89], from as u8, to as u8);
    }
    /// 32 bits, the upper half becomes zero.
    pub fn mov32(&mut self, to: R, from: R) {
        self.op_reg(false, &[0x89], from as u8, to as u8);
    }
    pub fn load(&mut self, to: R, m: M) {
        self.op_mem(true, &[0x8b], to as u8, m);
    }
    /// 32 bits, the upper half becomes zero.
    pub fn load32(&mut self, to: R, m: M) {
        self.op_mem(false, &[0x8b], to as u8, m);
    }
    /// 16 bits, zero-extended.
    pub fn load16(&mut self, to: R, m: M) {
        self.op_mem(false, &[0x0f, 0xb7], to as u8, m);
    }
    /// 32 bits, sign-extended.
    pub fn load_signed32(&mut self, to: R, m: M) {
        self.op_mem(true, &[0x63], to as u8, m);
    }
    /// 8 bits, zero-extended.
    pub fn load8(&mut self, to: R, m: M) {
        self.op_mem(false, &[0x0f, 0xb6], to as u8, m);
    }
    pub fn store(&mut self, m: M, from: R) {
        self.op_mem(true, &[0x89], from as u8, m);
    }
    pub fn store_zero(&mut self, m: M) {
        self.op_mem(true, &[0xc7], 0, m);
        self.code.extend([0; 4]);
    }
    pub fn lea(&mut self, to: R, m: M) {
        self.op_mem(true, &[0x8d], to as u8, m);
    }
    pub fn zero(&mut self, r: R) {
        self.op_reg(false, &[0x31], r as u8, r as u8);
    }
    pub fn add(&mut self, r: R, v: i32) {
        self.op_reg(true, &[0x81], 0, r as u8);
        self.code.extend(v.to_le_bytes());
    }
    pub fn shl(&mut self, r: R, n: u8) {
        self.op_reg(true, &[0xc1], 4, r as u8);
        self.code.push(n);
    }
    /// By the number in cl, modulo 64.
    pub fn shl_cl(&mut self, r: R) {
        self.op_reg(true, &[0xd3], 4, r as u8);
    }
    pub fn not(&mut self, r: R) {
        self.op_reg(true, &[0xf7], 2, r as u8);
    }
    /// How many bits of `from` are set. Not every processor has it.
    pub fn popcnt(&mut self, to: R, from: R) {
        self.code.push(0xf3);
        self.op_reg(true, &[0x0f, 0xb8], to as u8, from as u8);
    }
    pub fn mov_imm(&mut self, r: R, v: usize) {
        self.rex(true, 0, r as u8);
        self.code.push(0xb8 | (r as u8 & 7));
        self.code.extend(v.to_le_bytes());
    }
    /// The lower 8 bytes of xmm`x` from memory.
    pub fn load_sd(&mut self, x: u8, m: M) {
        self.code.push(0xf2);
        self.op_mem(false, &[0x0f, 0x10], x, m);
    }
    /// The lower 4 bytes of xmm`x`, zero-extended.
    pub fn movd_from(&mut self, to: R, x: u8) {
        self.code.push(0x66);
        self.op_reg(false, &[0x0f, 0x7e], x, to as u8);
    }
    /// The lower 8 bytes of xmm`x`.
    pub fn movq_from(&mut self, to: R, x: u8) {
        self.code.push(0x66);
        self.op_reg(true, &[0x0f, 0x7e], x, to as u8);
    }
    /// The lower 8 bytes of xmm`x`, the upper ones zero.
    pub fn movq_to(&mut self, x: u8, from: R) {
        self.code.push(0x66);
        self.op_reg(true, &[0x0f, 0x6e], x, from as u8);
    }
    /// The lower 8 bytes of xmm`x` to memory.
    pub fn store_sd(&mut self, m: M, x: u8) {
        self.code.push(0xf2);
        self.op_mem(false, &[0x0f, 0x11], x, m);
    }
    /// One immediate word.
    pub fn push_imm(&mut self, v: i32) {
        self.code.push(0x68);
        self.code.extend(v.to_le_bytes());
    }
    pub fn mov_imm32(&mut self, r: R, v: u32) {
        self.rex(false, 0, r as u8);
        self.code.push(0xb8 | (r as u8 & 7));
        self.code.extend(v.to_le_bytes());
    }
    /// 32 bits.
    pub fn store_imm32(&mut self, m: M, v: u32) {
        self.op_mem(false, &[0xc7], 0, m);
        self.code.extend(v.to_le_bytes());
    }
    /// 32 bits; atomic, and a full fence.
    pub fn xchg32(&mut self, m: M, r: R) {
        self.op_mem(false, &[0x87], r as u8, m);
    }
    pub fn add_mem(&mut self, r: R, m: M) {
        self.op_mem(true, &[0x03], r as u8, m);
    }
    pub fn sub_mem(&mut self, r: R, m: M) {
        self.op_mem(true, &[0x2b], r as u8, m);
    }
    pub fn shr(&mut self, r: R, n: u8) {
        self.op_reg(true, &[0xc1], 5, r as u8);
        self.code.push(n);
    }
    pub fn and_imm(&mut self, r: R, v: i32) {
        self.op_reg(true, &[0x81], 4, r as u8);
        self.code.extend(v.to_le_bytes());
    }
    /// Moves unless the last test found zero.
    pub fn cmovne(&mut self, to: R, from: R) {
        self.op_reg(true, &[0x0f, 0x45], to as u8, from as u8);
    }
    /// eax from al, sign-extended.
    pub fn sign_extend_byte(&mut self) {
        self.code.extend([0x0f, 0xbe, 0xc0]);
    }
    /// eax from ax, sign-extended.
    pub fn sign_extend_short(&mut self) {
        self.code.extend([0x0f, 0xbf, 0xc0]);
    }
    /// eax from ax, zero-extended.
    pub fn zero_extend_char(&mut self) {
        self.code.extend([0x0f, 0xb7, 0xc0]);
    }
    /// eax is 1 if al is not zero, and 0 if it is.
    pub fn al_to_bool(&mut self) {
        self.code.extend([0x84, 0xc0, 0x0f, 0x95, 0xc0, 0x0f, 0xb6, 0xc0]);
    }
    /// The lower 32 bits of memory against a mask.
    pub fn test_mem32(&mut self, m: M, mask: u32) {
        self.op_mem(false, &[0xf7], 0, m);
        self.code.extend(mask.to_le_bytes());
    }
    pub fn test_imm(&mut self, r: R, mask: i32) {
        self.op_reg(true, &[0xf7], 0, r as u8);
        self.code.extend(mask.to_le_bytes());
    }
    pub fn cmp(&mut self, a: R, b: R) {
        self.op_reg(true, &[0x39], b as u8, a as u8);
    }
    pub fn cmp_imm(&mut self, r: R, v: i32) {
        self.op_reg(true, &[0x81], 7, r as u8);
        self.code.extend(v.to_le_bytes());
    }
    pub fn cmp_mem_zero(&mut self, m: M) {
        self.op_mem(true, &[0x83], 7, m);
        self.code.push(0);
    }
    pub fn test(&mut self, a: R, b: R) {
        self.op_reg(true, &[0x85], b as u8, a as u8);
    }
    pub fn cmp_mem(&mut self, r: R, m: M) {
        self.op_mem(true, &[0x3b], r as u8, m);
    }
    pub fn call(&mut self, r: R) {
        self.op_reg(false, &[0xff], 2, r as u8);
    }
    pub fn jmp(&mut self, r: R) {
        self.op_reg(false, &[0xff], 4, r as u8);
    }
    pub fn jmp_mem(&mut self, m: M) {
        self.op_mem(false, &[0xff], 4, m);
    }
    /// Jumps to `[base + 8 * index]`.
    pub fn jmp_table(&mut self, base: R, index: R) {
        let rex = 0x40 | (index as u8 >> 3) << 1 | (base as u8 >> 3);
        self.code.extend([rex, 0xff, 0x84 | 4 << 3 & 0x38, 0xc0 | (index as u8 & 7) << 3 | (base as u8 & 7)]);
        self.code.extend([0; 4]);
    }
    fn jcc(&mut self, condition: u8) -> Jump {
        self.code.extend([0x0f, condition, 0, 0, 0, 0]);
        Jump(self.code.len())
    }
    /// Unsigned below.
    pub fn jb(&mut self) -> Jump {
        self.jcc(0x82)
    }
    /// Unsigned above.
    pub fn ja(&mut self) -> Jump {
        self.jcc(0x87)
    }
    pub fn jmp_forward(&mut self) -> Jump {
        self.code.extend([0xe9, 0, 0, 0, 0]);
        Jump(self.code.len())
    }
    pub fn ret(&mut self) {
        self.code.push(0xc3);
    }
    /// Unsigned not below.
    pub fn jae(&mut self) -> Jump {
        self.jcc(0x83)
    }
    pub fn je(&mut self) -> Jump {
        self.jcc(0x84)
    }
    pub fn jne(&mut self) -> Jump {
        self.jcc(0x85)
    }
    /// The sign is set.
    pub fn js(&mut self) -> Jump {
        self.jcc(0x88)
    }
    /// From `[base + 8 * index + displacement]`.
    pub fn load_indexed(&mut self, to: R, base: R, index: R, displacement: i32) {
        self.code.push(0x48 | (to as u8 >> 3) << 2 | (index as u8 >> 3) << 1 | (base as u8 >> 3));
        self.code.extend([0x8b, 0x84 | (to as u8 & 7) << 3]);
        self.code.push(0xc0 | (index as u8 & 7) << 3 | (base as u8 & 7));
        self.code.extend(displacement.to_le_bytes());
    }
    pub fn bind(&mut self, j: Jump) {
        let d = (self.code.len() - j.0) as i32;
        self.code[j.0 - 4..j.0].copy_from_slice(&d.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use R::*;

    fn bytes(f: impl FnOnce(&mut Asm)) -> Vec<u8> {
        let mut a = Asm::default();
        f(&mut a);
        a.code
    }

    /// The encodings as GNU as gives them for the same forms.
    #[test]
    fn encodings() {
        assert_eq!(bytes(|a| a.push(R12)), [0x41, 0x54]);
        assert_eq!(bytes(|a| a.mov(R11, Rdx)), [0x49, 0x89, 0xd3]);
        assert_eq!(bytes(|a| a.mov32(R9, Rax)), [0x41, 0x89, 0xc1]);
        assert_eq!(bytes(|a| a.load(Rsi, M(R11, -8))), [0x49, 0x8b, 0xb3, 0xf8, 0xff, 0xff, 0xff]);
        assert_eq!(bytes(|a| a.load(Rax, M(Rsp, 8))), [0x48, 0x8b, 0x84, 0x24, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.load16(Rax, M(Rsi, 0))), [0x0f, 0xb7, 0x86, 0, 0, 0, 0]);
        assert_eq!(bytes(|a| a.load8(Rcx, M(R10, 3))), [0x41, 0x0f, 0xb6, 0x8a, 3, 0, 0, 0]);
        assert_eq!(bytes(|a| a.load_signed32(R10, M(Rax, 8))), [0x4c, 0x63, 0x90, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.shl_cl(Rdi)), [0x48, 0xd3, 0xe7]);
        assert_eq!(bytes(|a| a.not(Rcx)), [0x48, 0xf7, 0xd1]);
        assert_eq!(bytes(|a| a.popcnt(Rdi, Rdi)), [0xf3, 0x48, 0x0f, 0xb8, 0xff]);
        assert_eq!(bytes(|a| a.store(M(R15, 16), Rdx)), [0x49, 0x89, 0x97, 16, 0, 0, 0]);
        assert_eq!(bytes(|a| a.store_zero(M(R15, 16))), [0x49, 0xc7, 0x87, 16, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes(|a| a.load_sd(3, M(R11, 0))), [0xf2, 0x41, 0x0f, 0x10, 0x9b, 0, 0, 0, 0]);
        assert_eq!(bytes(|a| a.movd_from(R9, 0)), [0x66, 0x41, 0x0f, 0x7e, 0xc1]);
        assert_eq!(bytes(|a| a.movq_from(Rcx, 0)), [0x66, 0x48, 0x0f, 0x7e, 0xc1]);
        assert_eq!(bytes(|a| a.cmp_mem(Rsp, M(R15, 4))), [0x49, 0x3b, 0xa7, 4, 0, 0, 0]);
        assert_eq!(bytes(|a| a.jmp_table(R10, Rax)), [0x41, 0xff, 0xa4, 0xc2, 0, 0, 0, 0]);
        assert_eq!(bytes(|a| a.load_indexed(R10, Rax, R10, 0)), [0x4e, 0x8b, 0x94, 0xd0, 0, 0, 0, 0]);
        assert_eq!(bytes(|a| a.load_indexed(Rdi, R10, R11, 8)), [0x4b, 0x8b, 0xbc, 0xda, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.shl(Rax, 3)), [0x48, 0xc1, 0xe0, 3]);
        assert_eq!(bytes(|a| a.push_mem(M(R11, 8))), [0x41, 0xff, 0xb3, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.call(Rax)), [0xff, 0xd0]);
        assert_eq!(bytes(|a| a.add(Rdx, -16)), [0x48, 0x81, 0xc2, 0xf0, 0xff, 0xff, 0xff]);
        assert_eq!(bytes(|a| a.test(Rax, Rax)), [0x48, 0x85, 0xc0]);
        assert_eq!(bytes(|a| a.cmp(Rax, R10)), [0x4c, 0x39, 0xd0]);
    }

    #[test]
    fn encodings_of_native_wrappers() {
        assert_eq!(bytes(|a| a.movq_to(0, Rax)), [0x66, 0x48, 0x0f, 0x6e, 0xc0]);
        assert_eq!(bytes(|a| a.store_sd(M(R10, 8), 7)), [0xf2, 0x41, 0x0f, 0x11, 0xba, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.push_imm(96)), [0x68, 96, 0, 0, 0]);
        assert_eq!(bytes(|a| a.mov_imm32(Rcx, 1)), [0xb9, 1, 0, 0, 0]);
        assert_eq!(bytes(|a| a.store_imm32(M(R15, 8), 2)), [0x41, 0xc7, 0x87, 8, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(bytes(|a| a.xchg32(M(R15, 8), Rcx)), [0x41, 0x87, 0x8f, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.add_mem(R12, M(R15, 8))), [0x4d, 0x03, 0xa7, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.sub_mem(R12, M(R15, 8))), [0x4d, 0x2b, 0xa7, 8, 0, 0, 0]);
        assert_eq!(bytes(|a| a.shr(R12, 3)), [0x49, 0xc1, 0xec, 3]);
        assert_eq!(bytes(|a| a.and_imm(Rcx, -2)), [0x48, 0x81, 0xe1, 0xfe, 0xff, 0xff, 0xff]);
        assert_eq!(bytes(|a| a.cmovne(R9, R12)), [0x4d, 0x0f, 0x45, 0xcc]);
        assert_eq!(bytes(|a| a.test_mem32(M(R15, 8), 5)), [0x41, 0xf7, 0x87, 8, 0, 0, 0, 5, 0, 0, 0]);
        assert_eq!(bytes(|a| a.test_imm(Rax, 1)), [0x48, 0xf7, 0xc0, 1, 0, 0, 0]);
        assert_eq!(bytes(|a| a.cmp_imm(Rax, 9)), [0x48, 0x81, 0xf8, 9, 0, 0, 0]);
        assert_eq!(bytes(|a| a.cmp_mem_zero(M(R15, 8))), [0x49, 0x83, 0xbf, 8, 0, 0, 0, 0]);
        let forward = bytes(|a| {
            let j = a.jmp_forward();
            a.zero(Rax);
            a.bind(j);
        });
        assert_eq!(forward, [0xe9, 2, 0, 0, 0, 0x31, 0xc0]);
    }
}
