//! Owns which names are legal (JVMS 4.2). Names of class files before version 49 had to be Java
//! identifiers.
use crate::identifiers;
use crate::mutf8;

/// Legal as the binary name of a class or interface, not of an array.
pub fn is_class_name(name: &[u8]) -> bool {
    let mut prev = b'/';
    for &b in name {
        match b {
            b'.' | b';' | b'[' => return false,
            b'/' if prev == b'/' => return false,
            _ => prev = b,
        }
    }
    prev != b'/'
}

/// Legal as the name of a field.
pub fn is_field_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(|b| matches!(b, b'.' | b';' | b'[' | b'/'))
}

/// Legal as the name of a method other than the two special ones.
pub fn is_method_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(|b| matches!(b, b'.' | b';' | b'[' | b'/' | b'<' | b'>'))
}

/// Length of the identifier at the front of `text`; with `slashes`, of identifiers joined by '/'.
pub fn identifier_len(text: &[u8], slashes: bool) -> usize {
    // As in HotSpot a slash may be the first and the last, but not behind another, and a digit may
    // stand behind it.
    let mut previous = None;
    let mut i = 0;
    while let Some(&b) = text.get(i) {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {}
            0x80.. => {
                let (point, len) = code_point(&text[i..]);
                let legal = if i > 0 { identifiers::may_follow(point) } else { identifiers::may_start(point) };
                if !legal {
                    break;
                }
                i += len - 1;
            }
            b'0'..=b'9' if previous.is_some() => {}
            b'/' if slashes && previous != Some(b'/') => {}
            _ => break,
        }
        previous = Some(b);
        i += 1;
    }
    i
}

/// The character that `text` begins with, and its length in bytes: one beyond the first plane is two units of three bytes.
fn code_point(text: &[u8]) -> (u32, usize) {
    let mut units = mutf8::units(text);
    let first = units.next().map_or(0, u32::from);
    let len = if text[0] < 0xe0 { 2 } else { 3 };
    match (first, units.next()) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
            (0x10000 + ((first - 0xd800) << 10) + (u32::from(low) - 0xdc00), 2 * len)
        }
        _ => (first, len),
    }
}

/// The package part of a binary name, empty for the unnamed package.
pub fn package_of(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&b| b == b'/').map_or(&[], |i| &name[..i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_names() {
        assert!(is_class_name(b"a/b/C$1") && is_class_name(b"<x>"));
        for bad in [&b""[..], b"/a", b"a/", b"a//b", b"a.b", b"a;", b"[I"] {
            assert!(!is_class_name(bad));
        }
    }

    #[test]
    fn member_names() {
        assert!(is_field_name(b"<a>") && !is_field_name(b"a/b") && !is_field_name(b""));
        assert!(is_method_name(b"a b") && !is_method_name(b"<a>"));
        assert_eq!(identifier_len(b"a/b1;x", true), 4);
        assert_eq!(identifier_len(b"a/b1;x", false), 1);
        assert_eq!(identifier_len(b"/a/", true), 3);
        assert_eq!(identifier_len(b"a//b", true), 2);
        assert_eq!(identifier_len(b"1a", false), 0);
        assert_eq!(package_of(b"a/b/C"), b"a/b");
        assert_eq!(package_of(b"C"), b"");
    }
}
