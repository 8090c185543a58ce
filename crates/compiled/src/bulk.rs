//! Leaf routines of compiled code over whole arrays: what `System.arraycopy` and the bodies of String,
//! StringCoding and ArraysSupport do.
//!
//! Invariant: a routine gives what the Java body gives, or says that the body must run ([`BODY`]): for
//! ranges that do not fit, and copies that need a safepoint. But for [`fill_array`] it never stops the
//! thread, and works on at most the arrays that exist, so a stop waits for one pass over them.
//!
//! Order: a bulk operation is ordered as a whole against what stands before and after it
//! (`docs/papers/vbd.md`, promise 3). Elements are read in pieces wider than one element, at any
//! alignment: a processor divides such an access at multiples of 8 bytes only, where no aligned
//! element lies across.
use crate::{rows, wide};
use concord_contract::class::ClassKind;
use concord_contract::{BasicType, Obj, Thread};
use concord_memory_model::{emit, policy};

/// The result that sends compiled code to the Java body. No routine has it as an answer: lengths
/// and indices are not negative but for -1, differences of two chars or lengths are greater.
pub const BODY: i32 = i32::MIN;

/// A reference that compiled code passes.
pub(crate) fn obj(a: u64) -> Obj {
    // SAFETY: compiled code passes null or the address of a live object.
    unsafe { Obj::from_addr(a as usize) }
}
/// Address of element `n` of an array whose elements have `1 << shift` bytes.
pub(crate) fn element(o: Obj, n: usize, shift: u32) -> usize {
    o.addr() + Obj::elem_offset(n, shift)
}
/// Whether `n` elements from `from` on lie within `length`.
pub(crate) fn fits(length: usize, from: i32, n: i32) -> bool {
    from >= 0 && n >= 0 && from as usize + n as usize <= length
}

/// Copies between arrays of one class, in pieces that do not keep a safepoint waiting: 0 if the method
/// itself is needed.
pub extern "sysv64" fn array_copy(src: u64, from: i32, dst: u64, to: i32, len: i32) -> i32 {
    // Bytes: less than the heap room copies without a poll.
    const MOST: usize = 1 << 16;
    let (src, dst) = (obj(src), obj(dst));
    if src.is_null() || dst.is_null() || src.layout_id() != dst.layout_id() || len < 0 {
        return 0;
    }
    let class = src.class();
    let shift = u32::from(class.elem_shift);
    if (len as usize) << shift > MOST
        || !class.is_array()
        || !fits(src.array_len(), from, len)
        || !fits(dst.array_len(), to, len)
    {
        return 0;
    }
    let (from, to, n) = (from as usize, to as usize, len as usize);
    let local = dst.is_local();
    if class.kind == ClassKind::PrimArray {
        // A small move may write an element twice, which nobody else must see.
        if (local || !policy::vbd()) && n << shift <= wide::SMALL {
            // SAFETY: both ranges lie in live arrays.
            unsafe { wide::move_small(element(src, from, shift), element(dst, to, shift), n << shift) };
        } else {
            concord_heap::copy_payload(src, Obj::elem_offset(from, shift), dst, Obj::elem_offset(to, shift), n, shift);
        }
    } else if src.is_local() && !local {
        // What is copied may have to be published, which can stop the thread.
        return 0;
    } else {
        concord_heap::array_copy_refs(src, from, dst, to, n);
    }
    emit::after_plain_store_into(local);
    1
}

/// `StringLatin1.equals` and `StringUTF16.equals`.
pub extern "sysv64" fn bytes_equal(a: u64, b: u64) -> i32 {
    let (a, b) = (obj(a), obj(b));
    let n = a.array_len();
    // SAFETY: both arrays have `n` bytes.
    i32::from(n == b.array_len() && unsafe { wide::mismatch(element(a, 0, 0), element(b, 0, 0), n) } == n)
}

/// `StringLatin1.compareTo`.
pub extern "sysv64" fn compare_latin1(a: u64, b: u64) -> i32 {
    let (a, b) = (obj(a), obj(b));
    let (m, n) = (a.array_len(), b.array_len());
    // SAFETY: both arrays have that many bytes.
    let at = unsafe { wide::mismatch(element(a, 0, 0), element(b, 0, 0), m.min(n)) };
    if at == m.min(n) {
        return m as i32 - n as i32;
    }
    i32::from(a.get_u8(Obj::elem_offset(at, 0))) - i32::from(b.get_u8(Obj::elem_offset(at, 0)))
}

/// `StringUTF16.compareTo` of two arrays of chars in bytes.
pub extern "sysv64" fn compare_utf16(a: u64, b: u64) -> i32 {
    let (a, b) = (obj(a), obj(b));
    let (m, n) = (a.array_len() & !1, b.array_len() & !1);
    // SAFETY: both arrays have that many bytes.
    let at = unsafe { wide::mismatch(element(a, 0, 0), element(b, 0, 0), m.min(n)) } & !1;
    if at == m.min(n) {
        return (m as i32 - n as i32) >> 1;
    }
    let char_at = |o: Obj| i32::from(o.get_u16(Obj::elem_offset(at, 0)));
    char_at(a) - char_at(b)
}

