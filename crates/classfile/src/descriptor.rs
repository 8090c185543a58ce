//! Owns the reading of field and method descriptors (JVMS 4.3) without allocation. Validation
//! is a separate step ([`is_field`], [`is_method`]): iteration over a descriptor that was never
//! validated, as those of trusted classes, ends at the first malformed type and cannot panic.

/// Kind of a value as the bytecodes see it. `Void` occurs as a return kind only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BasicType {
    Boolean = 4,
    Char = 5,
    Float = 6,
    Double = 7,
    Byte = 8,
    Short = 9,
    Int = 10,
    Long = 11,
    Object = 12,
    Array = 13,
    Void = 14,
}

impl BasicType {
    /// The kind that a descriptor's first byte announces.
    #[inline]
    pub const fn of(first: u8) -> Option<BasicType> {
        Some(match first {
            b'Z' => BasicType::Boolean,
            b'C' => BasicType::Char,
            b'F' => BasicType::Float,
            b'D' => BasicType::Double,
            b'B' => BasicType::Byte,
            b'S' => BasicType::Short,
            b'I' => BasicType::Int,
            b'J' => BasicType::Long,
            b'L' => BasicType::Object,
            b'[' => BasicType::Array,
            b'V' => BasicType::Void,
            _ => return None,
        })
    }
    /// Stack or local slots: 2 for long and double, 0 for void.
    #[inline]
    pub const fn slots(self) -> usize {
        match self {
            BasicType::Long | BasicType::Double => 2,
            BasicType::Void => 0,
            _ => 1,
        }
    }
    #[inline]
    pub const fn is_reference(self) -> bool {
        matches!(self, BasicType::Object | BasicType::Array)
    }
    /// boolean, byte, char, short and int: one `int` on the stack.
    #[inline]
    pub const fn is_int_like(self) -> bool {
        matches!(self, BasicType::Boolean | BasicType::Char | BasicType::Byte | BasicType::Short | BasicType::Int)
    }
    /// Bytes in an array or field; references are as wide as the heap makes them, hence `None`.
    pub const fn size(self) -> Option<usize> {
        match self {
            BasicType::Boolean | BasicType::Byte => Some(1),
            BasicType::Char | BasicType::Short => Some(2),
            BasicType::Int | BasicType::Float => Some(4),
            BasicType::Long | BasicType::Double => Some(8),
            BasicType::Object | BasicType::Array | BasicType::Void => None,
        }
    }
    /// Descriptor letter.
    pub const fn letter(self) -> u8 {
        match self {
            BasicType::Boolean => b'Z',
            BasicType::Char => b'C',
            BasicType::Float => b'F',
            BasicType::Double => b'D',
            BasicType::Byte => b'B',
            BasicType::Short => b'S',
            BasicType::Int => b'I',
            BasicType::Long => b'J',
            BasicType::Object => b'L',
            BasicType::Array => b'[',
            BasicType::Void => b'V',
        }
    }
    /// Java keyword of a primitive kind.
    pub const fn java_name(self) -> Option<&'static str> {
        Some(match self {
            BasicType::Boolean => "boolean",
            BasicType::Char => "char",
            BasicType::Float => "float",
            BasicType::Double => "double",
            BasicType::Byte => "byte",
            BasicType::Short => "short",
            BasicType::Int => "int",
            BasicType::Long => "long",
            BasicType::Void => "void",
            BasicType::Object | BasicType::Array => return None,
        })
    }
}

/// One type inside a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldType<'a> {
    pub kind: BasicType,
    /// The type's own text: `I`, `Ljava/lang/String;`, `[[J`.
    pub text: &'a [u8],
}

