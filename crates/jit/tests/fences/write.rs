//! Random functions as text: blocks that jump anywhere, with stores, loads, allocations, publications, stops and checks of
//! objects that are defined on every way there.
use super::Random;
use std::fmt::Write;

/// Blocks and where they go.
struct Graph {
    next: Vec<Vec<usize>>,
    /// For each block, those on every way to it, itself among them.
    above: Vec<Vec<usize>>,
}

impl Graph {
    /// All blocks are reached. Loops may have several entries, and be one block.
    fn random(r: &mut Random) -> Graph {
        loop {
            let (n, back) = (3 + r.below(13), r.below(40));
            let wild: Vec<Vec<usize>> = (0..n)
                .map(|b| {
                    let ways = *r.of(&[0, 1, 1, 1, 2, 2, 2, 2, 2, 4]);
                    let to = |r: &mut Random| {
                        let far = r.percent(back) || b + 1 >= n;
                        if far { 1 + r.below(n - 1) } else { b + 1 + r.below((n - b - 1).min(4)) }
                    };
                    (0..if b == 0 { ways.max(1) } else { ways }).map(|_| to(r)).collect()
                })
                .collect();
            let mut reached = vec![0];
            let mut at = 0;
            while at < reached.len() {
                for s in &wild[reached[at]] {
                    if !reached.contains(s) {
                        reached.push(*s);
                    }
                }
                at += 1;
            }
            if reached.len() < 3 {
                continue;
            }
            let number = |b: &usize| reached.iter().position(|x| x == b).expect("reached");
            let next: Vec<Vec<usize>> = reached.iter().map(|b| wild[*b].iter().map(number).collect()).collect();
            let above = above(&next);
            return Graph { next, above };
        }
    }
}

fn above(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = next.len();
    let mut above: Vec<Vec<usize>> = (0..n).map(|b| if b == 0 { vec![0] } else { (0..n).collect() }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for b in 1..n {
            let preds: Vec<usize> = (0..n).filter(|p| next[*p].contains(&b)).collect();
            let on_all = |a: &usize| *a == b || preds.iter().all(|p| above[*p].contains(a));
            let now: Vec<usize> = above[b].iter().copied().filter(on_all).collect();
            changed |= now.len() != above[b].len();
            above[b] = now;
        }
    }
    above
}

/// What a block has beside its instructions.
#[derive(Clone, Default)]
struct Block {
    params: Vec<usize>,
    /// References that are defined here, and those that are no null from here on.
    refs: Vec<usize>,
    objects: Vec<usize>,
    text: String,
}

struct Writer<'a> {
    r: &'a mut Random,
    graph: Graph,
    blocks: Vec<Block>,
    values: usize,
}

const HEAD: &str = "function \"T.static(Ljava/lang/Object;Ljava/lang/Object;I)V\"\n";
const STATES: &str = "s0 = \"T.static(Ljava/lang/Object;Ljava/lang/Object;I)V\" at 1 ClassCheck [] ()\n\
                      s1 = \"T.static(Ljava/lang/Object;Ljava/lang/Object;I)V\" after 1 AfterCall [] ()\n";

/// A function of two objects and a number.
pub fn function(r: &mut Random) -> String {
    let graph = Graph::random(r);
    let n = graph.next.len();
    let mut w = Writer { r, graph, blocks: vec![Block::default(); n], values: 3 };
    for b in 1..n {
        for _ in 0..*w.r.of(&[0, 0, 0, 1, 2]) {
            let v = w.value();
            w.blocks[b].params.push(v);
            w.blocks[b].refs.push(v);
        }
    }
    w.blocks[0].refs = vec![0, 1];
    w.blocks[0].text = "    v0: ref = param 0\n    v1: ref = param 1\n    v2: int = param 2\n".into();
    // Those on the way come first.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|b| w.graph.above[*b].len());
    let eager = w.r.below(3);
    for b in order {
        for _ in 0..w.r.below(4) {
            w.instruction(b, eager);
        }
    }
    let mut text = String::from(HEAD);
    for b in 0..n {
        let params: Vec<String> = w.blocks[b].params.iter().map(|p| format!("v{p}: ref")).collect();
        let cold = if b > 0 && w.r.percent(10) { " cold" } else { "" };
        let end = w.end(b);
        write!(text, "b{b}({}):{cold}\n{}    {end}\n", params.join(", "), w.blocks[b].text).expect("a string");
    }
    text + STATES
}

impl Writer<'_> {
    fn value(&mut self) -> usize {
        self.values += 1;
        self.values - 1
    }
    /// A reference that is there in `b`.
    fn reference(&mut self, b: usize) -> usize {
        let all: Vec<usize> = self.graph.above[b].iter().flat_map(|a| &self.blocks[*a].refs).copied().collect();
        *self.r.of(&all)
    }
    /// The same, checked for null if it has not been.
    fn object(&mut self, b: usize) -> usize {
        let v = self.reference(b);
        if !self.graph.above[b].iter().any(|a| self.blocks[*a].objects.contains(&v)) {
            writeln!(self.blocks[b].text, "    null_check v{v} s0").expect("a string");
            self.blocks[b].objects.push(v);
        }
        v
    }
    fn instruction(&mut self, b: usize, eager: usize) {
        let line = match self.r.below(14 + 6 * eager) {
            0 | 1 => format!("v{}: int = load Int.Sc v{}+12", self.value(), self.object(b)),
            2 => {
                let (v, o) = (self.value(), self.object(b));
                self.blocks[b].refs.push(v);
                format!("v{v}: ref = load Object.Immutable v{o}+12")
            }
            3 => {
                let v = self.value();
                self.blocks[b].refs.push(v);
                self.blocks[b].objects.push(v);
                format!("v{v}: ref = new \"C\" s0")
            }
            4 => "poll s1".into(),
            5 => format!("publish v{}, v{} s1", self.object(b), self.reference(b)),
            6 => "guard v2 s0".into(),
            7 if self.r.percent(50) => "call.static \"T.static()V\" () s1".into(),
            8 if self.r.percent(20) => "fence".into(),
            _ => format!("store Int.Sc v{}+12, v2", self.object(b)),
        };
        writeln!(self.blocks[b].text, "    {line}").expect("a string");
    }
    fn target(&mut self, from: usize, to: usize) -> String {
        let args: Vec<String> =
            (0..self.blocks[to].params.len()).map(|_| format!("v{}", self.reference(from))).collect();
        format!("b{to}({})", args.join(", "))
    }
    fn end(&mut self, b: usize) -> String {
        let to: Vec<String> = self.graph.next[b].clone().into_iter().map(|s| self.target(b, s)).collect();
        match &to[..] {
            [] => (*self.r.of(&["return", "deopt s0"])).into(),
            [a] => format!("jump {a}"),
            [a, b] => format!("if v2 {a} else {b}"),
            [cases @ .., last] => {
                let cases: Vec<String> = cases.iter().enumerate().map(|(n, t)| format!("{n} => {t}")).collect();
                format!("switch v2 {} else {last}", cases.join(" "))
            }
        }
    }
}
