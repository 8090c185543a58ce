//! Arguments of calls from foreign code, as slots of the Java stack.
//!
//! Invariant: one marshaller serves all forms. The slots lie in an array on the native stack, which
//! the collector scans, and nothing is allocated between marshalling and the call.
use crate::env::Ref;
use concord_contract::{BasicType, Obj};

/// `va_list` of the System V ABI for x86-64.
#[repr(C)]
pub struct VaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow: *const u8,
    save: *const u8,
}

impl VaList {
    const GP_END: u32 = 48;
    const FP_END: u32 = 176;
    fn next(&mut self, fp: bool) -> u64 {
        // SAFETY: the caller of the variadic function passed as many arguments as the descriptor
        // says; the save area has 6 integer and 8 vector registers.
        unsafe {
            let p = if fp && self.fp_offset < Self::FP_END {
                self.fp_offset += 16;
                self.save.add(self.fp_offset as usize - 16)
            } else if !fp && self.gp_offset < Self::GP_END {
                self.gp_offset += 8;
                self.save.add(self.gp_offset as usize - 8)
            } else {
                self.overflow = self.overflow.add(8);
                self.overflow.sub(8)
            };
            p.cast::<u64>().read_unaligned()
        }
    }
}

/// Where arguments come from.
pub enum Args<'a> {
    /// `const jvalue*`: 8 bytes each, the value in the first bytes.
    Array(*const u64),
    List(&'a mut VaList),
}

/// The slot of an int-like value of type `t` whose low bits are in `raw`.
pub fn narrow(t: BasicType, raw: u64) -> u64 {
    match t {
        BasicType::Boolean => (raw as u8 != 0) as u64,
        BasicType::Byte => raw as i8 as i32 as u32 as u64,
        BasicType::Char => raw as u16 as u64,
        BasicType::Short => raw as i16 as i32 as u32 as u64,
        BasicType::Int | BasicType::Float => raw as u32 as u64,
        BasicType::Long | BasicType::Double | BasicType::Object => raw,
        BasicType::Void => 0,
    }
}

impl Args<'_> {
    fn next(&mut self, i: usize, t: BasicType) -> u64 {
        let raw = match self {
            // SAFETY: JNI: the array has one element per parameter.
            Args::Array(p) => unsafe { p.add(i).read() },
            Args::List(l) => match t {
                // A float argument of a variadic function is passed as a double.
                BasicType::Float => (f64::from_bits(l.next(true)) as f32).to_bits() as u64,
                BasicType::Double => l.next(true),
                _ => l.next(false),
            },
        };
        match t {
            BasicType::Object => Ref::new(raw as *mut u64).get().addr() as u64,
            _ => narrow(t, raw),
        }
    }
    /// Writes receiver and parameters to `slots`; returns how many were written.
    pub fn marshal(&mut self, receiver: Option<Obj>, params: &[BasicType], slots: &mut [u64]) -> usize {
        let mut n = 0;
        if let Some(r) = receiver {
            slots[0] = r.addr() as u64;
            n = 1;
        }
        for (i, t) in params.iter().enumerate() {
            slots[n] = self.next(i, *t);
            n += t.slots();
        }
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BasicType::*;

    #[test]
    fn arrays_are_read_by_type() {
        let values = [0xdead_beef_ffff_ff80u64, 0xffff_ffff, 7 << 40, 1.5f32.to_bits() as u64 | 9 << 32, 0x1234_ff00];
        let mut slots = [0; 8];
        let n = Args::Array(values.as_ptr()).marshal(None, &[Byte, Char, Long, Float, Boolean], &mut slots);
        assert_eq!(n, 6);
        assert_eq!(slots[..6], [0xffff_ff80, 0xffff, 7 << 40, 0, 1.5f32.to_bits() as u64, 0]);
    }

    /// Sums what it reads from the list: 9 ints and 10 doubles, alternating, more than fit registers.
    extern "C" fn weighted_v(_a: usize, _b: usize, _c: usize, list: &mut VaList) -> f64 {
        let mut slots = [0; 64];
        let mut types = [Int, Double].repeat(9);
        types.push(Double);
        let n = Args::List(list).marshal(None, &types, &mut slots);
        assert_eq!(n, 9 + 20);
        let (mut at, mut sum) = (0, 0.0);
        for (k, t) in types.iter().enumerate() {
            let v = if *t == Int { slots[at] as u32 as i32 as f64 } else { f64::from_bits(slots[at]) };
            sum += v * (k + 1) as f64;
            at += t.slots();
        }
        sum
    }
    crate::variadic! { weighted -> weighted_v, 3, "rcx"; }

    #[test]
    fn variadic_functions_find_all_arguments() {
        type F = unsafe extern "C" fn(usize, usize, usize, ...) -> f64;
        // SAFETY: `weighted` is a variadic function with three fixed arguments.
        let f: F = unsafe { std::mem::transmute(weighted as *const ()) };
        // SAFETY: as many arguments as `weighted_v` reads.
        let got = unsafe {
            f(
                1, 2, 3, -1i32, 1.0f64, -2i32, 2.0f64, -3i32, 3.0f64, -4i32, 4.0f64, -5i32, 5.0f64, -6i32, 6.0f64,
                -7i32, 7.0f64, -8i32, 8.0f64, -9i32, 9.0f64, 10.0f64,
            )
        };
        let want: f64 = (1..=9).map(|i| i as f64 * ((2 * i) as f64 - (2 * i - 1) as f64)).sum::<f64>() + 10.0 * 19.0;
        assert_eq!(got, want);
    }
}
