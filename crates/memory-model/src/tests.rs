//! Tables against their meaning.
use super::*;

const ACCESSES: [Access; 3] = [Access::Load, Access::Store, Access::Cas];
const MODES: [Mode; 6] = [Mode::Relaxed, Mode::Final, Mode::Opaque, Mode::AcquireRelease, Mode::Volatile, Mode::Sc];

fn kept(a: Access, am: Mode, b: Access, bm: Mode, arch: Arch) -> bool {
    !may_reorder(arch, a, b) || fences(a, am, arch).after.orders(a, b) || fences(b, bm, arch).before.orders(a, b)
}

#[test]
fn every_demanded_order_is_kept() {
    for arch in [Arch::X86_64, Arch::Aarch64] {
        for a in ACCESSES {
            for b in ACCESSES {
                for am in MODES {
                    for bm in MODES {
                        let demanded = must_order(a, am, b, bm);
                        if demanded {
                            assert!(kept(a, am, b, bm, arch), "{a:?} {am:?} then {b:?} {bm:?} on {arch:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn x86_pays_only_for_store_to_load() {
    for a in ACCESSES {
        for m in MODES {
            let f = fences(a, m, Arch::X86_64);
            let pays = f != Fences::NONE;
            assert_eq!(pays, a == Access::Store && matches!(m, Mode::Volatile | Mode::Sc), "{a:?} {m:?}");
        }
    }
}

#[test]
fn options_choose_the_mode() {
    assert_eq!(plain_mode(true, false, false), Mode::Sc);
    assert_eq!(plain_mode(true, false, true), Mode::Sc);
    assert_eq!(plain_mode(true, true, false), Mode::Relaxed);
    assert_eq!(plain_mode(false, false, false), Mode::Relaxed);
    assert_eq!(plain_mode(false, false, true), Mode::Final);
}

/// One access of a two-location program: (is store, location).
type Step = (bool, usize);

/// All outcomes of two threads on a machine with one store buffer per thread.
fn outcomes(p: [[Step; 2]; 2], fenced: bool) -> std::collections::BTreeSet<[u8; 6]> {
    #[derive(Clone)]
    struct M {
        pc: [usize; 2],
        buf: [Vec<(usize, u8)>; 2],
        mem: [u8; 2],
        reg: [[u8; 2]; 2],
    }
    fn go(m: M, p: &[[Step; 2]; 2], fenced: bool, out: &mut std::collections::BTreeSet<[u8; 6]>) {
        let mut moved = false;
        for t in 0..2 {
            if !m.buf[t].is_empty() {
                moved = true;
                let mut n = m.clone();
                let (l, v) = n.buf[t].remove(0);
                n.mem[l] = v;
                go(n, p, fenced, out);
            }
            if m.pc[t] < 2 {
                let (store, l) = p[t][m.pc[t]];
                let mut n = m.clone();
                n.pc[t] += 1;
                moved = true;
                if store {
                    let v = (1 + t * 2 + m.pc[t]) as u8;
                    n.buf[t].push((l, v));
                    if fenced {
                        for (l, v) in std::mem::take(&mut n.buf[t]) {
                            n.mem[l] = v;
                        }
                    }
                } else {
                    n.reg[t][m.pc[t]] = m.buf[t].iter().rev().find(|e| e.0 == l).map_or(m.mem[l], |e| e.1);
                }
                go(n, p, fenced, out);
            }
        }
        if !moved {
            out.insert([m.reg[0][0], m.reg[0][1], m.reg[1][0], m.reg[1][1], m.mem[0], m.mem[1]]);
        }
    }
    let mut out = Default::default();
    let start = M { pc: [0; 2], buf: [vec![], vec![]], mem: [0; 2], reg: [[0; 2]; 2] };
    go(start, &p, fenced, &mut out);
    out
}

/// All outcomes when accesses take effect at once, in program order.
fn sc_outcomes(p: [[Step; 2]; 2]) -> std::collections::BTreeSet<[u8; 6]> {
    let mut out = std::collections::BTreeSet::new();
    for order in 0..16u32 {
        if order.count_ones() != 2 {
            continue;
        }
        let (mut pc, mut mem, mut reg) = ([0usize; 2], [0u8; 2], [[0u8; 2]; 2]);
        for i in 0..4 {
            let t = (order >> i & 1) as usize;
            let (store, l) = p[t][pc[t]];
            if store {
                mem[l] = (1 + t * 2 + pc[t]) as u8;
            } else {
                reg[t][pc[t]] = mem[l];
            }
            pc[t] += 1;
        }
        out.insert([reg[0][0], reg[0][1], reg[1][0], reg[1][1], mem[0], mem[1]]);
    }
    out
}

#[test]
fn store_buffer_machine_is_sequentially_consistent_with_the_fences_only() {
    let fenced = fences(Access::Store, Mode::Sc, Arch::X86_64).after == Fence::Full;
    assert!(fenced);
    let step = |b: usize| (b & 1 == 1, b >> 1 & 1);
    let mut broken_without = 0;
    for bits in 0..256usize {
        let p = [[step(bits), step(bits >> 2)], [step(bits >> 4), step(bits >> 6)]];
        let want = sc_outcomes(p);
        assert_eq!(outcomes(p, fenced), want, "{p:?}");
        if outcomes(p, false) != want {
            broken_without += 1;
        }
    }
    assert!(broken_without > 0, "the machine shows no store buffering: the test tests nothing");
}
