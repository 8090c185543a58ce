//! Leaf routines of compiled code for AES: what `AESCrypt`, `CipherBlockChaining` and `CounterMode` of
//! `com.sun.crypto.provider` do block by block.
//!
//! Invariant: the arrays and the state of the Java objects are afterwards what the Java body leaves, scratch arrays apart; for
//! what the body would do in another order (overlapping ranges), for other ciphers and for ranges that do not fit the body
//! runs ([`BODY`]).
//!
//! The key schedule is the one that `AESCrypt` has made, in its field `K`: words of four bytes, most significant first. That of
//! decryption is the one of the equivalent inverse cipher (FIPS 197, 5.3.5), which the instructions want, with the last round's key
//! first.
use crate::bulk::{BODY, element, fits, obj};
use crate::ghash::vector;
use crate::known_fields::KnownFields;
use concord_contract::Obj;
use concord_memory_model::emit;
use std::arch::x86_64::*;

const BLOCK: usize = 16;
/// Blocks that are under way at once: an instruction's latency is that of several.
const AT_ONCE: usize = 8;
const MOST_ROUNDS: usize = 14;

static CIPHER: KnownFields<1> = KnownFields::new("com/sun/crypto/provider/AESCrypt", [("K", "[I")]);
static CHAIN: KnownFields<2> = KnownFields::new(
    "com/sun/crypto/provider/CipherBlockChaining",
    [("embeddedCipher", "Lcom/sun/crypto/provider/SymmetricCipher;"), ("r", "[B")],
);
static COUNTER: KnownFields<4> = KnownFields::new(
    "com/sun/crypto/provider/CounterMode",
    [
        ("embeddedCipher", "Lcom/sun/crypto/provider/SymmetricCipher;"),
        ("counter", "[B"),
        ("encryptedCounter", "[B"),
        ("used", "I"),
    ],
);

/// Whether the processor has what the routines are made of.
fn available() -> bool {
    is_x86_feature_detected!("aes") && is_x86_feature_detected!("ssse3")
}

/// Round keys, the first to be added first.
struct Schedule {
    keys: [__m128i; MOST_ROUNDS + 1],
    rounds: usize,
}

impl Schedule {
    /// Of an object that may be an `AESCrypt`; `inverse` for decryption.
    fn of(cipher: Obj, inverse: bool) -> Option<Schedule> {
        let [k] = CIPHER.of_exactly(cipher)?;
        let words = cipher.get_ref(k);
        if !available() || words.is_null() || !matches!(words.array_len(), 44 | 52 | 60) {
            return None;
        }
        // SAFETY: the array has that many words; the processor has the instructions.
        Some(unsafe { Schedule::load(element(words, 0, 2), words.array_len() / 4 - 1, inverse) })
    }

    /// # Safety
    /// `at` is the address of the words of `rounds + 1` keys.
    #[target_feature(enable = "ssse3")]
    unsafe fn load(at: usize, rounds: usize, inverse: bool) -> Schedule {
        let swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        let mut keys = [_mm_setzero_si128(); MOST_ROUNDS + 1];
        for (i, key) in keys[..=rounds].iter_mut().enumerate() {
            let place = if inverse { (i + 1) % (rounds + 1) } else { i };
            // SAFETY: by the caller's word.
            *key = _mm_shuffle_epi8(unsafe { load(at + place * BLOCK) }, swap);
        }
        Schedule { keys, rounds }
    }
}

/// A direction of the cipher: as many blocks at once as there are.
macro_rules! direction {
    ($name:ident, $round:ident, $last:ident) => {
        impl Schedule {
            /// # Safety
            /// The processor has AES instructions, as for every schedule that exists.
            #[inline]
            #[target_feature(enable = "aes")]
            unsafe fn $name<const N: usize>(&self, mut x: [__m128i; N]) -> [__m128i; N] {
                // Loops, not closures: what inlines a closure does not have the instructions.
                for b in &mut x {
                    *b = _mm_xor_si128(*b, self.keys[0]);
                }
                for k in &self.keys[1..self.rounds] {
                    for b in &mut x {
                        *b = $round(*b, *k);
                    }
                }
                for b in &mut x {
                    *b = $last(*b, self.keys[self.rounds]);
                }
                x
            }
        }
    };
}
direction!(encrypt, _mm_aesenc_si128, _mm_aesenclast_si128);
direction!(decrypt, _mm_aesdec_si128, _mm_aesdeclast_si128);

