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
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/litmus/shapes.txt"))
        .expect("the table");
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
        let broken_by = c[4].strip_suffix(" jmm").unwrap_or(c[4]);
        assert!(broken_by == "tso" || broken_by == "other", "{}", c[0]);
        Shape {
            name: c[0].to_string(),
            threads: c[2].split('\0').map(|t| t.split(';').map(step).collect()).collect(),
            results,
            last,
            tso: broken_by == "tso",
        }
    })
    .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Machine {
    InOrder,
    StoreBuffer {
        fenced: bool,
    },
    /// Stores to x and y are followed by a fence; those to z are relaxed code's.
    RelaxedZ,
}
const Z: usize = 2;

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
                (Step::Store(l, v), _) => {
                    n.buffer[t].push((l, v));
                    if m == (Machine::StoreBuffer { fenced: true }) || m == Machine::RelaxedZ && l != Z {
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
    is_among(s, &outcomes(s, m))
}
/// Whether the forbidden result is one of these.
fn is_among(s: &Shape, all: &BTreeSet<(Vec<u8>, [u8; 3])>) -> bool {
    all.iter().any(|(results, memory)| {
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

/// What a processor may lack of program order, one law at a time; fences after stores stay.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// A store takes effect before later stores.
    StoreStore,
    /// A load takes effect before later loads, of the same location too.
    LoadLoad,
    /// A load takes effect before later stores.
    LoadStore,
    /// A thread sees its own last store.
    OwnStore,
    /// A store is seen by all other threads at once.
    AllAtOnce,
}
const LAWS: [Law; 5] = [Law::StoreStore, Law::LoadLoad, Law::LoadStore, Law::OwnStore, Law::AllAtOnce];

/// Whether a machine that lacks `law` may do step `b` before the earlier `a`.
fn may_pass(law: Law, a: Step, b: Step) -> bool {
    match (a, b) {
        (Step::Store(x, _), Step::Store(y, _)) => law == Law::StoreStore && x != y,
        (Step::Load(..), Step::Load(..)) => law == Law::LoadLoad,
        (Step::Load(_, x), Step::Store(y, _)) => law == Law::LoadStore && x != y,
        (Step::Store(x, _), Step::Load(_, y)) => law == Law::OwnStore && x == y,
    }
}

/// Everything a machine without `law` reaches: steps of a thread in any order that it allows; without
/// `AllAtOnce` a store reaches each thread at a time of its own, in the order of its thread.
fn outcomes_without(s: &Shape, law: Law) -> BTreeSet<(Vec<u8>, [u8; 3])> {
    type View = Vec<[u8; 3]>;
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct At {
        done: Vec<Vec<bool>>,
        /// Memory as each thread sees it; all alike but without `AllAtOnce`.
        views: View,
        /// Stores on their way: to whom, location, value, by source.
        flying: Vec<(usize, usize, usize, u8)>,
        results: Vec<u8>,
    }
    let n = s.threads.len();
    let start = At {
        done: s.threads.iter().map(|t| vec![false; t.len()]).collect(),
        views: vec![[0; 3]; n],
        flying: Vec::new(),
        results: vec![0; s.results.len()],
    };
    let (mut seen, mut todo, mut out) = (HashSet::new(), vec![start], BTreeSet::new());
    while let Some(at) = todo.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let mut moved = false;
        for i in 0..at.flying.len() {
            let (from, to, l, v) = at.flying[i];
            // Per source and target in order.
            if at.flying[..i].iter().any(|f| f.0 == from && f.1 == to) {
                continue;
            }
            let mut next = at.clone();
            next.flying.remove(i);
            next.views[to][l] = v;
            todo.push(next);
            moved = true;
        }
        for t in 0..n {
            for (i, step) in s.threads[t].iter().enumerate() {
                let waits = (0..i).any(|j| !at.done[t][j] && !may_pass(law, s.threads[t][j], *step));
                if at.done[t][i] || waits {
                    continue;
                }
                let mut next = at.clone();
                next.done[t][i] = true;
                moved = true;
                match *step {
                    Step::Load(r, l) => next.results[r] = next.views[t][l],
                    Step::Store(l, v) if law == Law::AllAtOnce => {
                        next.views[t][l] = v;
                        (0..n).filter(|u| *u != t).for_each(|u| next.flying.push((t, u, l, v)));
                    }
                    Step::Store(l, v) => next.views.iter_mut().for_each(|m| m[l] = v),
                }
                todo.push(next);
            }
        }
        if !moved {
            out.insert((at.results, at.views[0]));
        }
    }
    out
}

#[test]
fn a_shape_that_x86_keeps_is_broken_by_the_loss_of_a_law() {
    let mut useful = BTreeSet::new();
    for s in table().into_iter().filter(|s| !s.tso) {
        let broken: Vec<Law> = LAWS.into_iter().filter(|l| is_among(&s, &outcomes_without(&s, *l))).collect();
        assert!(!broken.is_empty(), "{}: no loss of a law shows it", s.name);
        println!("{:16} {broken:?}", s.name);
        useful.extend(broken.iter().map(|l| format!("{l:?}")));
    }
    assert_eq!(useful.len(), LAWS.len(), "only {useful:?} are tested");
}

/// Deviation D9: relaxed code may leave a store in the buffer when strong code goes on. Strong code
/// is none the wiser as long as it does not itself look at what relaxed code stores: every program of
/// three accesses against two, of which those to z are relaxed, shows in x and y only what an
/// interleaving shows.
#[test]
fn a_relaxed_store_in_the_buffer_changes_nothing_for_strong_locations() {
    let ops = |thread: usize| {
        let mut v: Vec<Step> = (0..3).map(|l| Step::Store(l, thread as u8 + 1)).collect();
        v.extend((0..3).map(|l| Step::Load(0, l)));
        v
    };
    let sequences = |thread: usize, n: usize| {
        (0..n).fold(vec![Vec::new()], |all, _| {
            all.iter()
                .flat_map(|s: &Vec<Step>| ops(thread).into_iter().map(move |o| [s.clone(), vec![o]].concat()))
                .collect()
        })
    };
    let mut programs = 0;
    for a in sequences(0, 3) {
        for b in sequences(1, 2) {
            // Each load has a result of its own.
            let mut threads = [a.clone(), b.clone()];
            let mut strong = Vec::new();
            for step in threads.iter_mut().flatten() {
                if let Step::Load(r, l) = step {
                    *r = strong.len();
                    strong.push(*l != Z);
                }
            }
            let s = Shape {
                name: String::new(),
                threads: threads.to_vec(),
                results: vec![None; strong.len()],
                last: Vec::new(),
                tso: false,
            };
            let seen = |m: Machine| -> BTreeSet<(Vec<u8>, [u8; 2])> {
                let of = |r: Vec<u8>| r.iter().zip(&strong).filter(|x| *x.1).map(|x| *x.0).collect();
                outcomes(&s, m).into_iter().map(|(r, memory)| (of(r), [memory[0], memory[1]])).collect()
            };
            assert!(seen(Machine::RelaxedZ).is_subset(&seen(Machine::InOrder)), "{:?}", s.threads);
            programs += 1;
        }
    }
    assert_eq!(programs, 216 * 36);
}

#[test]
fn the_table_is_as_large_as_promised() {
    let t = table();
    let names: BTreeSet<_> = t.iter().map(|s| &s.name).collect();
    assert!(names.len() == t.len() && t.len() >= 40, "{} shapes", t.len());
}
