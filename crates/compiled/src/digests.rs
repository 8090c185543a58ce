//! Leaf routines of compiled code for digests and checksums: the blocks of MD5, SHA-1, SHA-256 and SHA-512, CRC-32 and CRC-32C.
//!
//! Invariant: the state of the Java object is afterwards what the Java body leaves, scratch arrays apart; for what does not
//! fit the body runs ([`BODY`]). The functions themselves are libraries', which take the processor's instructions where it has
//! them; but no library shows MD5's.
use crate::bulk::{BODY, element, fits, obj};
use crate::known_fields::KnownFields;
use concord_contract::Obj;
use concord_memory_model::emit;
use std::sync::LazyLock;

static MD5: KnownFields<1> = KnownFields::new("sun/security/provider/MD5", [("state", "[I")]);
static SHA1: KnownFields<1> = KnownFields::new("sun/security/provider/SHA", [("state", "[I")]);
static SHA2: KnownFields<1> = KnownFields::new("sun/security/provider/SHA2", [("state", "[I")]);
static SHA5: KnownFields<1> = KnownFields::new("sun/security/provider/SHA5", [("state", "[J")]);

/// A state of `N` words of 32 or 64 bits in a Java array, which `compress` changes.
fn with_state<T: Copy, const N: usize>(state: Obj, compress: impl FnOnce(&mut [T; N])) -> Option<()> {
    if state.is_null() || state.array_len() != N {
        return None;
    }
    let shift = size_of::<T>().trailing_zeros();
    let at = element(state, 0, shift) as *mut [T; N];
    // SAFETY: the array has `N` elements of this size, its descriptor says so; a Java thread that meddles gets what it asked for.
    unsafe {
        let mut words = at.read_unaligned();
        compress(&mut words);
        at.write_unaligned(words);
    }
    emit::after_plain_store_into(state.is_local());
    Some(())
}

/// `N` bytes of an array, from `at` on.
fn bytes<const N: usize>(data: Obj, at: i32) -> Option<[u8; N]> {
    // SAFETY: they lie in the array. Another thread may write there: then they are some of before and after, as in Java.
    fits(data.array_len(), at, N as i32).then(|| unsafe { (element(data, at as usize, 0) as *const [u8; N]).read() })
}

/// The bytes of a range of an array.
///
/// # Safety
/// No longer than until the routine returns: nothing moves meanwhile.
unsafe fn range<'a>(data: Obj, at: i32, n: i32) -> Option<&'a [u8]> {
    // SAFETY: they lie in the array; of writes by others as `bytes`.
    fits(data.array_len(), at, n)
        .then(|| unsafe { std::slice::from_raw_parts(element(data, at as usize, 0) as *const u8, n as usize) })
}

/// `MD5.implCompress0`.
pub extern "sysv64" fn md5_block(digest: u64, data: u64, at: i32) -> i32 {
    let block = || {
        let (b, [state]) = (bytes::<64>(obj(data), at)?, MD5.of_instance(obj(digest))?);
        with_state(obj(digest).get_ref(state), |s| md5(s, &b))
    };
    block().map_or(BODY, |()| 0)
}

/// A round of RFC 1321, 3.4: `f` mixes, `word` chooses, `turn` is by how much the sum is rotated.
#[inline(always)]
fn md5_round(
    s: &mut [u32; 4],
    sines: &[u32; 16],
    turn: [u32; 4],
    f: impl Fn(u32, u32, u32) -> u32,
    word: impl Fn(usize) -> u32,
) {
    let [mut a, mut b, mut c, mut d] = *s;
    let step = |a: u32, b: u32, c: u32, d: u32, i: usize| {
        let sum = a.wrapping_add(f(b, c, d)).wrapping_add(word(i)).wrapping_add(sines[i]);
        b.wrapping_add(sum.rotate_left(turn[i % 4]))
    };
    for i in [0, 4, 8, 12] {
        a = step(a, b, c, d, i);
        d = step(d, a, b, c, i + 1);
        c = step(c, d, a, b, i + 2);
        b = step(b, c, d, a, i + 3);
    }
    *s = [a, b, c, d];
}

fn md5(state: &mut [u32; 4], block: &[u8; 64]) {
    static SINES: LazyLock<[[u32; 16]; 4]> = LazyLock::new(|| {
        let sine = |i: usize| (f64::sin(i as f64 + 1.0).abs() * 4_294_967_296.0) as u32;
        std::array::from_fn(|round| std::array::from_fn(|i| sine(16 * round + i)))
    });
    let sines = &*SINES;
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut s = *state;
    md5_round(&mut s, &sines[0], [7, 12, 17, 22], |b, c, d| b & c | !b & d, |i| words[i]);
    md5_round(&mut s, &sines[1], [5, 9, 14, 20], |b, c, d| d & b | !d & c, |i| words[(5 * i + 1) % 16]);
    md5_round(&mut s, &sines[2], [4, 11, 16, 23], |b, c, d| b ^ c ^ d, |i| words[(3 * i + 5) % 16]);
    md5_round(&mut s, &sines[3], [6, 10, 15, 21], |b, c, d| c ^ (b | !d), |i| words[7 * i % 16]);
    for (old, new) in state.iter_mut().zip(s) {
        *old = old.wrapping_add(new);
    }
}

/// `SHA.implCompress0`.
pub extern "sysv64" fn sha1_block(digest: u64, data: u64, at: i32) -> i32 {
    let block = || {
        let (b, [state]) = (bytes::<64>(obj(data), at)?, SHA1.of_instance(obj(digest))?);
        with_state(obj(digest).get_ref(state), |s| sha1::compress(s, &[b.into()]))
    };
    block().map_or(BODY, |()| 0)
}

/// `SHA2.implCompress0`.
pub extern "sysv64" fn sha256_block(digest: u64, data: u64, at: i32) -> i32 {
    let block = || {
        let (b, [state]) = (bytes::<64>(obj(data), at)?, SHA2.of_instance(obj(digest))?);
        with_state(obj(digest).get_ref(state), |s| sha2::compress256(s, &[b.into()]))
    };
    block().map_or(BODY, |()| 0)
}

/// `SHA5.implCompress0`.
pub extern "sysv64" fn sha512_block(digest: u64, data: u64, at: i32) -> i32 {
    let block = || {
        let (b, [state]) = (bytes::<128>(obj(data), at)?, SHA5.of_instance(obj(digest))?);
        with_state(obj(digest).get_ref(state), |s| sha2::compress512(s, &[b.into()]))
    };
    block().map_or(BODY, |()| 0)
}

/// `CRC32.updateBytes0`, whose caller has checked the range; of one that does not fit nothing is taken.
pub extern "sysv64" fn crc32(crc: u32, data: u64, at: i32, n: i32) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(crc);
    // SAFETY: used in this routine only.
    hasher.update(unsafe { range(obj(data), at, n) }.unwrap_or_default());
    hasher.finalize()
}

/// `CRC32C.updateBytes`, of the register and a range from `at` to `end`; its caller has checked the range as well.
pub extern "sysv64" fn crc32c(register: u32, data: u64, at: i32, end: i32) -> u32 {
    // SAFETY: used in this routine only.
    let data = unsafe { range(obj(data), at, end.wrapping_sub(at)) }.unwrap_or_default();
    !::crc32c::crc32c_append(!register, data)
}
