//! Names of native methods' functions (JNI specification, "Resolving Native Method Names").
use concord_contract::Method;

/// Appends the mangled form of modified UTF-8 `text`; None if the name has no mangled form: a
/// digit 0-3 right behind an underscore of ours would read as an escape.
fn append(out: &mut String, text: &[u8]) -> Option<()> {
    let mut after_separator = true;
    for unit in units(text) {
        match unit {
            0x30..=0x33 if after_separator => return None,
            0x30..=0x39 | 0x41..=0x5a | 0x61..=0x7a => out.push(unit as u8 as char),
            0x2f => out.push('_'),
            0x5f => out.push_str("_1"),
            0x3b => out.push_str("_2"),
            0x5b => out.push_str("_3"),
            _ => out.push_str(&format!("_0{unit:04x}")),
        }
        after_separator = unit == 0x2f;
    }
    Some(())
}

/// UTF-16 units of modified UTF-8; class files' names are well formed.
fn units(text: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let mut i = 0;
    std::iter::from_fn(move || {
        let low = |k: usize| text.get(k).map_or(0, |b| (b & 0x3f) as u16);
        let b = *text.get(i)? as u16;
        let (unit, n) = match b {
            0..=0x7f => (b, 1),
            0x80..=0xdf => ((b & 0x1f) << 6 | low(i + 1), 2),
            _ => ((b & 0x0f) << 12 | low(i + 1) << 6 | low(i + 2), 3),
        };
        i += n;
        Some(unit)
    })
}

/// The short name: class and method.
pub fn short(m: &Method) -> Option<String> {
    short_of(m.class.name.as_bytes(), m.name.as_bytes())
}
fn short_of(class: &[u8], method: &[u8]) -> Option<String> {
    let mut s = String::from("Java_");
    append(&mut s, class)?;
    s.push('_');
    append(&mut s, method)?;
    Some(s)
}
/// What the long name adds: the parameters of the descriptor.
pub fn signature_suffix(m: &Method) -> Option<String> {
    suffix_of(m.descriptor.as_bytes())
}
fn suffix_of(descriptor: &[u8]) -> Option<String> {
    let end = descriptor.iter().position(|b| *b == b')')?;
    let mut s = String::from("__");
    // Descriptors begin with type letters, never with digits.
    append(&mut s, &descriptor[1..end])?;
    Some(s)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn names_mangle_as_specified() {
        assert_eq!(short_of(b"java/lang/Object", b"getClass").unwrap(), "Java_java_lang_Object_getClass");
        assert_eq!(short_of(b"a/B_c", "\u{e9}x".as_bytes()).unwrap(), "Java_a_B_1c__000e9x");
        assert_eq!(short_of(b"p/Outer$In", b"f").unwrap(), "Java_p_Outer_00024In_f");
        assert_eq!(suffix_of(b"(ILjava/lang/String;[J)V").unwrap(), "__ILjava_lang_String_2_3J");
        assert_eq!(suffix_of(b"()V").unwrap(), "__");
        assert_eq!((short_of(b"p/1x", b"f"), short_of(b"p/X", b"0f")), (None, None));
        assert_eq!(short_of(b"p/X4", b"f0").unwrap(), "Java_p_X4_f0");
    }
}
