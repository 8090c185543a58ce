//! The 32-bit lock word. Invariant owned here: every value of the word is one of the four
//! encodings below, bit 2 means LOCAL in each of them, and nobody else takes the word apart.
//!
//! ```text
//!  31                                 3  2  1 0
//! | 0                                 | L | 00 |  empty    never locked, never hashed
//! | identity hash, 29 bits            | L | 01 |  hash     unlocked, hash assigned
//! | record offset (bits 31..6) | 0..0 | L | 10 |  monitor  a record is attached
//! | token                             | L | 11 |  token    not a local monitor (exported object)
//! ```
//!
//! A record offset is a byte offset into the record table and 64-aligned, so the address of the
//! record is `table + (word & !63)`, without a shift. LOCAL says that no other thread can reach
//! the object (memory model room); the bit survives locking because the record's displaced hash
//! word carries it too.

use std::fmt;
use std::str::FromStr;

/// Mask of the two tag bits.
pub const TAG_MASK: u32 = 0b11;
/// Tag of a word that carries nothing (only the LOCAL bit may be set).
pub const TAG_EMPTY: u32 = 0b00;
/// Tag of an unlocked word that carries the identity hash.
pub const TAG_HASH: u32 = 0b01;
/// Tag of a word that names a monitor record.
pub const TAG_MONITOR: u32 = 0b10;
/// Tag of a word that this room does not interpret.
pub const TAG_TOKEN: u32 = 0b11;
/// The LOCAL bit, at the same place in every encoding.
pub const LOCAL: u32 = 0b100;
/// First bit of the identity hash.
pub const HASH_SHIFT: u32 = 3;
/// Number of identity hash bits.
pub const HASH_BITS: u32 = 29;
/// Mask of the record offset.
pub const RECORD_MASK: u32 = !63;

/// One value of a lock word.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct LockWord(pub u32);

impl LockWord {
    /// The word of a new object that other threads may reach.
    pub const EMPTY: LockWord = LockWord(0);

    /// A word that carries `hash`.
    #[inline(always)]
    pub const fn hash(hash: u32, local: bool) -> LockWord {
        LockWord(hash << HASH_SHIFT | (local as u32) << 2 | TAG_HASH)
    }

    /// A word that names the record at byte `offset` of the table.
    #[inline(always)]
    pub const fn monitor(offset: u32, local: bool) -> LockWord {
        LockWord(offset & RECORD_MASK | (local as u32) << 2 | TAG_MONITOR)
    }

    /// The two tag bits.
    #[inline(always)]
    pub const fn tag(self) -> u32 {
        self.0 & TAG_MASK
    }

    /// Whether a record is attached.
    #[inline(always)]
    pub const fn is_monitor(self) -> bool {
        self.tag() == TAG_MONITOR
    }

    /// Whether the word names no record and is this room's: nobody owns the object.
    #[inline(always)]
    pub const fn has_no_record(self) -> bool {
        // The tags of record and token have this bit in common.
        self.0 & TAG_MONITOR == 0
    }

    /// Whether only one thread can reach the object.
    #[inline(always)]
    pub const fn is_local(self) -> bool {
        self.0 & LOCAL != 0
    }

    /// Byte offset of the attached record; meaningful only if [`is_monitor`](Self::is_monitor).
    #[inline(always)]
    pub const fn record_offset(self) -> u32 {
        self.0 & RECORD_MASK
    }

    /// The hash of a hash word.
    #[inline(always)]
    pub const fn hash_bits(self) -> u32 {
        self.0 >> HASH_SHIFT
    }

    /// Equal but for the LOCAL bit, which publication may clear while a record is attached.
    #[inline(always)]
    pub const fn same_record(self, other: LockWord) -> bool {
        self.0 & !LOCAL == other.0 & !LOCAL
    }
}

impl fmt::Display for LockWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tag() {
            TAG_EMPTY => write!(f, "empty")?,
            TAG_HASH => write!(f, "hash {:#x}", self.hash_bits())?,
            TAG_MONITOR => write!(f, "monitor {:#x}", self.record_offset())?,
            _ => write!(f, "token {:#x}", self.hash_bits())?,
        }
        if self.is_local() { write!(f, " local") } else { Ok(()) }
    }
}

impl fmt::Debug for LockWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LockWord({self})")
    }
}

/// The text is not the printed form of a lock word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLockWordError;

impl fmt::Display for ParseLockWordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `empty`, `hash 0xH`, `monitor 0xOFFSET` or `token 0xT`, then optionally `local`")
    }
}

impl std::error::Error for ParseLockWordError {}

impl FromStr for LockWord {
    type Err = ParseLockWordError;

    fn from_str(text: &str) -> Result<LockWord, ParseLockWordError> {
        let mut parts = text.split_whitespace();
        let kind = parts.next().ok_or(ParseLockWordError)?;
        let mut number = || -> Result<u32, ParseLockWordError> {
            let digits = parts.next().and_then(|p| p.strip_prefix("0x")).ok_or(ParseLockWordError)?;
            u32::from_str_radix(digits, 16).map_err(|_| ParseLockWordError)
        };
        let word = match kind {
            "empty" => LockWord::EMPTY,
            "hash" | "token" => {
                let n = number()?;
                if n >> HASH_BITS != 0 {
                    return Err(ParseLockWordError);
                }
                LockWord(n << HASH_SHIFT | if kind == "hash" { TAG_HASH } else { TAG_TOKEN })
            }
            "monitor" => {
                let offset = number()?;
                if offset & !RECORD_MASK != 0 {
                    return Err(ParseLockWordError);
                }
                LockWord::monitor(offset, false)
            }
            _ => return Err(ParseLockWordError),
        };
        match (parts.next(), parts.next()) {
            (None, _) => Ok(word),
            (Some("local"), None) => Ok(LockWord(word.0 | LOCAL)),
            _ => Err(ParseLockWordError),
        }
    }
}

#[cfg(all(test, not(loom), not(shuttle)))]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for raw in [
            0,
            LOCAL,
            LockWord::hash(0x1fff_ffff, false).0,
            LockWord::hash(7, true).0,
            LockWord::monitor(0xffff_ffc0, true).0,
            LockWord::monitor(64, false).0,
            TAG_TOKEN | 5 << 3,
        ] {
            let word = LockWord(raw);
            assert_eq!(word.to_string().parse::<LockWord>(), Ok(word), "{word}");
        }
    }

    #[test]
    fn text_that_is_no_word_is_refused() {
        for bad in
            ["", "empty 3", "hash", "hash 12", "hash 0x20000000", "monitor 0x41", "empty local local", "lock 0x40"]
        {
            assert_eq!(bad.parse::<LockWord>(), Err(ParseLockWordError), "{bad}");
        }
    }

    #[test]
    fn local_does_not_hide_the_record() {
        let shared = LockWord::monitor(0x1240, false);
        let local = LockWord::monitor(0x1240, true);
        assert!(shared.same_record(local) && shared != local);
        assert_eq!(local.record_offset(), 0x1240);
        assert!(!shared.same_record(LockWord::monitor(0x1280, false)));
    }
}
