//! Verdicts about lines.
use super::*;

fn line(spots: &[(u8, u64, u32, u32, u32)]) -> Line {
    let spot = |&(offset, thread, samples, writes, slow): &(u8, u64, u32, u32, u32)| Spot {
        offset,
        width: 8,
        thread,
        samples,
        writes,
        slow,
        since: 0,
        pc: 0,
        code: 0,
    };
    Line { spots: spots.iter().map(spot).collect() }
}

#[test]
fn two_threads_that_write_bytes_apart_share_falsely() {
    let l = line(&[(0, 1, 10, 10, 70), (8, 2, 10, 10, 70)]);
    assert_eq!(l.judge(), Verdict::FalseSharing(vec![(0, 1)]));
}
#[test]
fn who_only_reads_beside_a_writer_shares_falsely() {
    assert_eq!(line(&[(0, 1, 10, 10, 0), (8, 2, 10, 0, 70)]).judge(), Verdict::FalseSharing(vec![(0, 1)]));
    assert_eq!(line(&[(0, 1, 10, 0, 70), (8, 2, 10, 0, 70)]).judge(), Verdict::Quiet, "nobody writes");
}
#[test]
fn the_same_bytes_are_truly_shared() {
    assert_eq!(line(&[(0, 1, 10, 10, 70), (0, 2, 10, 10, 70)]).judge(), Verdict::TrueSharing);
    // Of different lengths, as views of byte arrays are.
    let mut l = line(&[(0, 1, 10, 10, 70), (4, 2, 10, 10, 70)]);
    assert_eq!(l.judge(), Verdict::TrueSharing);
    l.spots[0].width = 4;
    assert_eq!(l.judge(), Verdict::FalseSharing(vec![(0, 1)]));
}
#[test]
fn both_at_once_is_told_of_those_apart() {
    let l = line(&[(0, 1, 10, 10, 70), (0, 2, 10, 10, 70), (16, 2, 10, 10, 70)]);
    assert_eq!(l.judge(), Verdict::FalseSharing(vec![(0, 2)]));
}
#[test]
fn who_needs_what_is_written_is_not_disturbed_by_its_place() {
    // Both write the field at 8, and read the header in front of it on the way.
    let l = line(&[(0, 1, 10, 0, 70), (8, 1, 10, 10, 70), (0, 2, 10, 0, 70), (8, 2, 10, 10, 70)]);
    assert_eq!(l.judge(), Verdict::TrueSharing);
    // One reads the header alone.
    let l = line(&[(0, 1, 10, 0, 70), (8, 2, 10, 10, 70)]);
    assert_eq!(l.judge(), Verdict::FalseSharing(vec![(0, 1)]));
}
#[test]
fn little_evidence_is_none() {
    assert_eq!(line(&[(0, 1, 20, 20, 140)]).judge(), Verdict::Quiet, "one thread");
    assert_eq!(line(&[(0, 1, 20, 20, 140), (8, 2, 1, 1, 8)]).judge(), Verdict::Quiet, "one sample of a thread");
    assert_eq!(line(&[(0, 1, 3, 3, 20), (8, 2, 4, 4, 20)]).judge(), Verdict::Quiet, "seven samples");
    assert_eq!(line(&[(0, 1, 20, 20, 19), (8, 2, 20, 20, 20)]).judge(), Verdict::Quiet, "reads that were fast");
    assert_eq!(line(&[(0, 1, 20, 20, 20), (8, 2, 20, 20, 20)]).judge(), Verdict::FalseSharing(vec![(0, 1)]));
    // Who alone writes does not wait.
    let waits = |n, slow| line(&[(0, 1, 40, 40, 0), (8, 2, n, 0, slow)]).judge();
    assert_eq!(waits(8, 16), Verdict::FalseSharing(vec![(0, 1)]));
    assert_eq!((waits(8, 15), waits(7, 56)), (Verdict::Quiet, Verdict::FalseSharing(vec![(0, 1)])));
    assert_eq!(waits(7, 46), Verdict::Quiet, "too few, and not slow on average");
    // A place that is hardly accessed is not what the line is contended for.
    let rare = line(&[(0, 1, 20, 20, 140), (0, 2, 20, 20, 140), (8, 2, 2, 2, 16)]);
    assert_eq!(rare.judge(), Verdict::TrueSharing);
}
#[test]
fn samples_add_up_by_place_and_thread() {
    let mut l = Line::default();
    let s = |address, width, writes, slow| Sample { pc: 7, code: 1, address, width, writes, slow };
    for x in [s(0x1008, 8, true, 3), s(0x1008, 8, false, 2), s(0x1038, 16, true, 0)] {
        l.add(&x, 5, 100);
    }
    l.add(&s(0x1008, 8, true, 1), 6, 7);
    let seen: Vec<_> = l.spots.iter().map(|x| (x.offset, x.width, x.thread, x.samples, x.writes, x.slow)).collect();
    assert_eq!(seen, [(8, 8, 5, 2, 1, 5), (56, 8, 5, 1, 1, 0), (8, 8, 6, 1, 1, 1)]);
    assert_eq!((l.samples(), l.threads()), (4, vec![5, 6]));
    l.add(&s(0x1010, 8, true, 1), 6, 9);
    assert_eq!(l.interrupts(|t| if t == 5 { 103 } else { 12 }), 3 + 5);
}
#[test]
fn many_threads_contend_as_two_do() {
    for threads in [8, 32, 64] {
        let one: Vec<_> = (1..=threads).map(|t| (0, t, 3, 3, 20)).collect();
        assert_eq!(line(&one).judge(), Verdict::TrueSharing, "{threads}");
        let with_header: Vec<_> = (1..=threads).flat_map(|t| [(0, t, 2, 0, 10), (8, t, 2, 2, 10)]).collect();
        assert_eq!(line(&with_header).judge(), Verdict::TrueSharing, "{threads}");
        let apart: Vec<_> = (1..=threads).map(|t| (t as u8 % 8 * 8, t, 3, 3, 20)).collect();
        assert!(matches!(line(&apart).judge(), Verdict::FalseSharing(p) if p.len() > threads as usize), "{threads}");
    }
}
