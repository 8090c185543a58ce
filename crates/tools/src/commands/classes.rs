//! Classes by what they extend.
use super::{Arguments, Reply};
use concord_contract::{ClassRef, Thread};
use concord_runtime::info::ClassExt;
use concord_runtime::loader::{self, Loader};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

fn all() -> Vec<ClassRef> {
    let mut v = Vec::new();
    loader::all_classes(&mut |c| {
        if c.is_instance_class() {
            v.push(c);
        }
    });
    v.sort_by_cached_key(|c| c.external_name());
    v
}

fn loader_text(l: &Loader) -> String {
    if l.is_boot() { "null".into() } else { format!("0x{:016x}", std::ptr::from_ref(l) as usize) }
}

fn named(c: ClassRef) -> String {
    format!("{}/{}", c.external_name(), loader_text(c.loader()))
}

/// What VM.class_hierarchy prints.
struct Hierarchy {
    /// By name, interfaces below Object as the class files have them.
    below: HashMap<usize, Vec<ClassRef>>,
    /// The classes to print, or all.
    chosen: Option<HashSet<usize>>,
    interfaces: bool,
}

fn key(c: ClassRef) -> usize {
    std::ptr::from_ref(c) as usize
}

impl Hierarchy {
    fn children(&self, c: ClassRef) -> &[ClassRef] {
        self.below.get(&key(c)).map_or(&[], |v| v)
    }
    /// Chooses a class with what it extends, and what extends it if that is asked for.
    fn choose(&mut self, c: ClassRef, subclasses: bool) {
        let mut chosen = self.chosen.take().unwrap_or_default();
        let mut up = Some(c);
        while let Some(s) = up {
            chosen.insert(key(s));
            up = s.super_class;
        }
        let mut rest = if subclasses { self.children(c).to_vec() } else { Vec::new() };
        while let Some(s) = rest.pop() {
            if chosen.insert(key(s)) {
                rest.extend(self.children(s));
            }
        }
        self.chosen = Some(chosen);
    }
    fn print(&self, out: &mut String, c: ClassRef, depth: usize) {
        if self.chosen.as_ref().is_some_and(|s| !s.contains(&key(c))) {
            return;
        }
        let bars = "|  ".repeat(depth.saturating_sub(1));
        let indent = if depth == 0 { String::new() } else { format!("{bars}|--") };
        let kind = if c.is_interface() { " (intf)" } else { "" };
        writeln!(out, "{indent}{}{kind}", named(c)).expect("writing to a string");
        if self.interfaces {
            let declared = &c.info().interfaces;
            let mut line = |i: ClassRef, how: &str| {
                let rest = if depth == 0 { String::new() } else { format!("{bars}|") };
                writeln!(out, "{rest}  implements {} ({how} intf)", named(i)).expect("writing to a string");
            };
            declared.iter().for_each(|i| line(i, "declared"));
            let all = c.interfaces_all.get().map_or(&[][..], |v| v);
            all.iter().filter(|i| !declared.contains(i)).for_each(|i| line(i, "inherited"));
        }
        self.children(c).iter().for_each(|s| self.print(out, s, depth + 1));
    }
}

pub fn hierarchy(_th: &Thread, a: &Arguments) -> Reply {
    let all = all();
    let mut h = Hierarchy { below: HashMap::new(), chosen: None, interfaces: a.flag("-i") };
    for c in &all {
        if let Some(s) = c.super_class {
            h.below.entry(key(s)).or_default().push(c);
        }
    }
    if let Some(wanted) = a.text("classname") {
        h.chosen = Some(HashSet::new());
        for c in all.iter().filter(|c| c.external_name() == wanted) {
            h.choose(c, a.flag("-s"));
        }
    }
    let mut out = String::new();
    all.iter().filter(|c| c.super_class.is_none()).for_each(|c| h.print(&mut out, c, 0));
    Ok(out.into_bytes())
}
