//! Java strings and the intern table.
//!
//! Invariant: strings are compact: coder 0 and one byte per char if all chars are Latin-1, else
//! coder 1 and two bytes, as java.lang.String itself makes them. The intern table holds its
//! strings weakly.
use crate::{arrays, known};
use concord_base::Symbol;
use concord_classfile::mutf8;
use concord_contract::object::array_base;
use concord_contract::{BasicType, JResult, Obj, Thread};
use std::collections::HashMap;
use std::sync::Mutex;

const LATIN1: u8 = 0;
const UTF16: u8 = 1;

fn make(th: &Thread, value: Obj, coder: u8) -> JResult<Obj> {
    let scope = crate::handles::Scope::new(th);
    let value = scope.handle(value);
    let Some(s) = concord_heap::alloc_instance(th, known::classes().string) else {
        return crate::oom::throw(th, "Java heap space");
    };
    let o = known::offsets();
    concord_heap::store_ref(s, o.string_value, value.get());
    s.put_u8(o.string_coder, coder);
    Ok(s)
}

/// A string of UTF-16 units.
pub fn new_utf16(th: &Thread, units: &[u16]) -> JResult<Obj> {
    if units.iter().all(|u| *u < 256) {
        let bytes: Vec<u8> = units.iter().map(|u| *u as u8).collect();
        return new_latin1(th, &bytes);
    }
    let a = arrays::new_prim_array(th, BasicType::Byte, units.len() * 2)?;
    for (i, u) in units.iter().enumerate() {
        let b = u.to_le_bytes();
        a.put_u8(array_base(0) + 2 * i, b[0]);
        a.put_u8(array_base(0) + 2 * i + 1, b[1]);
    }
    make(th, a, UTF16)
}
fn new_latin1(th: &Thread, bytes: &[u8]) -> JResult<Obj> {
    let a = arrays::new_byte_array(th, bytes)?;
    make(th, a, LATIN1)
}
pub fn new_str(th: &Thread, s: &str) -> JResult<Obj> {
    if s.is_ascii() {
        return new_latin1(th, s.as_bytes());
    }
    let units: Vec<u16> = s.encode_utf16().collect();
    new_utf16(th, &units)
}
/// A string of modified UTF-8, as class files and JNI have it.
pub fn new_mutf8(th: &Thread, s: &[u8]) -> JResult<Obj> {
    if s.iter().all(|b| (1..0x80).contains(b)) {
        return new_latin1(th, s);
    }
    new_utf16(th, &mutf8::to_utf16(s))
}
pub fn new_symbol(th: &Thread, s: Symbol) -> JResult<Obj> {
    new_mutf8(th, s.as_bytes())
}

/// Whether a constructor has given the string its text.
pub fn has_text(s: Obj) -> bool {
    !s.get_ref(known::offsets().string_value).is_null()
}
/// Length in UTF-16 units; 0 before a constructor has given the string its text.
pub fn length(s: Obj) -> usize {
    let o = known::offsets();
    if has_text(s) { s.get_ref(o.string_value).array_len() >> s.get_u8(o.string_coder) } else { 0 }
}
/// Unit `i`; the caller has checked the bounds.
pub fn unit(s: Obj, i: usize) -> u16 {
    let o = known::offsets();
    let v = s.get_ref(o.string_value);
    if s.get_u8(o.string_coder) == LATIN1 {
        v.get_u8(array_base(0) + i) as u16
    } else {
        u16::from_le_bytes([v.get_u8(array_base(0) + 2 * i), v.get_u8(array_base(0) + 2 * i + 1)])
    }
}
pub fn to_utf16(s: Obj) -> Vec<u16> {
    (0..length(s)).map(|i| unit(s, i)).collect()
}
/// As Rust text; unpaired surrogates are replaced.
pub fn to_string(s: Obj) -> String {
    String::from_utf16_lossy(&to_utf16(s))
}
pub fn to_mutf8(s: Obj) -> Vec<u8> {
    mutf8::from_utf16(to_utf16(s))
}
/// The string's text as a symbol.
pub fn symbol_of(s: Obj) -> Symbol {
    Symbol::intern(&to_mutf8(s))
}
pub fn equals(a: Obj, b: Obj) -> bool {
    let n = length(a);
    n == length(b) && (0..n).all(|i| unit(a, i) == unit(b, i))
}

/// java.lang.String.hashCode.
fn hash(units: impl Iterator<Item = u16>) -> u32 {
    units.fold(0u32, |h, u| h.wrapping_mul(31).wrapping_add(u as u32))
}

/// Hash to words with the addresses of interned strings.
type Rows = HashMap<u32, Vec<u64>, concord_base::symbol::PtrState>;

/// The interned strings. No row is empty for longer than until the next collection.
#[derive(Default)]
struct Interned {
    rows: Rows,
    /// Rows with strings that were entered since the last collection, or that it left young.
    fresh: Vec<u32>,
}

