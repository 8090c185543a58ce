//! The `VBDRelaxed*` flags: which code and which fields keep the Java memory model.
//!
//! Invariant: a pattern matches whole names only; one that has no syntax is an error, never a
//! pattern that matches nothing. Names are internal ones (`java/util/HashMap$Node`).
//!
//! | flag | pattern |
//! |---|---|
//! | `VBDRelaxedMethod` | `p.C::m`, `p/C.m` or the paper's `p/C/m`; a descriptor may follow |
//! | `VBDRelaxedClass` | `p.C` or `p/C` |
//! | `VBDRelaxedPackage` | `p.q` or `p/q` |
//! | `VBDRelaxedField` | `p.C::f` or `p/C.f` |
//! | `VBDRelaxedLoc` | `p.C::m,q.D::f`: accesses to the field from that method |
//!
//! As in `-XX:CompileCommand`, `*` may stand at the beginning and at the end of a class, method or
//! package name, and nowhere else. But for `VBDRelaxedLoc`, commas separate patterns of one flag.

/// One name with an optional `*` at either end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Glob {
    text: String,
    open_start: bool,
    open_end: bool,
}

impl Glob {
    fn parse(text: &str) -> Result<Glob, String> {
        if text == "*" {
            return Ok(Glob { text: String::new(), open_start: true, open_end: true });
        }
        let (open_start, rest) = text.strip_prefix('*').map_or((false, text), |t| (true, t));
        let (open_end, rest) = rest.strip_suffix('*').map_or((false, rest), |t| (true, t));
        if rest.contains('*') {
            return Err("embedded * not allowed".into());
        }
        if rest.is_empty() {
            return Err("a name is missing".into());
        }
        // `<` and `>` as in <init>; what no name may have (JVMS 4.2).
        if rest.contains([';', '[', ' ', ':', '(', ')', ','])
            || rest.contains("//")
            || rest.starts_with('/')
            || rest.ends_with('/') && !open_end
        {
            return Err(format!("{rest} is no name"));
        }
        Ok(Glob { text: rest.to_string(), open_start, open_end })
    }
    /// A class or package in either spelling.
    fn class(text: &str) -> Result<Glob, String> {
        if text.contains('.') && text.contains('/') {
            return Err(format!("{text} mixes . and /"));
        }
        Glob::parse(&text.replace('.', "/"))
    }
    fn member(text: &str) -> Result<Glob, String> {
        match text.contains(['/', '.']) {
            true => Err(format!("{text} is no name of a member")),
            false => Glob::parse(text),
        }
    }
    fn matches(&self, name: &str) -> bool {
        match (self.open_start, self.open_end) {
            (false, false) => name == self.text,
            (false, true) => name.starts_with(&self.text),
            (true, false) => name.ends_with(&self.text),
            (true, true) => name.contains(&self.text),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    class: Glob,
    name: Glob,
    descriptor: Option<String>,
}

impl Member {
    fn parse(text: &str, is_method: bool) -> Result<Member, String> {
        let (names, descriptor) = match text.find('(') {
            Some(at) if is_method && text[at..].contains(')') && !text.ends_with(')') => {
                (&text[..at], Some(text[at..].to_string()))
            }
            Some(_) => return Err("a descriptor is (types)type, and only methods have one".into()),
            None => (text, None),
        };
        let (class, name) = if let Some(parts) = names.split_once("::") {
            parts
        } else if names.contains('/') && names.contains('.') {
            names.rsplit_once('.').unwrap_or_default()
        } else if is_method && names.contains('/') {
            names.rsplit_once('/').unwrap_or_default()
        } else if names.matches('.').count() == 1 {
            // A class of the unnamed package.
            names.split_once('.').unwrap_or_default()
        } else {
            return Err("class and member must be separated by :: (or . after a class with /)".into());
        };
        Ok(Member { class: Glob::class(class)?, name: Glob::member(name)?, descriptor })
    }
    fn matches(&self, class: &str, name: &str, descriptor: &str) -> bool {
        self.class.matches(class) && self.name.matches(name) && self.descriptor.as_ref().is_none_or(|d| d == descriptor)
    }
}

/// The texts of the flags.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlagTexts<'a> {
    pub methods: &'a [String],
    pub classes: &'a [String],
    pub packages: &'a [String],
    pub fields: &'a [String],
    pub locs: &'a [String],
}

/// The parsed flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    methods: Vec<Member>,
    classes: Vec<Glob>,
    packages: Vec<Glob>,
    fields: Vec<Member>,
    locs: Vec<(Member, Member)>,
}

fn list<T>(flag: &str, texts: &[String], parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    let one = |t: &str| parse(t).map_err(|e| format!("{flag}={t}: {e}"));
    texts.iter().flat_map(|t| t.split(',')).map(one).collect()
}

