//! The litmus table, decided by exhaustive enumeration.
//!
//! Every shape of `tests/litmus/shapes.txt` runs on three machines: one that executes accesses in
//! program order (sequential consistency), one with a store buffer per thread and the fences that
//! the tables ask for, and the same without fences. The forbidden result must be impossible on the
//! first two; on the third it must appear exactly for the shapes that the table says x86 breaks.
use concord_memory_model::{Access, Arch, Fence, Mode, fences};
use std::collections::{BTreeSet, HashSet};

#[derive(Clone, Copy, Debug)]
enum Step {
    Store(usize, u8),
    Load(usize, usize),
}

struct Shape {
    name: String,
    threads: Vec<Vec<Step>>,
    /// Results, `None` for any; then (location, final value).
    results: Vec<Option<u8>>,
    last: Vec<(usize, u8)>,
    tso: bool,
}

fn location(c: &str) -> usize {
    ["x", "y", "z"].iter().position(|l| *l == c).unwrap_or_else(|| panic!("no location {c}"))
}

fn step(s: &str) -> Step {
    let (to, v) = s.trim().split_once('=').unwrap_or_else(|| panic!("{s}"));
    match to.strip_prefix('r') {
        Some(r) => Step::Load(r.parse::<usize>().expect(s) - 1, location(v)),
        None => Step::Store(location(to), v.parse().expect(s)),
    }
}

fn table() -> Vec<Shape> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/litmus/shapes.txt")).expect("the table");
    let rows = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
    rows.map(|l| {
        let l = l.replace("||", "\0");
        let c: Vec<&str> = l.split('|').map(str::trim).collect();
        assert_eq!(c.len(), 5, "{l}");
        let (mut results, mut last) = (Vec::new(), Vec::new());
        for f in c[3].split(',') {
            match f.split_once(':') {
                Some((l, v)) => last.push((location(l), v.parse().expect("a final value"))),
                None if f == "*" => results.push(None),
                None => results.push(Some(f.parse().expect("a result"))),
            }
        }
        assert!(c[4] == "tso" || c[4] == "other", "{}", c[0]);
        Shape {
            name: c[0].to_string(),
            threads: c[2].split('\0').map(|t| t.split(';').map(step).collect()).collect(),
            results,
            last,
            tso: c[4] == "tso",
        }
    })
    .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Machine {
    InOrder,
    StoreBuffer { fenced: bool },
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    pc: Vec<usize>,
    buffer: Vec<Vec<(usize, u8)>>,
    memory: [u8; 3],
    results: Vec<u8>,
}

/// All (results, final memory) that the machine can reach.
fn outcomes(s: &Shape, m: Machine) -> BTreeSet<(Vec<u8>, [u8; 3])> {
    let start = State {
        pc: vec![0; s.threads.len()],
        buffer: vec![Vec::new(); s.threads.len()],
        memory: [0; 3],
        results: vec![0; s.results.len()],
    };
    let (mut seen, mut todo, mut out) = (HashSet::new(), vec![start], BTreeSet::new());
    while let Some(at) = todo.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let mut moved = false;
        for t in 0..s.threads.len() {
            if !at.buffer[t].is_empty() {
                let mut n = at.clone();
                let (l, v) = n.buffer[t].remove(0);
                n.memory[l] = v;
                todo.push(n);
                moved = true;
            }
            let Some(step) = s.threads[t].get(at.pc[t]) else { continue };
            let mut n = at.clone();
            n.pc[t] += 1;
            moved = true;
            match (*step, m) {
                (Step::Store(l, v), Machine::InOrder) => n.memory[l] = v,
                (Step::Store(l, v), Machine::StoreBuffer { fenced }) => {
                    n.buffer[t].push((l, v));
                    if fenced {
                        let mine = std::mem::take(&mut n.buffer[t]);
                        mine.into_iter().for_each(|(l, v)| n.memory[l] = v);
                    }
                }
                (Step::Load(r, l), _) => {
                    n.results[r] = n.buffer[t].iter().rev().find(|e| e.0 == l).map_or(n.memory[l], |e| e.1);
                }
            }
            todo.push(n);
        }
        if !moved {
            out.insert((at.results, at.memory));
        }
    }
    out
}

fn shows(s: &Shape, m: Machine) -> bool {
    outcomes(s, m).iter().any(|(results, memory)| {
        s.results.iter().zip(results).all(|(want, got)| want.is_none_or(|w| w == *got))
            && s.last.iter().all(|(l, v)| memory[*l] == *v)
    })
}

#[test]
fn forbidden_results_are_impossible_with_our_fences() {
    let fenced = fences(Access::Store, Mode::Sc, Arch::X86_64).after == Fence::Full;
    for s in table() {
        assert!(!shows(&s, Machine::InOrder), "{}: an interleaving yields the forbidden result", s.name);
        assert!(!shows(&s, Machine::StoreBuffer { fenced }), "{}: our fences do not forbid it", s.name);
    }
}

#[test]
fn relaxed_stores_show_exactly_the_shapes_that_the_table_says() {
    let fenced = fences(Access::Store, Mode::Relaxed, Arch::X86_64).after == Fence::Full;
    for s in table() {
        assert_eq!(shows(&s, Machine::StoreBuffer { fenced }), s.tso, "{}", s.name);
    }
}

#[test]
fn machines_agree_on_everything_when_fenced() {
    for s in table() {
        assert_eq!(outcomes(&s, Machine::InOrder), outcomes(&s, Machine::StoreBuffer { fenced: true }), "{}", s.name);
    }
}

#[test]
fn the_table_is_as_large_as_promised() {
    let t = table();
    let names: BTreeSet<_> = t.iter().map(|s| &s.name).collect();
    assert!(names.len() == t.len() && t.len() >= 40, "{} shapes", t.len());
}
