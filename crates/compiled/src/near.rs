//! Rows within reach of a call with a displacement of 32 bits, 5 bytes where a whole address takes 12.
//!
//! Invariant: from all code of the area the row's address as given here is no further than such a displacement goes, and what is
//! there does as the row itself does, registers and all. It is the row itself where the area came to lie near this library,
//! which `area` asks the system for; else a jump at the area's start, by way of a word behind it.
use crate::area::{self, Area};
use concord_base::bug;
use concord_contract::rows::{self, Row};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The jumps, by row; 0 if all rows are near.
static JUMPS: AtomicUsize = AtomicUsize::new(0);
/// Of a jump and its word.
const BYTES: usize = 16;

/// `jmp [rip + 2]`, and what nobody comes to.
const JUMP: [u8; 8] = [0xff, 0x25, 2, 0, 0, 0, 0x0f, 0x0b];

fn jump(to: usize) -> [u8; BYTES] {
    let mut code = [0; BYTES];
    code[..8].copy_from_slice(&JUMP);
    code[8..].copy_from_slice(&to.to_le_bytes());
    code
}

/// Makes jumps if a row is far from the area; once, behind the last [`rows::set_address`].
pub(crate) fn make(area: &Area) {
    let addresses: Vec<usize> = rows::ALL.iter().map(|r| rows::address(*r).unwrap_or(0)).collect();
    if addresses.iter().all(|a| area.is_near(*a)) {
        return;
    }
    let code: Vec<u8> = addresses.iter().flat_map(|a| jump(*a)).collect();
    let Some(at) = area.take(code.len()) else { bug!("the code area has no room for {} bytes", code.len()) };
    area.write(at, &code);
    let start = area.address_of(at);
    // Not shown to debuggers, which look for a frame in what they are told of.
    crate::print::perf_map_entry(start, code.len(), || "row jumps".into());
    JUMPS.store(start, Ordering::Release);
}

/// Where code of the area calls the row; None before the row has an address.
pub(crate) fn address(row: Row) -> Option<usize> {
    let itself = rows::address(row)?;
    Some(match JUMPS.load(Ordering::Acquire) {
        0 => itself,
        _ if area::get().is_some_and(|a| a.is_near(itself)) => itself,
        jumps => jumps + BYTES * row as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "sysv64" fn nine() -> i32 {
        9
    }

    #[test]
    fn a_jump_goes_where_its_word_says() {
        let a = Area::reserve(1 << 16).unwrap();
        let code = jump(nine as *const () as usize);
        let at = a.take(code.len()).unwrap();
        a.write(at, &code);
        // SAFETY: the jump leads to a function of this type.
        let f: extern "sysv64" fn() -> i32 = unsafe { std::mem::transmute(a.address_of(at)) };
        assert_eq!(f(), 9);
        let (low, high) = (a.address_of(0), a.address_of(a.size()));
        assert!(a.is_near(low) && !a.is_near(high + (1 << 31)) && !a.is_near(low - (1 << 31)));
        assert!(a.is_near(low + i32::MAX as usize - 16) && !a.is_near(low + (1 << 31)));
    }
}
