//! Names as Java programs and messages see them.
use crate::info::ClassExt;
use concord_contract::class::flags;
use concord_contract::{BasicType, Class, Method};

/// `java.lang.String`, `[Ljava.lang.String;`, `int`, `X$$Lambda$1/0x...`: what Class.getName gives.
pub fn external(c: &Class) -> String {
    with_suffix(c.name.as_str().replace('/', "."), is_hidden(c))
}
/// Whether the class, or what it is an array of, is hidden.
pub fn is_hidden(c: &Class) -> bool {
    let element = std::iter::successors(Some(c), |c| c.component).last();
    element.is_some_and(|e| e.has_flag(flags::HIDDEN))
}
/// The name of a hidden class as it is shown: internally `+` stands before its suffix.
pub fn with_suffix(mut name: String, hidden: bool) -> String {
    if let Some(plus) = name.rfind('+').filter(|_| hidden) {
        name.replace_range(plus..=plus, "/");
    }
    name
}

/// As error messages print types: `java.lang.String[]`, `int`.
pub fn readable(c: &Class) -> String {
    match c.component {
        Some(e) => format!("{}[]", readable(e)),
        None => external(c),
    }
}

/// One type of a descriptor as messages print it; returns it with the rest.
fn descriptor_type(d: &[u8]) -> (String, &[u8]) {
    let dims = d.iter().take_while(|b| **b == b'[').count();
    let d = &d[dims..];
    let (name, rest) = match d.first() {
        Some(b'L') => {
            let end = d.iter().position(|b| *b == b';').unwrap_or(d.len() - 1);
            (concord_base::symbol::text(&d[1..end]).replace('/', "."), &d[end + 1..])
        }
        Some(c) => (BasicType::from_descriptor_char(*c).map_or("?", |t| t.java_name()).to_string(), &d[1..]),
        None => (String::new(), d),
    };
    (name + &"[]".repeat(dims), rest)
}

/// A field descriptor's type.
pub fn field_type(descriptor: &[u8]) -> String {
    descriptor_type(descriptor).0
}

/// (`int`, `java.lang.String, long[]`) of a method descriptor: result and parameters.
pub fn signature(descriptor: &[u8]) -> (String, String) {
    let mut d = descriptor.strip_prefix(b"(").unwrap_or(descriptor);
    let mut params = Vec::new();
    while let Some(c) = d.first() {
        if *c == b')' {
            break;
        }
        let (t, rest) = descriptor_type(d);
        params.push(t);
        d = rest;
    }
    let ret = descriptor_type(d.strip_prefix(b")").unwrap_or(d)).0;
    (ret, params.join(", "))
}

/// `int java.lang.String.indexOf(java.lang.String, int)`.
pub fn method(m: &Method) -> String {
    let (ret, params) = signature(m.descriptor.as_bytes());
    format!("{ret} {}.{}({params})", external(m.class), m.name)
}

/// The same from the parts of an unresolved reference.
pub fn method_ref(class: &Class, name: &str, descriptor: &[u8]) -> String {
    let (ret, params) = signature(descriptor);
    format!("{ret} {}.{name}({params})", external(class))
}

/// `X is in unnamed module of loader 'app'`, `X is in module java.base of loader 'bootstrap'`.
pub fn location(th: &concord_contract::Thread, c: &Class) -> String {
    format!("{} is in {}", external(c), module_and_loader(th, c))
}

/// The same with the parent of a loader that is not the JDK's own.
pub fn location_with_parent(th: &concord_contract::Thread, c: &Class) -> String {
    let java = c.loader().java.get();
    let text = location(th, c);
    if java.is_null()
        || c.loader().is_builtin()
        || java.class().name == "jdk/internal/loader/ClassLoaders$AppClassLoader"
    {
        return text;
    }
    let parent = crate::loader::of_object(java.get_ref(crate::known::offsets().loader_parent));
    format!("{text}, parent loader {}", if parent.is_boot() { "'bootstrap'".into() } else { parent.describe(th) })
}

/// `unnamed module of loader 'app'`.
pub fn module_and_loader(th: &concord_contract::Thread, c: &Class) -> String {
    let name = crate::modules::name_of(c).map(|n| n.as_str().into_owned());
    in_loader(name, crate::modules::version_of(c), c.loader().describe(th))
}
fn in_loader(module: Option<String>, version: Option<String>, loader: String) -> String {
    let loader = if loader.starts_with('\'') || loader.contains(" @") { loader } else { format!("'{loader}'") };
    match module {
        Some(m) => match version {
            Some(v) => format!("module {m}@{v} of loader {loader}"),
            None => format!("module {m} of loader {loader}"),
        },
        None => format!("unnamed module of loader {loader}"),
    }
}

/// For two classes in one message: `A is in ...; B is in ...`, or `A and B are in ...`.
pub fn locations(th: &concord_contract::Thread, a: &Class, b: &Class) -> String {
    both(&external(a), &module_and_loader(th, a), &external(b), &module_and_loader(th, b))
}
fn both(a: &str, la: &str, b: &str, lb: &str) -> String {
    if la == lb { format!("{a} and {b} are in {la}") } else { format!("{a} is in {la}; {b} is in {lb}") }
}
/// The same while the first class is being defined, hence in the unnamed module or a package's.
pub fn locations_named(
    th: &concord_contract::Thread,
    a: &str,
    loader: &'static crate::loader::Loader,
    b: &Class,
) -> String {
    let package = concord_base::Symbol::from(a.rsplit_once('.').map_or("", |p| p.0).replace('.', "/").as_str());
    let module = crate::modules::of_package(loader, package).and_then(|m| m.name);
    let la = in_loader(module.map(|n| n.as_str().into_owned()), None, loader.describe(th));
    both(a, &la, &external(b), &module_and_loader(th, b))
}

#[cfg(test)]
mod tests {
    #[test]
    fn signatures_read_as_java() {
        assert_eq!(
            super::signature(b"(ILjava/lang/String;[[J)V"),
            ("void".into(), "int, java.lang.String, long[][]".into())
        );
        assert_eq!(super::field_type(b"[Ljava/util/List;"), "java.util.List[]");
    }
}
