//! Owns modified UTF-8, the encoding of every name and string constant: U+0000 is two bytes and
//! characters beyond U+FFFF are surrogate pairs of three bytes each. Decoders accept any bytes;
//! what is malformed becomes U+FFFD, so that a message about a bad class can always be printed.

/// Whether `bytes` is well-formed by JVMS 4.4.7. Unpaired surrogates are legal.
#[inline]
pub fn is_valid(bytes: &[u8]) -> bool {
    // Eight bytes at a time while all are in 0x01..=0x7f, which almost every name is.
    let (chunks, tail) = bytes.as_chunks::<8>();
    let mut odd = 0u64;
    for c in chunks {
        let w = u64::from_ne_bytes(*c);
        odd |= (w.wrapping_sub(0x0101_0101_0101_0101) | w) & 0x8080_8080_8080_8080;
    }
    for &b in tail {
        odd |= u64::from(b.wrapping_sub(1) >= 0x7f);
    }
    odd == 0 || is_valid_slow(bytes)
}

#[cold]
fn is_valid_slow(bytes: &[u8]) -> bool {
    let mut i = 0;
    while i < bytes.len() {
        let cont = |k: usize| bytes.get(i + k).is_some_and(|b| b & 0xc0 == 0x80);
        match bytes[i] {
            0x01..=0x7f => i += 1,
            b @ 0xc0..=0xdf => {
                if !cont(1) {
                    return false;
                }
                let c = u32::from(b & 0x1f) << 6 | u32::from(bytes[i + 1] & 0x3f);
                // Overlong forms are illegal, except that of U+0000.
                if c < 0x80 && c != 0 {
                    return false;
                }
                i += 2;
            }
            b @ 0xe0..=0xef => {
                if !cont(1) || !cont(2) {
                    return false;
                }
                let c = u32::from(b & 0xf) << 12 | u32::from(bytes[i + 1] & 0x3f) << 6 | u32::from(bytes[i + 2] & 0x3f);
                if c < 0x800 {
                    return false;
                }
                i += 3;
            }
            _ => return false,
        }
    }
    true
}

/// The UTF-16 units of a modified UTF-8 string.
#[derive(Clone)]
pub struct Units<'a>(&'a [u8]);

impl Iterator for Units<'_> {
    type Item = u16;
    #[inline]
    fn next(&mut self) -> Option<u16> {
        let (&b, rest) = self.0.split_first()?;
        if b < 0x80 {
            self.0 = rest;
            return Some(u16::from(b));
        }
        let cont = |k: usize| rest.get(k).copied().filter(|c| c & 0xc0 == 0x80).map(|c| u16::from(c & 0x3f));
        if b & 0xe0 == 0xc0
            && let Some(c) = cont(0)
        {
            self.0 = &rest[1..];
            return Some(u16::from(b & 0x1f) << 6 | c);
        }
        if b & 0xf0 == 0xe0
            && let (Some(c), Some(d)) = (cont(0), cont(1))
        {
            self.0 = &rest[2..];
            return Some(u16::from(b & 0xf) << 12 | c << 6 | d);
        }
        self.0 = rest;
        Some(0xfffd)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len().div_ceil(3), Some(self.0.len()))
    }
}

/// UTF-16 units of `bytes`.
pub fn units(bytes: &[u8]) -> Units<'_> {
    Units(bytes)
}

/// Length in UTF-16 units, the length of the Java string.
pub fn utf16_len(bytes: &[u8]) -> usize {
    if bytes.is_ascii() { bytes.len() } else { units(bytes).count() }
}

/// Whether every unit fits in one byte, so that the Java string can be stored compactly.
pub fn is_latin1(bytes: &[u8]) -> bool {
    // U+0080..=U+00FF are C2 or C3 and a continuation; C0 80 is U+0000.
    bytes.iter().all(|&b| b < 0x80 || b & 0xc0 == 0x80 || matches!(b, 0xc0 | 0xc2 | 0xc3))
}

/// Decodes to UTF-16.
pub fn to_utf16(bytes: &[u8]) -> Vec<u16> {
    units(bytes).collect()
}