/// # Safety
/// There are 16 bytes at `at`.
#[inline]
unsafe fn load(at: usize) -> __m128i {
    // SAFETY: by the caller's word. Another thread may write there: then these are some bytes of before and after, as in Java.
    unsafe { _mm_loadu_si128(at as *const __m128i) }
}

/// # Safety
/// As [`load`].
#[inline]
unsafe fn store(at: usize, x: __m128i) {
    // SAFETY: by the caller's word.
    unsafe { _mm_storeu_si128(at as *mut __m128i, x) }
}

/// `AESCrypt.implEncryptBlock`.
pub extern "sysv64" fn encrypt_block(cipher: u64, from: u64, at: i32, to: u64, to_at: i32) -> i32 {
    one_block(cipher, false, (obj(from), at), (obj(to), to_at))
}

/// `AESCrypt.implDecryptBlock`.
pub extern "sysv64" fn decrypt_block(cipher: u64, from: u64, at: i32, to: u64, to_at: i32) -> i32 {
    one_block(cipher, true, (obj(from), at), (obj(to), to_at))
}

fn one_block(cipher: u64, inverse: bool, (from, at): (Obj, i32), (to, to_at): (Obj, i32)) -> i32 {
    let whole = |o: Obj, at: i32| fits(o.array_len(), at, BLOCK as i32);
    let Some(key) = Schedule::of(obj(cipher), inverse).filter(|_| whole(from, at) && whole(to, to_at)) else {
        return BODY;
    };
    // SAFETY: both ranges lie in their arrays.
    unsafe {
        let x = [load(element(from, at as usize, 0))];
        let [x] = if inverse { key.decrypt(x) } else { key.encrypt(x) };
        store(element(to, to_at as usize, 0), x);
    }
    emit::after_plain_store_into(to.is_local());
    0
}

/// Source and target of a mode, and how many bytes.
struct Ranges {
    from: usize,
    to: usize,
    len: usize,
}

impl Ranges {
    /// None if they do not fit.
    fn of(from: Obj, at: i32, len: i32, to: Obj, to_at: i32) -> Option<Ranges> {
        if !fits(from.array_len(), at, len) || !fits(to.array_len(), to_at, len) {
            return None;
        }
        Some(Ranges { from: element(from, at as usize, 0), to: element(to, to_at as usize, 0), len: len as usize })
    }
    /// Whether a byte is written before it is read.
    fn overlap(&self) -> bool {
        self.from != self.to && self.from < self.to + self.len && self.to < self.from + self.len
    }
}

/// `CipherBlockChaining.implEncrypt`.
pub extern "sysv64" fn chain_encrypt(mode: u64, from: u64, at: i32, len: i32, to: u64, to_at: i32) -> i32 {
    chain(obj(mode), false, Ranges::of(obj(from), at, len, obj(to), to_at), obj(to)).map_or(BODY, |()| len)
}

/// `CipherBlockChaining.implDecrypt`.
pub extern "sysv64" fn chain_decrypt(mode: u64, from: u64, at: i32, len: i32, to: u64, to_at: i32) -> i32 {
    if from == to {
        return BODY; // it chains what it has written
    }
    chain(obj(mode), true, Ranges::of(obj(from), at, len, obj(to), to_at), obj(to)).map_or(BODY, |()| len)
}

fn chain(mode: Obj, inverse: bool, ranges: Option<Ranges>, target: Obj) -> Option<()> {
    let [cipher, last] = CHAIN.of_instance(mode)?;
    let key = Schedule::of(mode.get_ref(cipher), inverse)?;
    let last = mode.get_ref(last);
    let r = ranges.filter(|r| r.len % BLOCK == 0 && !r.overlap() && !last.is_null() && last.array_len() == BLOCK)?;
    let last_at = element(last, 0, 0);
    // SAFETY: the ranges lie in their arrays and are whole blocks.
    unsafe { if inverse { key.chain_decrypt(&r, last_at) } else { key.chain_encrypt(&r, last_at) } }
    emit::after_plain_store_into(target.is_local() && last.is_local());
    Some(())
}

impl Schedule {
    /// # Safety
    /// The ranges lie in arrays, 16 bytes at `last` as well; as [`Schedule::encrypt`].
    #[target_feature(enable = "aes")]
    unsafe fn chain_encrypt(&self, r: &Ranges, last: usize) {
        // SAFETY: by the caller's word.
        unsafe {
            let mut x = load(last);
            for i in (0..r.len).step_by(BLOCK) {
                [x] = self.encrypt([_mm_xor_si128(x, load(r.from + i))]);
                store(r.to + i, x);
            }
            store(last, x);
        }
    }