/// `StringLatin1.hashCode`: the sum of 31^(n-1-i) * a[i], four at a time.
pub extern "sysv64" fn hash_latin1(a: u64) -> i32 {
    let a = obj(a);
    let (n, start) = (a.array_len(), Obj::elem_offset(0, 0));
    let byte = |i: usize| u32::from(a.get_u8(start + i));
    let mut h = 0u32;
    let mut i = 0;
    while i + 4 <= n {
        let four = byte(i) * 29791 + byte(i + 1) * 961 + byte(i + 2) * 31 + byte(i + 3);
        h = h.wrapping_mul(923_521).wrapping_add(four);
        i += 4;
    }
    (i..n).for_each(|i| h = h.wrapping_mul(31).wrapping_add(byte(i)));
    h as i32
}

/// `StringLatin1.indexOf(value, ch, from)`.
pub extern "sysv64" fn index_of_char(a: u64, c: i32, from: i32) -> i32 {
    let a = obj(a);
    let (n, from) = (a.array_len(), from.max(0) as usize);
    if c as u32 > 0xff || from >= n {
        return -1;
    }
    // SAFETY: the bytes behind `from` lie in the array.
    let at = unsafe { wide::find(element(a, from, 0), n - from, c as u8) };
    if at == n - from { -1 } else { (from + at) as i32 }
}

/// `StringLatin1.indexOf(value, valueCount, str, strCount, from)`.
pub extern "sysv64" fn index_of_latin1(a: u64, m: i32, b: u64, n: i32, from: i32) -> i32 {
    let (a, b) = (obj(a), obj(b));
    if !fits(a.array_len(), 0, m) || !fits(b.array_len(), 0, n) || n == 0 || from < 0 {
        return BODY;
    }
    let (m, n) = (m as usize, n as usize);
    let first = b.get_u8(Obj::elem_offset(0, 0));
    // SAFETY: the places at which the text may begin, and the text behind one of them, lie in the arrays.
    let next = |i: usize, places: usize| unsafe { wide::find(element(a, i, 0), places, first) };
    // SAFETY: as above.
    let matches = |i: usize| unsafe { wide::mismatch(element(a, i, 0), element(b, 0, 0), n) == n };
    search(m, n, from as usize, next, matches)
}

/// Where a text of `n` chars begins in one of `m`, from `from` on: `next` gives how many of so many places
/// from the first one it skips, `matches` whether the text is there.
fn search(
    m: usize,
    n: usize,
    from: usize,
    next: impl Fn(usize, usize) -> usize,
    matches: impl Fn(usize) -> bool,
) -> i32 {
    let mut i = from;
    while i + n <= m {
        i += next(i, m - n - i + 1);
        if i + n > m {
            break;
        }
        if matches(i) {
            return i as i32;
        }
        i += 1;
    }
    -1
}

/// `StringUTF16.indexOfChar(value, ch, from, end)`.
pub extern "sysv64" fn index_of_char_utf16(a: u64, c: i32, from: i32, end: i32) -> i32 {
    let a = obj(a);
    if from < 0 || from > end || end as usize > a.array_len() / 2 {
        return BODY;
    }
    let Ok(c) = u16::try_from(c) else { return -1 };
    let (from, n) = (from as usize, (end - from) as usize);
    // SAFETY: the range lies in the array.
    let at = unsafe { wide::find_char(element(a, 2 * from, 0), n, c) };
    if at == n { -1 } else { (from + at) as i32 }
}

/// `StringUTF16.indexOfUnsafe(value, valueCount, str, strCount, from)`.
pub extern "sysv64" fn index_of_utf16(a: u64, m: i32, b: u64, n: i32, from: i32) -> i32 {
    let (a, b) = (obj(a), obj(b));
    if !fits(a.array_len() / 2, 0, m) || !fits(b.array_len() / 2, 0, n) || n == 0 || from < 0 {
        return BODY;
    }
    let (m, n) = (m as usize, n as usize);
    let first = b.get_u16(Obj::elem_offset(0, 0));
    let chars = |i: usize| element(a, 2 * i, 0);
    // SAFETY: the places at which the text may begin, and the text behind one of them, lie in the arrays.
    let next = |i: usize, places: usize| unsafe { wide::find_char(chars(i), places, first) };
    // SAFETY: as above.
    let matches = |i: usize| unsafe { wide::mismatch(chars(i), element(b, 0, 0), 2 * n) == 2 * n };
    search(m, n, from as usize, next, matches)
}