impl Rules {
    /// # Errors
    /// Flag, pattern, and what is wrong with it.
    pub fn parse(t: FlagTexts<'_>) -> Result<Rules, String> {
        let loc = |t: &str| -> Result<(Member, Member), String> {
            let wrong = |e: String| format!("VBDRelaxedLoc={t}: {e}");
            let (m, f) = t.split_once(',').ok_or_else(|| wrong("class::method,class::field is asked for".into()))?;
            Ok((Member::parse(m, true).map_err(wrong)?, Member::parse(f, false).map_err(wrong)?))
        };
        Ok(Rules {
            methods: list("VBDRelaxedMethod", t.methods, |t| Member::parse(t, true))?,
            classes: list("VBDRelaxedClass", t.classes, Glob::class)?,
            packages: list("VBDRelaxedPackage", t.packages, Glob::class)?,
            fields: list("VBDRelaxedField", t.fields, |t| Member::parse(t, false))?,
            locs: t.locs.iter().map(|t| loc(t)).collect::<Result<_, _>>()?,
        })
    }
    pub fn is_empty(&self) -> bool {
        *self == Rules::default()
    }
    /// Whether all code of a class is relaxed, by its own name or its package's.
    pub fn class(&self, name: &str) -> bool {
        let package = name.rsplit_once('/').map(|p| p.0);
        self.classes.iter().any(|c| c.matches(name))
            || package.is_some_and(|p| self.packages.iter().any(|g| g.matches(p)))
    }
    pub fn method(&self, class: &str, name: &str, descriptor: &str) -> bool {
        self.methods.iter().any(|m| m.matches(class, name, descriptor))
    }
    pub fn field(&self, class: &str, name: &str) -> bool {
        self.fields.iter().any(|f| f.matches(class, name, ""))
    }
    /// Whether accesses to a field from a method are relaxed.
    pub fn loc(&self, method: (&str, &str, &str), field: (&str, &str)) -> bool {
        self.locs.iter().any(|(m, f)| m.matches(method.0, method.1, method.2) && f.matches(field.0, field.1, ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(text: &str) -> Result<Rules, String> {
        Rules::parse(FlagTexts { methods: &[text.to_string()], ..FlagTexts::default() })
    }
    fn class(text: &str) -> Result<Rules, String> {
        Rules::parse(FlagTexts { classes: &[text.to_string()], ..FlagTexts::default() })
    }

    #[test]
    fn methods_match_exactly_in_every_spelling() {
        for text in ["p.q.C::write", "p/q/C.write", "p/q/C/write", "p/q/C::write"] {
            let r = method(text).unwrap();
            assert!(r.method("p/q/C", "write", "()V"), "{text}");
            // What the paper's substring search gets wrong.
            assert!(!r.method("p/q/C", "writeObject", "()V") && !r.method("p/q/C", "writ", "()V"), "{text}");
            assert!(!r.method("p/q/C$D", "write", "()V") && !r.method("r/p/q/C", "write", "()V"), "{text}");
        }
        assert!(method("C.m").unwrap().method("C", "m", "()V"));
        let r = method("p/C.m(I)V").unwrap();
        assert!(r.method("p/C", "m", "(I)V") && !r.method("p/C", "m", "()V"));
        let r = method("p.C::a,p.C::b").unwrap();
        assert!(r.method("p/C", "a", "()V") && r.method("p/C", "b", "()V") && !r.method("p/C", "c", "()V"));
    }
    #[test]
    fn stars_stand_at_the_ends() {
        let r = method("p.*::get*").unwrap();
        assert!(r.method("p/C", "getX", "()V") && r.method("p/q/C", "get", "()V"));
        assert!(!r.method("p/C", "forget", "()V"));
        assert!(method("*::lambda$main$*").unwrap().method("x/Y", "lambda$main$0", "()V"));
        assert!(method("p.C::*").unwrap().method("p/C", "<init>", "()V"));
        assert!(class("*Buffer").unwrap().class("java/nio/ByteBuffer"));
        assert!(class("p.C$*").unwrap().class("p/C$D") && !class("p.C$*").unwrap().class("p/C"));
    }
    #[test]
    fn packages_are_not_prefixes() {
        let r = Rules::parse(FlagTexts { packages: &["p.q".to_string(), "z.*".to_string()], ..FlagTexts::default() })
            .unwrap();
        assert!(r.class("p/q/C") && !r.class("p/q/r/C") && !r.class("p/qq/C") && !r.class("C"));
        assert!(r.class("z/a/b/C") && !r.class("z/C"));
    }
    #[test]
    fn fields_and_places() {
        let r = Rules::parse(FlagTexts {
            fields: &["p.C::f".to_string()],
            locs: &["p.C::m,q.D::g".to_string()],
            ..FlagTexts::default()
        })
        .unwrap();
        assert!(r.field("p/C", "f") && !r.field("p/C", "ff") && !r.field("q/D", "g"));
        assert!(r.loc(("p/C", "m", "()V"), ("q/D", "g")) && !r.loc(("p/C", "n", "()V"), ("q/D", "g")));
    }
    #[test]
    fn nonsense_is_an_error() {
        for text in
            ["", "write", "p.q.C.write", "p.C::", "::m", "p.C::a*b", "p.C::m(", "p/q.C::m", "p.C::m(I)", "p.C::a.b"]
        {
            let e = method(text).unwrap_err();
            assert!(e.starts_with(&format!("VBDRelaxedMethod={text}: ")), "{e}");
        }
        for text in ["", "p/q.C", "a*b", "p.C::m", "/C", "**"] {
            assert!(class(text).is_err(), "{text}");
        }
        let loc = |t: &str| Rules::parse(FlagTexts { locs: &[t.to_string()], ..FlagTexts::default() });
        assert!(loc("p.C::m").is_err() && loc("p.C::m,f").is_err() && loc("p.C::m,p.C::f").is_ok());
    }
}
