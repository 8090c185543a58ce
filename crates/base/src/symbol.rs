//! Interned names: two interned symbols are the same bytes exactly if they are the same pointer.
//!
//! Symbols are modified UTF-8 as class files have it. Interned ones are never freed: a class file's
//! names outlive the class in stack traces, logs and resolution errors. The names of a hidden class,
//! which are another with each class and which nobody can look up, are [private](Symbol::private).
use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Mutex, OnceLock};

/// An interned byte string.
#[derive(Clone, Copy)]
pub struct Symbol(&'static [u8]);

const SHARDS: usize = 16;

#[derive(Default)]
struct Shard {
    /// Open addressing; length a power of two, at most three quarters full.
    slots: Vec<Option<(u32, &'static [u8])>>,
    used: usize,
    /// Bump memory for the bytes.
    room: &'static mut [u8],
}

fn table() -> &'static [Mutex<Shard>; SHARDS] {
    static TABLE: OnceLock<[Mutex<Shard>; SHARDS]> = OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(|_| Mutex::new(Shard::default())))
}

/// FxHash-like: multiply and rotate over 8-byte pieces; names are short.
fn hash(bytes: &[u8]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = bytes.len() as u64 ^ K;
    let mut c = bytes.chunks_exact(8);
    for w in &mut c {
        let mut b = [0u8; 8];
        b.copy_from_slice(w);
        h = (h.rotate_left(5) ^ u64::from_le_bytes(b)).wrapping_mul(K);
    }
    let mut tail = [0u8; 8];
    let r = c.remainder();
    tail[..r.len()].copy_from_slice(r);
    h = (h.rotate_left(5) ^ u64::from_le_bytes(tail)).wrapping_mul(K);
    h ^ (h >> 29)
}

impl Shard {
    fn find(&self, h: u32, bytes: &[u8]) -> Option<&'static [u8]> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut i = h as usize & mask;
        while let Some((sh, s)) = self.slots[i] {
            if sh == h && s == bytes {
                return Some(s);
            }
            i = (i + 1) & mask;
        }
        None
    }
    fn insert(&mut self, h: u32, s: &'static [u8]) {
        if self.used * 4 >= self.slots.len() * 3 {
            let n = (self.slots.len() * 2).max(1024);
            let old = std::mem::replace(&mut self.slots, vec![None; n]);
            self.used = 0;
            for (oh, os) in old.into_iter().flatten() {
                self.insert(oh, os);
            }
        }
        let mask = self.slots.len() - 1;
        let mut i = h as usize & mask;
        while self.slots[i].is_some() {
            i = (i + 1) & mask;
        }
        self.slots[i] = Some((h, s));
        self.used += 1;
    }
    fn copy(&mut self, bytes: &[u8]) -> &'static [u8] {
        if bytes.len() > self.room.len() {
            self.room = Box::leak(vec![0u8; bytes.len().max(32 << 10)].into_boxed_slice());
        }
        let room = std::mem::take(&mut self.room);
        let (mine, rest) = room.split_at_mut(bytes.len());
        mine.copy_from_slice(bytes);
        self.room = rest;
        mine
    }
}

/// The size of the table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub slots: usize,
    pub entries: usize,
    /// Bytes of a slot with its entry.
    pub slot_bytes: usize,
    pub literal_bytes: usize,
}

/// Calls `f` with the bytes of all interned symbols; `f` must not intern any.
pub fn for_each(f: &mut dyn FnMut(&'static [u8])) {
    for shard in table() {
        shard.lock().expect("symbol table poisoned").slots.iter().flatten().for_each(|(_, s)| f(s));
    }
}
/// The size of the table now.
pub fn figures() -> Figures {
    let mut all = Figures { slot_bytes: size_of::<Option<(u32, &'static [u8])>>(), ..Figures::default() };
    for shard in table() {
        let s = shard.lock().expect("symbol table poisoned");
        all.slots += s.slots.len();
        all.entries += s.used;
        all.literal_bytes += s.slots.iter().flatten().map(|(_, s)| s.len()).sum::<usize>();
    }
    all
}

impl Symbol {
    /// The symbol with these bytes.
    pub fn intern(bytes: &[u8]) -> Symbol {
        let h = hash(bytes);
        let mut shard = table()[(h >> 60) as usize].lock().expect("symbol table poisoned");
        let h = h as u32;
        if let Some(s) = shard.find(h, bytes) {
            return Symbol(s);
        }
        let s = shard.copy(bytes);
        shard.insert(h, s);
        Symbol(s)
    }
    /// The symbol with these bytes, if there is one already.
    pub fn lookup(bytes: &[u8]) -> Option<Symbol> {
        let h = hash(bytes);
        let shard = table()[(h >> 60) as usize].lock().expect("symbol table poisoned");
        shard.find(h as u32, bytes).map(Symbol)
    }
    /// A symbol that equals no other, its bytes' interned symbol neither; its maker frees it.
    pub fn private(bytes: &[u8]) -> Symbol {
        Symbol(Box::leak(Box::from(bytes)))
    }
    /// Gives the bytes of a private symbol back.
    ///
    /// # Safety
    /// [`Symbol::private`] made it, and nobody has a copy of it or of its bytes' address.
    pub unsafe fn free_private(self) {
        // SAFETY: `private` leaked these bytes, and by the caller's promise nobody else has them.
        unsafe { drop(Box::from_raw(std::ptr::from_ref(self.0).cast_mut())) }
    }
    #[inline]
    pub fn as_bytes(self) -> &'static [u8] {
        self.0
    }
    /// As text; half a character is replaced.
    pub fn as_str(self) -> Cow<'static, str> {
        text(self.0)
    }
    /// A number that identifies the symbol for the life of the process.
    pub fn id(self) -> usize {
        self.0.as_ptr() as usize
    }
}

/// Modified UTF-8, as class files and JNI have it, as text. It is UTF-8 but for U+0000, in two bytes, and characters
/// beyond U+FFFF, as two surrogates of three bytes each; half a character and what is malformed is replaced.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(s) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(s);
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        let more = |i: usize| tail.get(i).filter(|b| **b & 0xc0 == 0x80).map(|b| u16::from(*b & 0x3f));
        let (unit, used) = match (*first, more(0), more(1)) {
            (0..0x80, _, _) => (u16::from(*first), 1),
            (0xc0..0xe0, Some(a), _) => (u16::from(*first & 0x1f) << 6 | a, 2),
            (0xe0..0xf0, Some(a), Some(b)) => (u16::from(*first & 0xf) << 12 | a << 6 | b, 3),
            _ => (0xfffd, 1),
        };
        units.push(unit);
        rest = &rest[used..];
    }
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// Text in modified UTF-8.
pub fn modified(s: &str) -> Cow<'_, [u8]> {
    if !s.bytes().any(|b| b == 0 || b >= 0xf0) {
        return Cow::Borrowed(s.as_bytes());
    }
    let mut out = Vec::with_capacity(s.len() + 2);
    for u in s.encode_utf16() {
        match u {
            1..0x80 => out.push(u as u8),
            0 | 0x80..0x800 => out.extend([0xc0 | (u >> 6) as u8, 0x80 | (u & 0x3f) as u8]),
            _ => out.extend([0xe0 | (u >> 12) as u8, 0x80 | (u >> 6 & 0x3f) as u8, 0x80 | (u & 0x3f) as u8]),
        }
    }
    Cow::Owned(out)
}