    /// # Safety
    /// As [`Schedule::chain_encrypt`].
    #[target_feature(enable = "aes")]
    unsafe fn chain_decrypt(&self, r: &Ranges, last: usize) {
        // SAFETY: by the caller's word.
        unsafe {
            let mut before = load(last);
            let mut i = 0;
            while i + AT_ONCE * BLOCK <= r.len {
                let mut c = [_mm_setzero_si128(); AT_ONCE];
                for (n, b) in c.iter_mut().enumerate() {
                    *b = load(r.from + i + n * BLOCK);
                }
                for (n, p) in self.decrypt(c).into_iter().enumerate() {
                    store(r.to + i + n * BLOCK, _mm_xor_si128(p, before));
                    before = c[n];
                }
                i += AT_ONCE * BLOCK;
            }
            for i in (i..r.len).step_by(BLOCK) {
                let c = load(r.from + i);
                let [p] = self.decrypt([c]);
                store(r.to + i, _mm_xor_si128(p, before));
                before = c;
            }
            store(last, before);
        }
    }
}

/// `CounterMode.implCrypt`.
pub extern "sysv64" fn counter_crypt(mode: u64, from: u64, at: i32, len: i32, to: u64, to_at: i32) -> i32 {
    counter(obj(mode), Ranges::of(obj(from), at, len, obj(to), to_at), obj(to)).map_or(BODY, |()| len)
}

fn counter(mode: Obj, ranges: Option<Ranges>, target: Obj) -> Option<()> {
    let [cipher, counter, encrypted, used] = COUNTER.of_instance(mode)?;
    let key = Schedule::of(mode.get_ref(cipher), false)?;
    let (counter, encrypted) = (mode.get_ref(counter), mode.get_ref(encrypted));
    let r = ranges.filter(|r| !r.overlap())?;
    let was = mode.get_i32(used);
    let block = |o: Obj| !o.is_null() && o.array_len() == BLOCK;
    if !block(counter) || !block(encrypted) || !(0..=BLOCK as i32).contains(&was) {
        return None;
    }
    // SAFETY: the ranges lie in their arrays, and both arrays have a block.
    let now = unsafe { key.counter(&r, element(counter, 0, 0), element(encrypted, 0, 0), was as usize) };
    mode.put_i32(used, now as i32);
    emit::after_plain_store_into([target, mode, counter, encrypted].iter().all(|o| o.is_local()));
    Some(())
}

impl Schedule {
    /// Bytes used of the last block of the key stream, which is in memory at `encrypted`, the counter at `counter`.
    ///
    /// # Safety
    /// The ranges lie in arrays, 16 bytes at `counter` and `encrypted` as well; as [`Schedule::encrypt`].
    #[target_feature(enable = "aes")]
    unsafe fn counter(&self, r: &Ranges, counter: usize, encrypted: usize, mut used: usize) -> usize {
        // SAFETY: by the caller's word.
        unsafe {
            let mut next = u128::from_be_bytes((counter as *const [u8; BLOCK]).read());
            let mut take = || {
                let block = vector(next.to_be());
                next = next.wrapping_add(1);
                block
            };
            let byte = |i: usize, used: usize| {
                *((r.to + i) as *mut u8) = *((r.from + i) as *const u8) ^ *((encrypted + used) as *const u8);
            };
            let mut i = 0;
            while i < r.len && used < BLOCK {
                byte(i, used);
                (i, used) = (i + 1, used + 1);
            }
            while i + AT_ONCE * BLOCK <= r.len {
                let mut blocks = [_mm_setzero_si128(); AT_ONCE];
                for b in &mut blocks {
                    *b = take();
                }
                let stream = self.encrypt(blocks);
                for (n, s) in stream.into_iter().enumerate() {
                    store(r.to + i + n * BLOCK, _mm_xor_si128(s, load(r.from + i + n * BLOCK)));
                }
                store(encrypted, stream[AT_ONCE - 1]);
                i += AT_ONCE * BLOCK;
            }
            while i < r.len {
                let [stream] = self.encrypt([take()]);
                store(encrypted, stream);
                used = 0;
                while i < r.len && used < BLOCK {
                    byte(i, used);
                    (i, used) = (i + 1, used + 1);
                }
            }
            store(counter, vector(next.to_be()));
        }
        used
    }
}
