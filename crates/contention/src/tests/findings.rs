//! Reports and files for the next run.
use super::*;

fn seen(object: usize, class: &str, part: Part, samples: u32) -> Seen {
    let spot =
        Spot { offset: 0, width: 8, thread: 1, samples, writes: samples, slow: samples, since: 0, pc: 0, code: 0 };
    let place = Some(Named { object, class: class.into(), part });
    Seen { spot, place, thread: "t".into(), source: None }
}
fn field(object: usize, class: &str, name: &str, samples: u32) -> Seen {
    seen(object, class, Part::Field(name.into(), 16), samples)
}
fn findings(all: Vec<(Verdict, Vec<Seen>)>) -> Findings {
    let mut f = Findings::default();
    for (verdict, seen) in all {
        let samples = seen.iter().map(|s| s.spot.samples).sum();
        f.add(Finding { verdict, seen, samples, interrupts: 0 });
    }
    f
}
const PAIR: &[(usize, usize)] = &[(0, 1)];
fn falsely(a: Seen, b: Seen) -> (Verdict, Vec<Seen>) {
    (Verdict::FalseSharing(PAIR.into()), vec![a, b])
}

#[test]
fn fields_that_share_falsely_are_to_be_kept_apart() {
    let f = findings(vec![
        falsely(field(8, "A", "x", 30), field(8, "A", "y", 20)),
        (Verdict::TrueSharing, vec![field(8, "A", "x", 5), field(8, "B", "z", 5)]),
    ]);
    assert_eq!(f.apart(100).text(), "A\tx\ty\n");
    let expected = "REMIX: Processed 2 classes:\nREMIX: Hits for class 'A':\nREMIX: - Hit A::x[16]: 30:5\n\
                    REMIX: - Hit A::y[16]: 20:0\nREMIX: Hits for class 'B':\nREMIX: - Hit B::z[16]: 0:5\n";
    assert_eq!(f.text(), expected);
}
#[test]
fn a_lock_word_goes_with_its_object() {
    // The field moves, be it the same object's or another's.
    let f = findings(vec![falsely(seen(8, "A", Part::Header, 30), field(8, "A", "y", 20))]);
    assert_eq!(f.apart(100).text(), "A\ty\n");
    let f = findings(vec![falsely(seen(8, "A", Part::Header, 30), field(24, "B", "y", 20))]);
    assert_eq!(f.apart(100).text(), "B\ty\n");
    let f = findings(vec![falsely(seen(8, "A", Part::Header, 30), seen(24, "long[]", Part::Element(0), 20))]);
    assert_eq!(f.apart(100).text(), "A\t[header]\n");
    let f = findings(vec![falsely(seen(8, "A", Part::Header, 30), seen(24, "B", Part::Header, 20))]);
    assert_eq!(f.apart(100).text(), "A\t[header]\nB\t[header]\n");
}
#[test]
fn elements_of_arrays_stay() {
    let f = findings(vec![falsely(seen(8, "long[]", Part::Element(0), 30), seen(8, "long[]", Part::Element(1), 20))]);
    assert!(f.apart(100).is_empty());
    let f = findings(vec![falsely(seen(8, "long[]", Part::Element(0), 30), field(40, "A", "y", 20))]);
    assert_eq!(f.apart(100).text(), "A\ty\n");
}
#[test]
fn what_is_seldom_stays() {
    // The line counts: who writes seldom may be what others wait for.
    let f = findings(vec![falsely(field(8, "A", "x", 30), field(8, "A", "y", 3))]);
    assert_eq!(f.apart(3300).text(), "A\tx\ty\n");
    assert!(f.apart(3301).is_empty());
    let f = findings(vec![falsely(field(8, "A", "x", 10), field(8, "A", "y", 5))]);
    assert!(f.apart(20).is_empty(), "fifteen samples in all");
}
#[test]
fn what_cannot_move_leaves_it_to_the_other() {
    let f = findings(vec![falsely(field(8, "java.lang.Thread", "eetop", 30), seen(24, "A", Part::Header, 20))]);
    assert_eq!(f.apart(100).text(), "A\t[header]\n");
    let f = findings(vec![falsely(field(8, "A$$Lambda$1/0x1", "x", 30), field(24, "A", "y", 20))]);
    assert_eq!(f.apart(100).text(), "A\ty\n");
}
#[test]
fn the_places_with_the_most_samples_are_listed() {
    let all = (0..1100).map(|i| (Verdict::TrueSharing, vec![seen(8, "long[]", Part::Element(i), 1)]));
    let more = (0..20).map(|i| (Verdict::TrueSharing, vec![seen(8, "long[]", Part::Element(500 + i % 2), 10)]));
    let text = findings(all.chain(more).collect()).text();
    assert!(text.contains("[500]: 0:101\n") && text.contains("[501]: 0:101\n"), "{text}");
    assert!(text.contains("[0]: 0:1\n") && text.ends_with("and 1008 other places\n"), "{text}");
}
#[test]
fn locks_that_are_arrays_are_told_alone() {
    let f = findings(vec![falsely(seen(8, "byte[]", Part::Header, 30), seen(24, "A", Part::Header, 20))]);
    assert_eq!(f.apart(100).text(), "A\t[header]\n");
}