/// `StringUTF16.indexOfLatin1Unsafe(value, valueCount, str, strCount, from)`.
pub extern "sysv64" fn index_of_latin1_in_utf16(a: u64, m: i32, b: u64, n: i32, from: i32) -> i32 {
    let (a, b) = (obj(a), obj(b));
    if !fits(a.array_len() / 2, 0, m) || !fits(b.array_len(), 0, n) || n == 0 || from < 0 {
        return BODY;
    }
    let (m, n) = (m as usize, n as usize);
    let wanted = |k: usize| u16::from(b.get_u8(Obj::elem_offset(k, 0)));
    let first = wanted(0);
    // SAFETY: the places at which the text may begin lie in the array.
    let next = |i: usize, places: usize| unsafe { wide::find_char(element(a, 2 * i, 0), places, first) };
    let matches = |i: usize| (1..n).all(|k| a.get_u16(Obj::elem_offset(2 * (i + k), 0)) == wanted(k));
    search(m, n, from as usize, next, matches)
}

/// `Arrays.equals` of arrays of one class, whose elements have the same bits where they are equal.
pub extern "sysv64" fn arrays_equal(a: u64, b: u64) -> i32 {
    if a == b {
        return 1;
    }
    let (a, b) = (obj(a), obj(b));
    if a.is_null() || b.is_null() || a.array_len() != b.array_len() {
        return 0;
    }
    let shift = u32::from(a.class().elem_shift);
    let bytes = a.array_len() << shift;
    // SAFETY: both arrays have that many bytes.
    i32::from(unsafe { wide::mismatch(element(a, 0, shift), element(b, 0, shift), bytes) } == bytes)
}

/// `Arrays.fill` of a range of an array of primitives.
pub extern "sysv64" fn fill_array(th: &Thread, a: u64, from: i32, to: i32, bits: u64) {
    let a = obj(a);
    let class = a.class();
    let shift = u32::from(class.elem_shift);
    let bits = if class.basic == BasicType::Boolean { bits & 1 } else { bits };
    concord_heap::fill_payload(th, a, Obj::elem_offset(from as usize, shift), (to - from) as usize, shift, bits);
    emit::after_plain_store_into(a.is_local());
    rows::zeal(th);
}

/// `StringCoding.hasNegatives`.
pub extern "sysv64" fn has_negatives(a: u64, from: i32, n: i32) -> i32 {
    let a = obj(a);
    if !fits(a.array_len(), from, n) {
        return BODY;
    }
    // SAFETY: the range lies in the array.
    i32::from(unsafe { wide::has_negatives(element(a, from as usize, 0), n as usize) })
}

/// `StringLatin1.inflate`, to chars in an array of chars or of bytes: 1, or [`BODY`].
fn inflate(src: Obj, from: i32, dst: Obj, to: i32, n: i32, length: usize, shift: u32) -> i32 {
    if !fits(src.array_len(), from, n) || !fits(length, to, n) {
        return BODY;
    }
    let at = element(dst, (to as usize) << (1 - shift), shift);
    // SAFETY: both ranges lie in the arrays.
    unsafe { wide::inflate(element(src, from as usize, 0), at, n as usize) };
    emit::after_plain_store_into(dst.is_local());
    1
}
pub extern "sysv64" fn inflate_to_bytes(src: u64, from: i32, dst: u64, to: i32, n: i32) -> i32 {
    let dst = obj(dst);
    inflate(obj(src), from, dst, to, n, dst.array_len() / 2, 0)
}
pub extern "sysv64" fn inflate_to_chars(src: u64, from: i32, dst: u64, to: i32, n: i32) -> i32 {
    let dst = obj(dst);
    inflate(obj(src), from, dst, to, n, dst.array_len(), 1)
}

/// `StringUTF16.compress`: `n`, or 0 if a char does not fit in a byte.
fn compress(src: Obj, from: i32, dst: Obj, to: i32, n: i32, length: usize, shift: u32) -> i32 {
    if !fits(length, from, n) || !fits(dst.array_len(), to, n) {
        return BODY;
    }
    let at = element(src, (from as usize) << (1 - shift), shift);
    // SAFETY: both ranges lie in the arrays.
    let all = unsafe { wide::compress(at, element(dst, to as usize, 0), n as usize) };
    emit::after_plain_store_into(dst.is_local());
    if all { n } else { 0 }
}
pub extern "sysv64" fn compress_bytes(src: u64, from: i32, dst: u64, to: i32, n: i32) -> i32 {
    let src = obj(src);
    compress(src, from, obj(dst), to, n, src.array_len() / 2, 0)
}
pub extern "sysv64" fn compress_chars(src: u64, from: i32, dst: u64, to: i32, n: i32) -> i32 {
    let src = obj(src);
    compress(src, from, obj(dst), to, n, src.array_len(), 1)
}

/// `ArraysSupport.vectorizedMismatch`: index of the first elements that differ, or `!0` with no element
/// left to look at.
pub extern "sysv64" fn vectorized_mismatch(a: u64, at: i64, b: u64, other: i64, n: i32, log2: i32) -> i32 {
    let bytes = (n.max(0) as usize) << log2;
    // SAFETY: the caller's own contract: both ranges are there.
    let found =
        unsafe { wide::mismatch(a.wrapping_add_signed(at) as usize, b.wrapping_add_signed(other) as usize, bytes) };
    if found == bytes { !0 } else { (found >> log2) as i32 }
}
