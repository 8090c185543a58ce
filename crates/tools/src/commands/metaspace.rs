//! The memory of classes, by loader, by kind of loader, by size.
//!
//! Invariant: a chunk is what one class holds by [`metaspace::of`]. Nothing of it is free, nothing is kept for later: what a class
//! has is asked of the allocator for it and goes back with it. So capacity, committed and used are one number; free lists, waste
//! and what was deallocated are nothing; and there is no space of addresses that is reserved beforehand.
//!
//! Deliberately absent: statistics of arenas and settings of chunks, for which nothing here stands; a space of compressed classes,
//! wherefore the text is that of `-XX:-UseCompressedClassPointers`.
use super::scale::{Scale, share};
use super::{Arguments, Reply};
use concord_contract::{ClassRef, Obj, Thread};
use concord_runtime::info::ClassExt;
use concord_runtime::loader::{self, Loader};
use concord_runtime::unload::lives_by_itself;
use concord_runtime::{known, metaspace, names, strings};
use std::fmt::Write as _;

/// Appends formatted text; a String takes everything.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { write!($out, $($arg)*).expect("writing to a string") };
}

/// Sizes of chunks that are told apart, as powers of two, from 16m down to 1k.
const LEVELS: std::ops::RangeInclusive<u32> = 10..=24;

/// Chunks and their bytes.
#[derive(Clone, Copy, Default)]
struct Usage {
    chunks: usize,
    bytes: usize,
}
impl Usage {
    fn add(&mut self, o: Usage) {
        self.chunks += o.chunks;
        self.bytes += o.bytes;
    }
}

/// Some loaders, their classes, and the usage of each level.
#[derive(Clone, Default)]
struct Figures {
    loaders: usize,
    classes: usize,
    levels: [Usage; 15],
}
impl Figures {
    fn of(classes: &[ClassRef]) -> Figures {
        let mut f = Figures { loaders: 1, classes: classes.len(), ..Figures::default() };
        for bytes in classes.iter().map(|c| metaspace::of(c)).filter(|b| *b > 0) {
            let level = bytes.next_power_of_two().trailing_zeros().clamp(*LEVELS.start(), *LEVELS.end());
            f.levels[(LEVELS.end() - level) as usize].add(Usage { chunks: 1, bytes });
        }
        f
    }
    fn add(&mut self, o: &Figures) {
        self.loaders += o.loaders;
        self.classes += o.classes;
        self.levels.iter_mut().zip(&o.levels).for_each(|(a, b)| a.add(*b));
    }
    fn total(&self) -> Usage {
        self.levels.iter().fold(Usage::default(), |mut sum, u| {
            sum.add(*u);
            sum
        })
    }
}

/// Kinds of loaders, in the order in which they are told.
const KINDS: [&str; 4] = ["Standard", "Boot", "ClassMirrorHolder", "Reflection"];
const STANDARD: usize = 0;
const BOOT: usize = 1;
const HIDDEN: usize = 2;
const REFLECTION: usize = 3;

/// What classes have in common whose memory comes and goes together: those of a loader, or one hidden class.
struct Owner {
    address: usize,
    kind: usize,
    name: String,
    /// The youngest first.
    classes: Vec<ClassRef>,
}

/// The owners, the youngest loader first, in front of it its hidden classes. At a stop.
fn owners() -> Vec<Owner> {
    let mut all = loader::all_loaders();
    all.retain(|l| l.is_boot() || !l.java.get().is_null());
    all.sort_unstable_by_key(|l| std::cmp::Reverse(l.id()));
    let mut owners = Vec::new();
    for l in all {
        let (mut plain, mut hidden) = (Vec::new(), Vec::new());
        l.for_each(&mut |c: ClassRef| if lives_by_itself(c) { hidden.push(c) } else { plain.push(c) });
        plain.reverse();
        let name = name_of(l.java.get());
        owners.extend(hidden.into_iter().rev().map(|c| Owner {
            address: std::ptr::from_ref(c) as usize,
            kind: HIDDEN,
            name: format!("<hidden class>, loaded by {name}"),
            classes: vec![c],
        }));
        let kind = kind_of(l);
        owners.push(Owner { address: std::ptr::from_ref::<Loader>(l) as usize, kind, name, classes: plain });
    }
    owners
}