impl<'a> FieldType<'a> {
    /// Name of the class that the type refers to, as `Class` constants spell it:
    /// `java/lang/String`, and an array's own descriptor.
    pub fn class_name(&self) -> Option<&'a [u8]> {
        match self.kind {
            BasicType::Object => self.text.get(1..self.text.len().saturating_sub(1)),
            BasicType::Array => Some(self.text),
            _ => None,
        }
    }
    pub fn slots(&self) -> usize {
        self.kind.slots()
    }
    /// Dimensions, 0 unless it is an array.
    pub fn dimensions(&self) -> usize {
        self.text.iter().take_while(|&&b| b == b'[').count()
    }
    /// What remains without the dimensions.
    pub fn base(&self) -> Option<FieldType<'a>> {
        parse_field(&self.text[self.dimensions()..])
    }
}

/// Takes the type at the front of `desc`, void included; `None` when it is malformed.
#[inline]
fn split_first(desc: &[u8]) -> Option<(FieldType<'_>, &[u8])> {
    let kind = BasicType::of(*desc.first()?)?;
    let len = match kind {
        BasicType::Object => desc.iter().position(|&b| b == b';')? + 1,
        BasicType::Array => {
            let dims = desc.iter().position(|&b| b != b'[')?;
            match desc[dims] {
                b'L' => dims + desc[dims..].iter().position(|&b| b == b';')? + 1,
                b'V' => return None,
                b => BasicType::of(b).map(|_| dims + 1)?,
            }
        }
        _ => 1,
    };
    let (text, rest) = desc.split_at(len);
    Some((FieldType { kind, text }, rest))
}

/// Reads a field descriptor; `None` when it is malformed, void, or longer than one type.
pub fn parse_field(desc: &[u8]) -> Option<FieldType<'_>> {
    match split_first(desc)? {
        (t, []) if t.kind != BasicType::Void => Some(t),
        _ => None,
    }
}

/// Kind of a field descriptor by its first byte. For descriptors that have passed the parser.
#[inline]
pub fn field_kind(desc: &[u8]) -> BasicType {
    desc.first().and_then(|&b| BasicType::of(b)).unwrap_or(BasicType::Void)
}

/// A method descriptor, read lazily.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodDescriptor<'a>(&'a [u8]);

impl<'a> MethodDescriptor<'a> {
    /// `None` unless the text begins as a method descriptor does.
    #[inline]
    pub fn new(desc: &'a [u8]) -> Option<Self> {
        (desc.first() == Some(&b'(')).then_some(MethodDescriptor(desc))
    }
    pub fn text(&self) -> &'a [u8] {
        self.0
    }
    /// The parameter types in order.
    #[inline]
    pub fn params(&self) -> Params<'a> {
        Params(&self.0[1..])
    }
    /// Slots of the parameters, receiver not counted.
    pub fn param_slots(&self) -> usize {
        self.params().map(|p| p.slots()).sum()
    }
    pub fn param_count(&self) -> usize {
        self.params().count()
    }
    fn ret_text(&self) -> &'a [u8] {
        // A class name may contain ')' in no descriptor: the last one closes the parameters,
        // unless the return type's own name holds one, so look for the first outside of names.
        let mut p = self.params();
        p.by_ref().for_each(drop);
        p.0.get(1..).unwrap_or(&[])
    }
    /// Kind of the result.
    #[inline]
    pub fn ret(&self) -> BasicType {
        field_kind(self.ret_text())
    }
    /// Type of the result; `None` for void.
    pub fn ret_type(&self) -> Option<FieldType<'a>> {
        parse_field(self.ret_text())
    }
}

/// Iterator over parameter types.
#[derive(Clone, Debug)]
pub struct Params<'a>(&'a [u8]);

impl<'a> Iterator for Params<'a> {
    type Item = FieldType<'a>;
    #[inline]
    fn next(&mut self) -> Option<FieldType<'a>> {
        if self.0.first() == Some(&b')') {
            return None;
        }
        let (t, rest) = split_first(self.0).filter(|(t, _)| t.kind != BasicType::Void)?;
        self.0 = rest;
        Some(t)
    }
}

/// What is wrong with a descriptor; the parser words it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    Syntax,
    /// More than 255 dimensions.
    Dimensions,
    /// A class name that is empty or holds an illegal character.
    ClassName,
}