/// Decodes to a Rust string; an unpaired surrogate becomes U+FFFD.
pub fn to_string(bytes: &[u8]) -> String {
    if bytes.is_ascii() {
        return bytes.iter().map(|&b| char::from(b)).collect();
    }
    char::decode_utf16(units(bytes)).map(|r| r.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Appends the encoding of one UTF-16 unit.
#[inline]
pub fn push_unit(out: &mut Vec<u8>, unit: u16) {
    match unit {
        0x01..=0x7f => out.push(unit as u8),
        0 | 0x80..=0x7ff => out.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
        _ => out.extend([0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]),
    }
}

/// Encodes UTF-16.
pub fn from_utf16(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
    let units = units.into_iter();
    let mut out = Vec::with_capacity(units.size_hint().0);
    for u in units {
        push_unit(&mut out, u);
    }
    out
}

/// Encodes a Rust string.
pub fn from_str(s: &str) -> Vec<u8> {
    if s.bytes().all(|b| (1..0x80).contains(&b)) { s.as_bytes().to_vec() } else { from_utf16(s.encode_utf16()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_every_unit() {
        for u in 0..=0xffffu16 {
            let b = from_utf16([u]);
            assert!(is_valid(&b), "{u:#x}");
            assert_eq!(to_utf16(&b), [u]);
            assert_eq!(is_latin1(&b), u < 0x100, "{u:#x}");
            assert_eq!(utf16_len(&b), 1);
        }
    }

    #[test]
    fn strings() {
        let s = "a\0\u{e4}\u{20ac}\u{1f600}z";
        let b = from_str(s);
        assert_eq!(to_string(&b), s);
        assert_eq!(utf16_len(&b), s.encode_utf16().count());
        assert_eq!(from_str("plain"), b"plain");
    }

    #[test]
    fn rejects_malformed() {
        for bad in [
            &b"a\0"[..],
            b"\x80",
            b"\xf0\x9f\x98\x80",
            b"\xc1\x81",
            b"\xe0\x80\x80",
            b"\xc2",
            b"\xe2\x82",
            b"12345678\0",
        ] {
            assert!(!is_valid(bad), "{bad:x?}");
            assert!(!to_string(bad).is_empty());
        }
        assert!(is_valid(b"1234567812345678abc"));
        assert!(is_valid(b"12345678\xc0\x80"));
    }

    /// Random bytes, most of them near well-formed text: what is said of them holds together.
    #[test]
    fn random_bytes_are_judged_consistently() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 20) as usize % below
        };
        let (mut valid, mut invalid) = (0, 0);
        for _ in 0..20_000 {
            let units: Vec<u16> = (0..random(24))
                .map(|_| match random(4) {
                    0 => random(0x80) as u16,
                    1 => random(0x800) as u16,
                    2 => 0xd800 + random(0x800) as u16,
                    _ => random(0x10000) as u16,
                })
                .collect();
            let mut bytes = from_utf16(units.iter().copied());
            assert!(is_valid(&bytes), "{units:x?}");
            for _ in 0..random(3) {
                match (random(3), bytes.len()) {
                    (_, 0) | (0, _) => bytes.insert(random(bytes.len() + 1), random(256) as u8),
                    (1, n) => bytes[random(n)] = random(256) as u8,
                    (_, n) => {
                        bytes.remove(random(n));
                    }
                }
            }
            let decoded = to_utf16(&bytes);
            assert_eq!(utf16_len(&bytes), decoded.len(), "{bytes:x?}");
            assert_eq!(is_valid(&bytes), is_valid_slow(&bytes), "{bytes:x?}");
            // Every string has one form, so what is well-formed comes back.
            assert_eq!(is_valid(&bytes), from_utf16(decoded.iter().copied()) == bytes, "{bytes:x?}");
            if is_valid(&bytes) {
                valid += 1;
                assert_eq!(is_latin1(&bytes), decoded.iter().all(|u| *u < 0x100), "{bytes:x?}");
                assert_eq!(to_string(&bytes), String::from_utf16_lossy(&decoded));
            } else {
                invalid += 1;
            }
        }
        assert!(valid > 5000 && invalid > 5000, "{valid} valid, {invalid} not");
    }
}
