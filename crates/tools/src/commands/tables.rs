//! The VM's hash tables: symbols, interned strings, the dictionaries of loaders.
//!
//! Invariant: a table is shown as it is: all of them have open addressing, so that a bucket is a slot
//! and holds one entry or none.
use super::{Arguments, Reply};
use concord_base::symbol;
use concord_contract::{Obj, Thread};
use concord_runtime::info::ClassExt;
use concord_runtime::loader::{self, Loader};
use concord_runtime::{handles, names, strings};
use std::fmt::Write as _;

/// Appends formatted text; a String takes everything.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { write!($out, $($arg)*).expect("writing to a string") };
}

/// Figures of one table.
#[derive(Clone, Copy, Default)]
struct Figures {
    slots: usize,
    entries: usize,
    /// Bytes of a slot, what it holds included.
    slot_bytes: usize,
    /// Bytes of the texts, where the table owns texts.
    literals: Option<usize>,
}

/// Bytes of a slot of a hash map of the standard library: the pair and a byte of control.
const fn slot_of<K, V>() -> usize {
    size_of::<(K, V)>() + 1
}

/// Slots of a hash map of the standard library that has room for so many entries: one of eight stays free.
fn slots_for(room: usize) -> usize {
    match room {
        0 => 0,
        1..8 => room + 1,
        _ => room / 7 * 8,
    }
}

fn statistics(out: &mut String, name: &str, f: Figures) {
    let table = f.slots * f.slot_bytes;
    let used = if f.slots == 0 { 0.0 } else { f.entries as f64 / f.slots as f64 };
    let variance = used * (1.0 - used);
    put!(out, "{name} statistics:\n");
    put!(out, "Number of buckets       : {:>9} = {table:>9} bytes, each {}\n", f.slots, f.slot_bytes);
    put!(out, "Number of entries       : {:>9} = {:>9} bytes, each {}\n", f.entries, 0, 0);
    if let Some(bytes) = f.literals {
        let average = bytes as f64 / f.entries.max(1) as f64;
        put!(out, "Number of literals      : {:>9} = {bytes:>9} bytes, avg {average:>7.3}\n", f.entries);
    }
    put!(out, "Total footprint         : {:>9} = {:>9} bytes\n", "", table + f.literals.unwrap_or(0));
    put!(out, "Average bucket size     : {used:>9.3}\n");
    put!(out, "Variance of bucket size : {variance:>9.3}\n");
    put!(out, "Std. dev. of bucket size: {:>9.3}\n", variance.sqrt());
    put!(out, "Maximum bucket size     : {:>9}\n", usize::from(f.entries > 0));
}

pub fn symbols(_th: &Thread, a: &Arguments) -> Reply {
    let mut out = String::new();
    if a.flag("-verbose") {
        out.push_str("VERSION: 1.1\n");
        // Symbols live for ever, which is shown as the largest count of references.
        symbol::for_each(&mut |s| put!(out, "{} 65535: {}\n", s.len(), symbol::text(s).escape_debug()));
    } else {
        let f = symbol::figures();
        let figures =
            Figures { slots: f.slots, entries: f.entries, slot_bytes: f.slot_bytes, literals: Some(f.literal_bytes) };
        statistics(&mut out, "SymbolTable", figures);
    }
    Ok(out.into_bytes())
}

pub fn strings(_th: &Thread, a: &Arguments) -> Reply {
    let verbose = a.flag("-verbose");
    let (mut entries, mut bytes) = (0, 0);
    let mut out = String::new();
    if verbose {
        out.push_str("VERSION: 1.1\n");
    }
    concord_safepoint::stop_the_world("DumpHashtable", |_stopped| {
        strings::intern_slots(true, &mut |slot| {
            // SAFETY: a slot of the table: 0 or the address of a live string.
            let s = unsafe { Obj::from_addr(*slot as usize) };
            if !s.is_null() {
                let text = strings::to_string(s);
                entries += 1;
                bytes += text.len();
                if verbose {
                    put!(out, "{}: {}\n", text.len(), text.escape_debug());
                }
            }
        });
    });
    if !verbose {
        let slot_bytes = slot_of::<u32, Vec<u64>>();
        let figures =
            Figures { slots: slots_for(strings::intern_capacity()), entries, slot_bytes, literals: Some(bytes) };
        statistics(&mut out, "StringTable", figures);
    }
    Ok(out.into_bytes())
}

/// The dictionaries, of the youngest loader first.
pub fn dictionaries(th: &Thread, a: &Arguments) -> Reply {
    let scope = handles::Scope::new(th);
    let mut all: Vec<&'static Loader> = loader::all_loaders();
    all.retain(|l| l.is_boot() || !l.java.get().is_null());
    all.sort_unstable_by_key(|l| std::cmp::Reverse(l.id()));
    // Nobody dies while it is looked at.
    let _kept: Vec<_> = all.iter().map(|l| scope.handle(l.java.get())).collect();
    let mut out = String::new();
    for l in all {
        let classes = l.initiated();
        let slots = slots_for(l.dictionary_capacity());
        if classes.is_empty() && l.is_unloadable() {
            continue;
        }
        if a.flag("-verbose") {
            contents(&mut out, l, slots, &classes);
            continue;
        }
        let name = if l.is_boot() { "'bootstrap'".into() } else { l.describe(th) };
        let slot_bytes = slot_of::<concord_base::Symbol, concord_contract::ClassRef>();
        let figures = Figures { slots, entries: classes.len(), slot_bytes, literals: None };
        statistics(&mut out, &format!("System Dictionary for {name} class loader"), figures);
    }
    if !a.flag("-verbose") {
        let (room, entries, slot_bytes) = concord_runtime::constraints::figures();
        let figures = Figures { slots: slots_for(room), entries, slot_bytes, literals: None };
        statistics(&mut out, "LoaderConstraints Table", figures);
    }
    Ok(out.into_bytes())
}

/// Whose a dictionary or a class is.
fn owner(l: &Loader) -> String {
    let (java, address) = (l.java.get(), std::ptr::from_ref(l) as usize);
    if java.is_null() {
        return format!("loader data: 0x{address:016x} of 'bootstrap'");
    }
    let class = java.class().name;
    format!("loader data: 0x{address:016x} for instance a '{class}'{{0x{:016x}}}", java.addr())
}

fn contents(out: &mut String, l: &Loader, slots: usize, classes: &[concord_contract::ClassRef]) {
    put!(out, "Dictionary for {}\n", owner(l));
    put!(out, "Java dictionary (table_size={slots}, classes={}, resizable=true)\n", classes.len());
    put!(out, "^ indicates that initiating loader is different from defining loader\n");
    for (i, c) in classes.iter().enumerate() {
        let sign = if std::ptr::eq(c.loader(), l) { ' ' } else { '^' };
        put!(out, "{i:>4}: {sign}{}", names::external(c));
        if !l.is_boot() {
            put!(out, ", {}", owner(c.loader()));
        }
        out.push('\n');
    }
    out.push('\n');
}