/// Checks one type at the front of `desc` and returns what follows.
fn check_type(desc: &[u8], modern: bool) -> Result<&[u8], Malformed> {
    let dims = desc.iter().take_while(|&&b| b == b'[').count();
    if dims > 255 {
        return Err(Malformed::Dimensions);
    }
    match desc.get(dims) {
        Some(b'L') => {
            let rest = &desc[dims + 1..];
            if modern {
                let Some(n) = rest.iter().position(|&b| b == b';') else {
                    return Err(Malformed::Syntax);
                };
                if !crate::names::is_class_name(&rest[..n]) {
                    return Err(Malformed::ClassName);
                }
                Ok(&rest[n + 1..])
            } else {
                let n = crate::names::identifier_len(rest, true);
                if n > 0 && rest.get(n) == Some(&b';') { Ok(&rest[n + 1..]) } else { Err(Malformed::Syntax) }
            }
        }
        Some(b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D') => Ok(&desc[dims + 1..]),
        _ => Err(Malformed::Syntax),
    }
}

/// Whether `desc` is one field descriptor. `modern`: names by the rules of version 49 and later.
pub fn check_field(desc: &[u8], modern: bool) -> Result<(), Malformed> {
    match check_type(desc, modern)? {
        [] => Ok(()),
        _ => Err(Malformed::Syntax),
    }
}

/// Whether `desc` is a method descriptor; returns the slots of its parameters.
pub fn check_method(desc: &[u8], modern: bool, must_be_void: bool) -> Result<usize, Malformed> {
    let Some((b'(', mut rest)) = desc.split_first() else {
        return Err(Malformed::Syntax);
    };
    let mut slots = 0;
    while let Some(&b) = rest.first() {
        if b == b')' {
            rest = &rest[1..];
            if rest != b"V" && (must_be_void || !check_type(rest, modern)?.is_empty()) {
                return Err(Malformed::Syntax);
            }
            return Ok(slots);
        }
        rest = check_type(rest, modern)?;
        slots += if b == b'J' || b == b'D' { 2 } else { 1 };
    }
    Err(Malformed::Syntax)
}

/// Whether `desc` is a well-formed field descriptor.
pub fn is_field(desc: &[u8]) -> bool {
    check_field(desc, true).is_ok()
}

/// Whether `desc` is a well-formed method descriptor.
pub fn is_method(desc: &[u8]) -> bool {
    check_method(desc, true, false).is_ok()
}

/// Java spelling of a field descriptor (`java.lang.String[]`), for messages and dumps.
pub fn to_java(desc: &[u8]) -> String {
    let dims = desc.iter().take_while(|&&b| b == b'[').count();
    let base = &desc[dims..];
    let mut s = match base.first().and_then(|&b| BasicType::of(b)) {
        Some(BasicType::Object) => {
            crate::mutf8::to_string(&base[1..base.len().saturating_sub(1).max(1)]).replace('/', ".")
        }
        Some(kind) => kind.java_name().unwrap_or("?").to_string(),
        None => crate::mutf8::to_string(base),
    };
    for _ in 0..dims {
        s.push_str("[]");
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn method_parts() {
        let d = MethodDescriptor::new(b"(IJ[[DLa/B;[La/C;Z)[Ljava/lang/String;").unwrap();
        let kinds: Vec<_> = d.params().map(|p| p.kind).collect();
        assert_eq!(
            kinds,
            [
                BasicType::Int,
                BasicType::Long,
                BasicType::Array,
                BasicType::Object,
                BasicType::Array,
                BasicType::Boolean
            ]
        );
        assert_eq!(d.param_slots(), 7);
        assert_eq!(d.ret(), BasicType::Array);
        assert_eq!(d.params().nth(3).unwrap().class_name(), Some(&b"a/B"[..]));
        assert_eq!(d.params().nth(4).unwrap().class_name(), Some(&b"[La/C;"[..]));
        assert_eq!(d.ret_type().unwrap().base().unwrap().class_name(), Some(&b"java/lang/String"[..]));
        let odd = MethodDescriptor::new(b"(La)b;I)V").unwrap();
        assert_eq!((odd.param_count(), odd.ret()), (2, BasicType::Void));
    }

    #[test]
    fn validity() {
        for ok in [&b"()V"[..], b"(I)I", b"([Ljava/lang/Object;D)[[Z"] {
            assert!(is_method(ok));
        }
        for bad in [&b""[..], b"()", b"(V)V", b"(I", b"I", b"()VV", b"(L;)V", b"(La//b;)V", b"(La.b;)V", b"([V)V"] {
            assert!(!is_method(bad), "{}", String::from_utf8_lossy(bad));
            // Reading must be total even so.
            if let Some(d) = MethodDescriptor::new(bad) {
                d.param_slots();
                d.ret_type();
            }
        }
        assert!(is_field(b"[[J") && is_field(b"La/B;"));
        assert!(!is_field(b"V") && !is_field(b"II") && !is_field(b"[") && !is_field(b"La/B"));
        let deep = [vec![b'['; 256], vec![b'I']].concat();
        assert_eq!(check_field(&deep, true), Err(Malformed::Dimensions));
        assert!(is_field(&deep[1..]));
        assert_eq!(check_method(b"()I", true, true), Err(Malformed::Syntax));
    }

    #[test]
    fn java_spelling() {
        assert_eq!(to_java(b"[[Ljava/lang/String;"), "java.lang.String[][]");
        assert_eq!(to_java(b"J"), "long");
    }

    /// Random descriptors, whole and damaged: what the check accepts, the reader takes apart into
    /// pieces that make the whole again; what it refuses, the reader survives.
    #[test]
    fn random_descriptors_are_read_as_they_are_checked() {
        let mut seed = 0x2545_f491_4f6c_dd1du64;
        let mut random = move |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 20) as usize % below
        };
        let (mut good, mut bad) = (0, 0);
        for _ in 0..20_000 {
            let mut text = b"(".to_vec();
            let parameters = random(6);
            for k in 0..=parameters {
                if k == parameters {
                    text.push(b')');
                    if random(3) == 0 {
                        text.push(b'V');
                        break;
                    }
                }
                text.extend(vec![b'['; random(40) / 37 * random(300) + random(8) / 6]);
                match random(10) {
                    0 => text.extend_from_slice("La/\u{e4}$1;".as_bytes()),
                    1 => text.extend_from_slice(b"Ljava/lang/Object;"),
                    n => text.push(b"ZBCSIJFD"[n - 2]),
                }
            }
            for _ in 0..random(4) / 2 {
                let at = random(text.len());
                match random(3) {
                    0 => text[at] = b"()[;L/.VIJ<\xff"[random(11)],
                    1 => text.insert(at, b"()[;L/.VIJ<"[random(11)]),
                    _ => {
                        text.remove(at);
                    }
                }
                if text.is_empty() {
                    break;
                }
            }
            let shown = String::from_utf8_lossy(&text).into_owned();
            let read = MethodDescriptor::new(&text);
            if let Some(d) = read {
                let _total = (d.param_count(), d.param_slots(), d.ret(), d.ret_type(), to_java(d.text()));
            }
            let Ok(slots) = check_method(&text, true, false) else {
                bad += 1;
                continue;
            };
            good += 1;
            let Some(d) = read else { panic!("{shown} is good and cannot be read") };
            assert_eq!(d.param_slots(), slots, "{shown}");
            let pieces: Vec<u8> = d.params().flat_map(|p| p.text.to_vec()).collect();
            let result = d.ret_type().map_or(&b"V"[..], |t| t.text);
            assert_eq!([b"(", &pieces[..], b")", result].concat(), text, "{shown}");
            assert!(d.params().all(|p| is_field(p.text) && parse_field(p.text).is_some()), "{shown}");
            assert!(d.params().all(|p| p.dimensions() <= 255), "{shown}");
        }
        assert!(good > 5000 && bad > 2000, "{good} good, {bad} bad");
    }
}
