//! Classes and their loaders.
use super::{Arguments, Reply};
use concord_contract::{ClassRef, Thread};
use concord_runtime::info::ClassExt;
use concord_runtime::loader::{self, Loader};
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

fn subtree(out: &mut String, all: &[ClassRef], c: ClassRef, depth: usize) {
    let indent = if depth == 0 { String::new() } else { format!("{}|--", "|  ".repeat(depth - 1)) };
    writeln!(out, "{indent}{}/{}", c.external_name(), loader_text(c.loader())).expect("writing to a string");
    for s in all.iter().filter(|s| s.super_class == Some(c) && !s.is_interface()) {
        subtree(out, all, s, depth + 1);
    }
}

pub fn hierarchy(_th: &Thread, a: &Arguments) -> Reply {
    let all = all();
    let mut out = String::new();
    let wanted = a.text("classname").unwrap_or("java.lang.Object");
    for c in all.iter().filter(|c| c.external_name() == wanted) {
        subtree(&mut out, &all, c, 0);
    }
    Ok(out.into_bytes())
}

fn count(l: &Loader) -> usize {
    let mut n = 0;
    l.for_each(&mut |c| n += usize::from(c.is_instance_class()));
    n
}

pub fn loader_stats(th: &Thread, _a: &Arguments) -> Reply {
    let mut out =
        String::from("ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type\n");
    let (mut loaders, mut classes) = (0, 0);
    for l in loader::all_loaders() {
        let n = count(l);
        loaders += 1;
        classes += n;
        let address = l.java.get().addr();
        writeln!(
            out,
            "0x{address:016x}  {:<18}  0x{:016x}  {n:>7} {:>9} {:>9}  {}",
            "-",
            std::ptr::from_ref(l) as usize,
            "-",
            "-",
            if l.is_boot() { "<boot class loader>".into() } else { l.describe(th) }
        )
        .expect("writing to a string");
    }
    writeln!(out, "Total = {loaders:<8} {classes:>50}").expect("writing to a string");
    Ok(out.into_bytes())
}

pub fn loaders(th: &Thread, a: &Arguments) -> Reply {
    let mut out = String::new();
    for l in loader::all_loaders() {
        let name = if l.is_boot() { "<bootstrap>".to_string() } else { l.describe(th) };
        writeln!(out, "+-- {name}").expect("writing to a string");
        if a.flag("show-classes") {
            l.for_each(&mut |c| {
                if c.is_instance_class() {
                    writeln!(out, "|        {}", c.external_name()).expect("writing to a string");
                }
            });
        }
    }
    Ok(out.into_bytes())
}