impl From<&str> for Symbol {
    fn from(s: &str) -> Symbol {
        Symbol::intern(&modified(s))
    }
}
impl PartialEq for Symbol {
    #[inline]
    fn eq(&self, o: &Symbol) -> bool {
        std::ptr::eq(self.0, o.0)
    }
}
impl Eq for Symbol {}
impl PartialEq<str> for Symbol {
    fn eq(&self, o: &str) -> bool {
        self.0 == o.as_bytes()
    }
}
impl PartialEq<&str> for Symbol {
    fn eq(&self, o: &&str) -> bool {
        self.0 == o.as_bytes()
    }
}
impl Hash for Symbol {
    #[inline]
    fn hash<H: Hasher>(&self, h: &mut H) {
        h.write_usize(self.id());
    }
}
impl PartialOrd for Symbol {
    fn partial_cmp(&self, o: &Symbol) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Symbol {
    fn cmp(&self, o: &Symbol) -> std::cmp::Ordering {
        self.0.cmp(o.0)
    }
}
impl std::fmt::Display for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.as_str())
    }
}
impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

/// Hasher for keys that are symbols or addresses: one multiplication.
#[derive(Clone, Copy, Default)]
pub struct PtrHasher(u64);
impl Hasher for PtrHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(5) ^ hash(bytes);
    }
    fn write_usize(&mut self, i: usize) {
        self.0 = (self.0.rotate_left(5) ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
    fn write_u64(&mut self, i: u64) {
        self.write_usize(i as usize);
    }
    fn write_u32(&mut self, i: u32) {
        self.write_usize(i as usize);
    }
}
#[derive(Clone, Copy, Default)]
pub struct PtrState;
impl BuildHasher for PtrState {
    type Hasher = PtrHasher;
    fn build_hasher(&self) -> PtrHasher {
        PtrHasher::default()
    }
}
/// A map keyed by symbols or addresses.
pub type PtrMap<K, V> = std::collections::HashMap<K, V, PtrState>;

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn modified_utf8_is_text_and_back() {
        for (t, bytes) in [
            ("a/B", &b"a/B"[..]),
            ("\u{e9}\u{20ac}", b"\xc3\xa9\xe2\x82\xac"),
            ("x\0y", b"x\xc0\x80y"),
            ("\u{1f600}", b"\xed\xa0\xbd\xed\xb8\x80"),
        ] {
            assert_eq!(Symbol::from(t).as_bytes(), bytes);
            assert_eq!(text(bytes), t);
        }
        assert_eq!(text(b"a\xed\xa0\xbdb\xff\xe2\x82"), "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}");
    }
    #[test]
    fn equal_bytes_are_one_symbol() {
        let names: Vec<String> = (0..5000).map(|i| format!("name{i}")).collect();
        let first: Vec<Symbol> = names.iter().map(|n| Symbol::from(n.as_str())).collect();
        for (n, s) in names.iter().zip(&first) {
            assert_eq!(Symbol::from(n.as_str()), *s);
            assert_eq!(s.as_bytes(), n.as_bytes());
        }
        assert_ne!(first[0], first[1]);
        assert!(Symbol::lookup(b"never interned").is_none());
        let own = Symbol::private(b"name1");
        assert!(own != first[1] && own.as_bytes() == first[1].as_bytes() && Symbol::lookup(b"name1") == Some(first[1]));
        // SAFETY: made above, copied nowhere.
        unsafe { own.free_private() }
    }
}