fn kind_of(l: &Loader) -> usize {
    match l.java.get() {
        java if java.is_null() => BOOT,
        java if java.class().name == "jdk/internal/reflect/DelegatingClassLoader" => REFLECTION,
        _ => STANDARD,
    }
}

/// Name and class of a loader.
fn name_of(java: Obj) -> String {
    if java.is_null() {
        return "\"<bootstrap>\"".into();
    }
    let (name, class) = (java.get_ref(known::offsets().loader_name), names::external(java.class()));
    if name.is_null() {
        return format!("instance of {class}");
    }
    format!("\"{}\" instance of {class}", strings::to_string(name))
}

fn counted(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

/// What is printed.
struct Printer {
    out: String,
    scale: Scale,
    by_level: bool,
}

impl Printer {
    /// One line of a usage, from the number of chunks on.
    fn usage(&mut self, u: Usage) {
        let chunks = if u.chunks == 1 { "chunk, " } else { "chunks," };
        let (bytes, nothing) = (self.scale.padded(u.bytes, 5), self.scale.padded(0, 5));
        put!(self.out, "{:>5} {chunks} {bytes} capacity,", u.chunks);
        put!(self.out, "{bytes} {} committed, ", share(u.bytes, u.bytes));
        put!(self.out, "{bytes} {} used, ", share(u.bytes, u.bytes));
        put!(self.out, "{nothing} {} free, {nothing} {} waste ", share(0, u.bytes), share(0, u.bytes));
    }
    /// Whatever is told of some classes, behind the line that says whose they are.
    fn figures(&mut self, f: &Figures) {
        if !self.by_level {
            self.out.push_str("  ");
            self.usage(f.total());
            put!(self.out, ", deallocated: 0 blocks with {}\n", self.scale.show(0));
            return;
        }
        self.out.push_str("  \n    Usage by chunk level:\n");
        for (i, u) in f.levels.iter().enumerate() {
            put!(self.out, "{:>10} chunks:", label(LEVELS.end() - i as u32));
            self.row(*u);
        }
        put!(self.out, "{:>21}:", "-total-");
        self.row(f.total());
        self.out.push('\n');
    }
    fn row(&mut self, u: Usage) {
        if u.chunks == 0 {
            self.out.push_str("  (none)");
        } else {
            self.usage(u);
        }
        self.out.push('\n');
    }
    fn owner(&mut self, at: usize, o: &Owner, list: bool) {
        put!(self.out, "{:>4}: CLD 0x{:016x}: {}", at + 1, o.address, o.name);
        let classes = counted(o.classes.len(), "class", "classes");
        if list {
            self.out.push_str("\n      Loaded classes:\n");
            for (i, c) in o.classes.iter().enumerate() {
                put!(self.out, "{:>10}:    {}\n", i + 1, c.external_name());
            }
            put!(self.out, "      -total-: {classes}\n");
        } else {
            put!(self.out, ", {classes}\n");
        }
        self.figures(&Figures::of(&o.classes));
        self.out.push('\n');
    }
    fn virtual_space(&mut self, taken: usize) {
        let bytes = self.scale.padded(taken, 7);
        put!(self.out, "Virtual space:\n {bytes} reserved, {bytes} {} committed,  0 nodes.\n\n", share(taken, taken));
    }
    fn free_lists(&mut self) {
        self.out.push_str("\nChunk freelist:\n\n");
        for level in LEVELS.rev() {
            put!(self.out, "{:>4}: (none)\n", label(level));
        }
        let nothing = self.scale.show(0);
        put!(self.out, "Total word size: {nothing}, committed: {nothing} {}\n\n\n\n", share(0, 0));
    }
    fn waste(&mut self, taken: usize) {
        put!(
            self.out,
            "Waste (unused committed space):(percentages refer to total committed size {}):\n",
            self.scale.show(taken)
        );
        let nothing = format!("{} {}", self.scale.padded(0, 6), share(0, taken));
        put!(self.out, "        Waste in chunks in use: {nothing}\n");
        put!(self.out, "        Free in chunks in use: {nothing}\n");
        put!(self.out, "                In free chunks: {nothing}\n");
        put!(self.out, "Deallocated from chunks in use: {nothing} (0 blocks)\n");
        put!(self.out, "                       -total-: {nothing}\n\n");
    }
    fn settings(&mut self) {
        let limit = metaspace::limit().map_or("unlimited".into(), |n| self.scale.show(n));
        put!(self.out, "MaxMetaspaceSize: {limit}\nNo class space\nCDS: off\n");
    }
}

/// As sizes of chunks are called.
fn label(level: u32) -> String {
    if level < 20 { format!("{}k", 1 << (level - 10)) } else { format!("{}m", 1 << (level - 20)) }
}

/// The command.
pub fn command(_th: &Thread, a: &Arguments) -> Reply {
    let mut out = String::new();
    let scale = a.text("scale").unwrap_or("dynamic");
    let scale = Scale::parse(scale).unwrap_or_else(|| {
        put!(out, "Invalid scale: \"{scale}\". Will use dynamic scaling.\n");
        Scale::Dynamic
    });
    out.push('\n');
    let mut p = Printer { out, scale, by_level: a.flag("by-chunktype") };
    if a.flag("basic") {
        let (used, taken, _) = metaspace::usage();
        put!(p.out, "Usage:\n{} used.\n\n", p.scale.padded(used, 5));
        p.virtual_space(taken);
        put!(p.out, "Chunk freelists:\n{}\n\n", p.scale.show(0));
        p.settings();
        p.out.push('\n');
        return Ok(p.out.into_bytes());
    }
    concord_safepoint::stop_the_world("PrintMetadata", |_stopped| all(&mut p, a));
    Ok(p.out.into_bytes())
}

/// Everything but the summary. At a stop.
fn all(p: &mut Printer, a: &Arguments) {
    let owners = owners();
    if a.flag("show-loaders") {
        p.out.push_str("Usage per loader:\n\n");
        for (i, o) in owners.iter().enumerate() {
            p.owner(i, o, a.flag("show-classes"));
        }
        p.out.push('\n');
    }
    let mut kinds: [Figures; 4] = Default::default();
    owners.iter().for_each(|o| kinds[o.kind].add(&Figures::of(&o.classes)));
    if a.flag("by-spacetype") {
        p.out.push_str("Usage per space type:\n\n");
        for (name, f) in KINDS.iter().zip(&kinds) {
            put!(p.out, "{name} - {}", counted(f.loaders, "loader", "loaders"));
            if f.loaders == 0 {
                p.out.push_str(".\n");
            } else {
                put!(p.out, ", {}:\n", counted(f.classes, "class", "classes"));
                p.figures(f);
            }
            p.out.push('\n');
        }
        p.out.push('\n');
    }
    let mut total = Figures::default();
    kinds.iter().for_each(|k| total.add(k));
    let loaders = counted(total.loaders, "loader", "loaders");
    put!(p.out, "Total Usage - {loaders}, {}:\n", counted(total.classes, "class", "classes"));
    p.figures(&total);
    p.out.push_str("\n\n");
    let (_, taken, _) = metaspace::usage();
    p.virtual_space(taken);
    if a.flag("vslist") {
        p.out.push_str("Virtual space list:\n - total 0 nodes, 0 reserved words, 0 committed words.\n\n\n");
    }
    p.free_lists();
    if a.flag("chunkfreelist") {
        p.out.push_str("Chunk freelist details:\ntotal chunks: 0, total word size: 0.\n\n\n");
    }
    p.waste(taken);
    p.out.push_str("\nSettings:\n");
    p.settings();
    p.out.push_str("\n\n");
}