static INTERNED: Mutex<Option<Interned>> = Mutex::new(None);

fn find(h: u32, same: impl Fn(Obj) -> bool) -> Option<Obj> {
    let t = INTERNED.lock().expect("intern table");
    let row = t.as_ref()?.rows.get(&h)?;
    // SAFETY: rows hold addresses of live strings; no collection happens under the lock.
    row.iter().map(|a| unsafe { Obj::from_addr(*a as usize) }).find(|o| same(*o))
}

/// Enters `s` unless an equal string is there; gives the one that is there.
fn enter(h: u32, s: Obj) -> Obj {
    crate::roots::share(s);
    let mut t = INTERNED.lock().expect("intern table");
    let t = t.get_or_insert_default();
    let row = t.rows.entry(h).or_default();
    for a in row.iter() {
        // SAFETY: as in `find`.
        let o = unsafe { Obj::from_addr(*a as usize) };
        if equals(o, s) {
            return o;
        }
    }
    row.push(s.addr() as u64);
    t.fresh.push(h);
    s
}

/// String.intern.
pub fn intern(_th: &Thread, s: Obj) -> JResult<Obj> {
    let h = hash((0..length(s)).map(|i| unit(s, i)));
    Ok(find(h, |o| equals(o, s)).unwrap_or_else(|| enter(h, s)))
}
/// The interned string of modified UTF-8.
pub fn intern_mutf8(th: &Thread, bytes: &[u8]) -> JResult<Obj> {
    let units = mutf8::to_utf16(bytes);
    let h = hash(units.iter().copied());
    let same = |o: Obj| length(o) == units.len() && units.iter().enumerate().all(|(i, u)| unit(o, i) == *u);
    match find(h, same) {
        Some(o) => Ok(o),
        None => {
            let s = new_utf16(th, &units)?;
            Ok(enter(h, s))
        }
    }
}

/// Room of the table, in rows of strings with the same hash.
pub fn intern_capacity() -> usize {
    INTERNED.lock().expect("intern table").as_ref().map_or(0, |t| t.rows.capacity())
}
/// Visits the table's slots, in a young collection those only that may name something young; the world is stopped. A slot
/// that is 0 afterwards is taken out.
pub fn intern_slots(full: bool, f: &mut dyn FnMut(*mut u64)) {
    if let Some(t) = INTERNED.lock().expect("intern table").as_mut() {
        t.sweep(full, f, concord_heap::is_young);
    }
}
impl Interned {
    fn sweep(&mut self, full: bool, f: &mut dyn FnMut(*mut u64), is_young: impl Fn(usize) -> bool) {
        let mut update = |row: &mut Vec<u64>| {
            row.retain_mut(|a| {
                f(a);
                *a != 0
            });
        };
        let rows = &mut self.rows;
        if full {
            rows.retain(|_, row| {
                update(row);
                !row.is_empty()
            });
        }
        self.fresh.retain(|h| {
            let Some(row) = rows.get_mut(h) else { return false };
            if !full {
                update(row);
            }
            if row.is_empty() {
                rows.remove(h);
                return false;
            }
            row.iter().any(|a| is_young(*a as usize))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Interned {
        let mut t = Interned::default();
        for h in 0..100u32 {
            t.rows.insert(h, vec![8 * (h as u64 + 1), 8 * (h as u64 + 1001)]);
        }
        t
    }
    /// The second of each row dies, of the odd rows the first, too; survivors move.
    fn judge(p: *mut u64) {
        // SAFETY: a slot of the table above, or one that has moved.
        let a = unsafe { &mut *p };
        let h = *a / 8 - 1;
        if h < 10_000 {
            *a = if h >= 1000 || h % 2 == 1 { 0 } else { *a + 80_000 };
        }
    }

    #[test]
    fn rows_of_dead_strings_leave_the_table() {
        let mut t = table();
        t.sweep(true, &mut judge, |_| false);
        assert_eq!(t.rows.len(), 50);
        assert!(t.rows.iter().all(|(h, row)| *row == [8 * (*h as u64 + 1) + 80_000]));
    }

    #[test]
    fn a_young_collection_visits_what_is_fresh() {
        let mut t = table();
        t.fresh = vec![2, 3, 4, 4];
        let mut visits = 0;
        let mut f = |p| {
            visits += 1;
            judge(p);
        };
        // What moves to the place of row 4 is young still.
        let young = |a| a == 80_040;
        t.sweep(false, &mut f, young);
        assert_eq!(visits, 7);
        assert_eq!((t.rows.len(), t.rows.get(&2), t.rows.get(&3)), (99, Some(&vec![80_024]), None));
        assert_eq!(t.fresh, [4, 4]);
        t.sweep(true, &mut judge, young);
        assert_eq!((t.rows.len(), t.fresh), (50, vec![4, 4]));
    }
}
