//! Leaf routines of compiled code for digests and checksums: the blocks of SHA-1, SHA-256, SHA-512 and GHASH, CRC-32 and
//! CRC-32C.
//!
//! Invariant: the state of the Java object is afterwards what the Java body leaves, scratch arrays apart; for what does not
//! fit the body runs ([`BODY`]). The functions themselves are libraries', which take the processor's instructions where it has
//! them.
use crate::bulk::{BODY, element, fits, obj};
use crate::known_fields::KnownFields;
use concord_contract::Obj;
use concord_memory_model::emit;
use ghash::GHash;
use ghash::universal_hash::{KeyInit, UniversalHash};

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

/// `GHASH.processBlocks`: data, first byte, blocks, state, subkey (the first two longs of its array).
pub extern "sysv64" fn ghash_blocks(data: u64, at: i32, blocks: i32, state: u64, subkey: u64) -> i32 {
    let subkey = obj(subkey);
    let process = || {
        let len = blocks.checked_mul(16).filter(|n| *n >= 0 && subkey.array_len() >= 2)?;
        // SAFETY: used in this routine only.
        let data = unsafe { range(obj(data), at, len) }?;
        let word = |i: usize| subkey.get_u64(Obj::elem_offset(i, 3));
        let key = (u128::from(word(0)) << 64 | u128::from(word(1))).to_be_bytes();
        with_state(obj(state), |s: &mut [u64; 2]| {
            let Some((first, rest)) = data.split_first_chunk::<16>() else { return };
            // A hash that goes on is one whose first block has the state in it.
            let first = u128::from_be_bytes(*first) ^ (u128::from(s[0]) << 64 | u128::from(s[1]));
            let mut hash = GHash::new(&key.into());
            hash.update(&[first.to_be_bytes().into()]);
            hash.update_padded(rest);
            let y = u128::from_be_bytes(hash.finalize().into());
            *s = [(y >> 64) as u64, y as u64];
        })
    };
    process().map_or(BODY, |()| 0)
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
