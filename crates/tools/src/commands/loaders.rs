//! Class loaders: the tree of them and their figures.
//!
//! Invariant: the tree is that of one stop. A loader stands in it from its first class on, or if it
//! is the parent of one that does.
//!
//! ```text
//! +-- <bootstrap>
//!       |
//!       +-- "platform", jdk.internal.loader.ClassLoaders$PlatformClassLoader
//!             |
//!             +-- "app", jdk.internal.loader.ClassLoaders$AppClassLoader
//! ```
use super::{Arguments, Reply};
use concord_contract::{ClassRef, Obj, Thread};
use concord_runtime::info::ClassExt;
use concord_runtime::loader::{self, Loader};
use concord_runtime::unload::lives_by_itself;
use concord_runtime::{known, names, strings};
use std::fmt::Write as _;

/// Appends formatted text; a String takes everything.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { write!($out, $($arg)*).expect("writing to a string") };
}

/// Columns between a loader and its parent.
const STEP: usize = 6;

/// One loader of the tree.
struct Node {
    /// Null for the boot loader.
    java: Obj,
    loader: Option<&'static Loader>,
    /// Indices, the oldest first.
    children: Vec<usize>,
}

/// The loaders; the boot loader is the first.
struct Tree(Vec<Node>);

impl Tree {
    /// At a stop.
    fn new() -> Tree {
        let mut tree = Tree(vec![Node { java: Obj::NULL, loader: Some(loader::boot()), children: Vec::new() }]);
        let mut all: Vec<_> = loader::all_loaders().into_iter().filter(|l| !l.java.get().is_null()).collect();
        // A parent is put in front of its siblings when its youngest descendant comes.
        all.sort_unstable_by_key(|l| std::cmp::Reverse(l.id()));
        for l in all {
            let at = tree.node(l.java.get());
            tree.0[at].loader = (!l.is_unloadable() || has_classes(l)).then_some(l);
        }
        tree
    }
    /// The node of a loader, made with those of its ancestors if it is not there.
    fn node(&mut self, java: Obj) -> usize {
        if let Some(at) = self.0.iter().position(|n| n.java == java) {
            return at;
        }
        let parent = self.node(java.get_ref(known::offsets().loader_parent));
        let at = self.0.len();
        self.0.push(Node { java, loader: None, children: Vec::new() });
        self.0[parent].children.insert(0, at);
        at
    }
}

/// What of each loader is printed.
struct Printer {
    tree: Tree,
    out: String,
    verbose: bool,
    classes: bool,
    fold: bool,
}

impl Printer {
    /// Name and class of a loader.
    fn title(&self, at: usize) -> String {
        let java = self.tree.0[at].java;
        if java.is_null() {
            return "<bootstrap>".into();
        }
        let (name, class) = (java.get_ref(known::offsets().loader_name), names::external(java.class()));
        if name.is_null() { class } else { format!("\"{}\", {class}", strings::to_string(name)) }
    }
    /// `bars` is what stands in front of the line: a bar for each ancestor that has younger siblings.
    fn print(&mut self, at: usize, bars: &str, last: bool, more: usize) {
        put!(self.out, "{bars}+-- {}", self.title(at));
        if more > 0 {
            put!(self.out, " (+ {more} more)");
        }
        self.out.push('\n');
        let below = format!("{bars}{:<STEP$}", if last { "" } else { "|" });
        let children = self.tree.0[at].children.clone();
        let margin = format!("{below}{:<STEP$}", if children.is_empty() { "" } else { "|" });
        put!(self.out, "{margin}\n");
        if self.verbose {
            self.addresses(at, &margin);
        }
        if self.classes
            && let Some(l) = self.tree.0[at].loader
        {
            self.loaded(l, &margin);
        }
        let mut shown = 0;
        while shown < children.len() {
            let alike = if self.fold { self.alike(&children[shown..]) } else { 1 };
            let last = shown + alike == children.len();
            self.print(children[shown], &below, last, alike - 1);
            shown += alike;
        }
    }
    /// How many loaders from the first on have its name and class and no children.
    fn alike(&self, all: &[usize]) -> usize {
        let is_leaf = |at: usize| self.tree.0[at].children.is_empty();
        let title = self.title(all[0]);
        let n = all.iter().take_while(|at| is_leaf(**at) && self.title(**at) == title).count();
        n.max(1)
    }
    fn addresses(&mut self, at: usize, margin: &str) {
        let n = &self.tree.0[at];
        let (class, data) = (class_of(n.java), n.loader.map_or(0, |l| std::ptr::from_ref(l) as usize));
        let rows = [("Loader Oop", n.java.addr()), ("Loader Data", data), ("Loader Klass", class)];
        for (what, address) in rows {
            put!(self.out, "{margin}{what:>17}: 0x{address:016x}\n");
        }
        put!(self.out, "{margin}\n");
    }
    fn loaded(&mut self, l: &Loader, margin: &str) {
        let (mut plain, mut hidden) = (Vec::new(), Vec::new());
        l.for_each(&mut |c: ClassRef| {
            let of = if lives_by_itself(c) { &mut hidden } else { &mut plain };
            of.push(c.external_name());
        });
        for (title, kind, names) in [("Classes:", "", plain), ("Hidden Classes:", "hidden ", hidden)] {
            for (i, name) in names.iter().enumerate() {
                put!(self.out, "{margin}{:>18} {name}\n", if i == 0 { title } else { "" });
            }
            if !names.is_empty() {
                let s = if names.len() == 1 { "class" } else { "classes" };
                put!(self.out, "{margin}{:>18} ({} {kind}{s})\n{margin}\n", "", names.len());
            }
        }
    }
}

