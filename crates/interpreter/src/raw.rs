//! Class-file bytecode: lengths, and the words that an instruction becomes.
//!
//! Invariant: how many words an instruction takes is a function of its bytes alone, and never more
//! than its bytes. So a bytecode index and a word index are converted into each other by a scan,
//! and no table stays resident.

#[inline(always)]
pub fn u16_at(code: &[u8], i: usize) -> u16 {
    u16::from_be_bytes([code[i], code[i + 1]])
}
#[inline(always)]
pub fn i32_at(code: &[u8], i: usize) -> i32 {
    i32::from_be_bytes([code[i], code[i + 1], code[i + 2], code[i + 3]])
}
/// First aligned operand of a switch at `bci`.
#[inline(always)]
pub fn switch_operands(bci: usize) -> usize {
    (bci + 4) & !3
}

/// Bytes of the fixed-length instructions; 0 where the operands decide, or no such opcode.
const LENGTH: [u8; 256] = {
    let mut t = [0u8; 256];
    let mut i = 0;
    while i <= 201 {
        t[i] = match i {
            16 | 18 | 21..=25 | 54..=58 | 169 | 188 => 2,
            17 | 19 | 20 | 132 | 153..=168 | 178..=184 | 187 | 189 | 192 | 193 | 198 | 199 => 3,
            197 => 4,
            185 | 186 | 200 | 201 => 5,
            170 | 171 | 196 => 0,
            _ => 1,
        };
        i += 1;
    }
    t
};

/// (bytes, words) of the instruction at `bci`.
#[inline]
pub fn size(code: &[u8], bci: usize) -> (usize, usize) {
    let op = code[bci];
    match op {
        18 | 19 | 197 | 200 | 201 => (LENGTH[op as usize] as usize, 2),
        20 => (3, 3),
        170 => {
            let a = switch_operands(bci);
            let n = (i32_at(code, a + 8) as i64 - i32_at(code, a + 4) as i64 + 1) as usize;
            (a + 12 + 4 * n - bci, 4 + n)
        }
        171 => {
            let a = switch_operands(bci);
            let n = i32_at(code, a + 4) as usize;
            (a + 8 + 8 * n - bci, 3 + 2 * n)
        }
        196 => {
            if code[bci + 1] == 132 {
                (6, 2)
            } else {
                (4, 1)
            }
        }
        _ => match LENGTH[op as usize] {
            0 => concord_base::bug!("opcode {op} at {bci} passed verification"),
            n => (n as usize, 1),
        },
    }
}

/// All instructions: (bci, word index).
pub fn instructions(code: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let (mut bci, mut word) = (0, 0);
    std::iter::from_fn(move || {
        if bci >= code.len() {
            return None;
        }
        let here = (bci, word);
        let (b, w) = size(code, bci);
        bci += b;
        word += w;
        Some(here)
    })
}