fn has_classes(l: &Loader) -> bool {
    let mut any = false;
    l.for_each(&mut |_| any = true);
    any
}

/// Address of a loader's class, 0 for the boot loader.
fn class_of(java: Obj) -> usize {
    if java.is_null() { 0 } else { std::ptr::from_ref(java.class()) as usize }
}

pub fn tree(_th: &Thread, a: &Arguments) -> Reply {
    let (verbose, classes) = (a.flag("verbose"), a.flag("show-classes"));
    let fold = a.flag("fold") && !verbose && !classes;
    let mut text = String::new();
    concord_safepoint::stop_the_world("ClassLoaderHierarchyOperation", |_stopped| {
        let mut p = Printer { tree: Tree::new(), out: String::new(), verbose, classes, fold };
        p.print(0, "", true, 0);
        text = p.out;
    });
    Ok(text.into_bytes())
}

/// One row per loader, and one for its hidden classes. The memory of classes is not accounted for.
pub fn statistics(_th: &Thread, _a: &Arguments) -> Reply {
    let mut out =
        String::from("ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type\n");
    concord_safepoint::stop_the_world("ClassLoaderStatsOperation", |_stopped| {
        let (mut loaders, mut total) = (0, 0);
        for l in loader::all_loaders().into_iter().filter(|l| l.is_boot() || !l.java.get().is_null()) {
            let java = l.java.get();
            let parent = if java.is_null() { Obj::NULL } else { java.get_ref(known::offsets().loader_parent) };
            let kind = if java.is_null() { "<boot class loader>".into() } else { names::external(java.class()) };
            let (mut classes, mut hidden) = (0, 0);
            l.for_each(&mut |c: ClassRef| *(if lives_by_itself(c) { &mut hidden } else { &mut classes }) += 1);
            put!(
                out,
                "0x{:016x}  0x{:016x}  0x{:016x}  {classes:>6}  {:>8}  {:>8}  {kind}\n",
                class_of(java),
                class_of(parent),
                std::ptr::from_ref(l) as usize,
                "-",
                "-"
            );
            if hidden > 0 {
                put!(out, "{:58}  {hidden:>6}  {:>8}  {:>8}   + hidden classes\n", "", "-", "-");
            }
            loaders += 1;
            total += classes + hidden;
        }
        put!(out, "Total = {loaders:<6}{:44}  {total:>6}  {:>8}  {:>8}  \n", "", "-", "-");
    });
    out.push_str("ChunkSz: Total size of all allocated metaspace chunks\n");
    out.push_str("BlockSz: Total size of all allocated metaspace blocks (each chunk has several blocks)\n");
    Ok(out.into_bytes())
}
