//! The law of fences, checked on the finished machine code.
//!
//! Invariant: on every path from a store that owes a fence to a load of shared memory, to a call, to a
//! way out of the code or to its end stands a locked instruction; or a branch found that the objects
//! stored into are all LOCAL (law L1 of `docs/papers/vbd.md`).
//!
//! The code is decoded along its control flow, from its bytes. What an instruction means to Java's
//! memory it says by its site ([`super::sites`]); one that reaches memory other than the frame and
//! has no site, or writes where its site does not, breaks the law, too. Not
//! checked: that a branch on LOCAL bits looks at the right words, and assembly that is not compiled.
use super::sites::Site;
use crate::ir::Value as V;
use concord_contract::rows::Row;
use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    Register,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Machine code with what its maker tells of it; all offsets from its start.
pub struct Code<'a> {
    pub bytes: &'a [u8],
    pub sites: &'a [Site],
    /// Start, end and site of pieces, ascending.
    pub pieces: &'a [(u32, u32, u32)],
    /// Starts of blocks, ascending, and edges between them: where jumps by a table go.
    pub blocks: &'a [u32],
    pub edges: &'a [(u32, u32)],
}

/// Stores that are not fenced yet: offset of the instruction, and the object.
type Pending = BTreeSet<(u32, Option<V>)>;

/// An instruction as the law sees it.
struct Step {
    at: u32,
    next: u32,
    what: What,
    /// Offsets of the instructions that may follow.
    to: Vec<u32>,
    name: String,
}

#[derive(PartialEq)]
enum What {
    Nothing,
    Store(Option<V>),
    Fence,
    /// Must not meet a pending store; none is pending behind it.
    Observes(&'static str),
    /// If the first successor is taken, these objects are LOCAL; or if the second is.
    IfLocal(Vec<V>, bool),
}

/// # Errors
/// The first path that breaks the law.
pub fn check(code: &Code<'_>) -> Result<(), String> {
    let steps = decode(code)?;
    let mut before: HashMap<u32, Pending> = HashMap::from([(0, Pending::new())]);
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        let s = &steps[&at];
        let mut pending = before[&at].clone();
        match &s.what {
            What::Nothing | What::IfLocal(..) => {}
            What::Store(to) => {
                pending.insert((at, *to));
            }
            What::Fence => pending.clear(),
            What::Observes(what) => {
                if let Some((store, to)) = pending.first() {
                    return Err(path(&steps, *store, *to, at, what));
                }
            }
        }
        for (n, to) in s.to.iter().enumerate() {
            let mut there = pending.clone();
            if let What::IfLocal(asked, first) = &s.what
                && (n == 0) == *first
            {
                there.retain(|(_, to)| !to.is_some_and(|o| asked.contains(&o)));
            }
            let known = before.get(to);
            if known.is_none_or(|k| !there.is_subset(k)) {
                before.entry(*to).or_default().extend(there);
                work.push(*to);
            }
        }
    }
    Ok(())
}

/// Decodes what can be reached from the start.
fn decode(code: &Code<'_>) -> Result<BTreeMap<u32, Step>, String> {
    let mut steps = BTreeMap::new();
    let mut factory = InstructionInfoFactory::new();
    let mut decoder = Decoder::with_ip(64, code.bytes, 0, DecoderOptions::NONE);
    let mut i = Instruction::default();
    let mut work = vec![0u32];
    while let Some(at) = work.pop() {
        if steps.contains_key(&at) {
            continue;
        }
        if decoder.set_position(at as usize).is_err() || at as usize >= code.bytes.len() {
            return Err(format!("the code goes on at {at:#x}, behind its end"));
        }
        decoder.set_ip(u64::from(at));
        decoder.decode_out(&mut i);
        if i.is_invalid() {
            return Err(format!("no instruction at {at:#x}"));
        }
        let next = i.next_ip() as u32;
        let to = match i.flow_control() {
            FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall => vec![next],
            FlowControl::UnconditionalBranch => vec![i.near_branch_target() as u32],
            // The taken side comes first.
            FlowControl::ConditionalBranch => vec![i.near_branch_target() as u32, next],
            FlowControl::IndirectBranch => by_table(code, at),
            FlowControl::Return | FlowControl::Exception | FlowControl::Interrupt => vec![],
            other => return Err(format!("{other:?} at {at:#x}")),
        };
        work.extend(&to);
        let what = judge(code, &i, &mut factory).map_err(|e| format!("{e}: {:?} at {at:#x}", i.code()))?;
        steps.insert(at, Step { at, next, what, to, name: format!("{:?}", i.code()) });
    }
    Ok(steps)
}

/// Where the jump that ends the block of `at` goes.
fn by_table(code: &Code<'_>, at: u32) -> Vec<u32> {
    let block = code.blocks.iter().rev().find(|b| **b <= at).copied().unwrap_or(0);
    code.edges.iter().filter(|e| e.0 == block).map(|e| e.1).collect()
}

fn judge(code: &Code<'_>, i: &Instruction, factory: &mut InstructionInfoFactory) -> Result<What, String> {
    let at = i.ip() as u32;
    let piece = code.pieces.partition_point(|p| p.1 <= at);
    let site = code.pieces.get(piece).filter(|p| p.0 <= at).and_then(|p| code.sites.get(p.2 as usize));
    match i.flow_control() {
        FlowControl::Return => return Ok(What::Observes("the end")),
        FlowControl::Call | FlowControl::IndirectCall => {
            return Ok(match site {
                Some(Site::Inner(_)) => What::Nothing,
                Some(Site::Leaves(Row::Deopt | Row::AfterCall)) => What::Observes("a way out"),
                _ => What::Observes("a call"),
            });
        }
        FlowControl::ConditionalBranch => {
            if let Some(Site::IfLocal(asked)) = site {
                return match i.condition_code() {
                    ConditionCode::ne => Ok(What::IfLocal(asked.clone(), true)),
                    ConditionCode::e => Ok(What::IfLocal(asked.clone(), false)),
                    c => Err(format!("a branch on LOCAL bits by {c:?}")),
                };
            }
        }
        _ => {}
    }
    let info = factory.info(i);
    let (mut reads, mut writes, mut displacement) = (false, false, 0);
    for m in info.used_memory() {
        let own = matches!(m.base(), Register::RSP | Register::RBP | Register::R15 | Register::RIP)
            || (m.base() == Register::None && m.index() == Register::None);
        if own || i.mnemonic() == Mnemonic::Lea {
            continue;
        }
        use OpAccess::*;
        reads |= matches!(m.access(), Read | CondRead | ReadWrite | ReadCondWrite);
        writes |= matches!(m.access(), Write | CondWrite | ReadWrite | ReadCondWrite);
        displacement = m.displacement() as u32;
    }
    let locks = i.has_lock_prefix() || i.mnemonic() == Mnemonic::Mfence;
    if locks || (i.mnemonic() == Mnemonic::Xchg && !info.used_memory().is_empty()) {
        return Ok(What::Fence);
    }
    if !reads && !writes {
        return Ok(What::Nothing);
    }
    match site {
        None => Err("memory is reached by nobody's order".into()),
        Some(Site::Store { owes, to }) if writes => {
            // An addition to memory loads as well, and its load is the one before it.
            Ok(if *owes { What::Store(*to) } else { What::Nothing })
        }
        Some(Site::Load) if reads && !writes => Ok(What::Observes("a load")),
        Some(Site::Computes { shared, length }) if !writes => {
            let private = !*shared || *length == Some(displacement);
            Ok(if private { What::Nothing } else { What::Observes("a load") })
        }
        Some(Site::Vm | Site::Inner(_) | Site::Leaves(_) | Site::Call | Site::IfLocal(_)) => Ok(What::Nothing),
        Some(site) => Err(format!("{site:?} reaches memory")),
    }
}

/// The shortest way from a store to what must not come so soon.
fn path(steps: &BTreeMap<u32, Step>, store: u32, to: Option<V>, end: u32, what: &str) -> String {
    let mut from: HashMap<u32, u32> = HashMap::new();
    let mut row = std::collections::VecDeque::from([store]);
    while let Some(at) = row.pop_front() {
        if at == end && from.contains_key(&at) {
            break;
        }
        for n in steps[&at].to.iter().filter(|n| steps[n].what != What::Fence) {
            if !from.contains_key(n) {
                from.insert(*n, at);
                row.push_back(*n);
            }
        }
    }
    let mut way = vec![end];
    while let Some(at) = way.last().and_then(|at| from.get(at)).copied() {
        way.push(at);
        if at == store {
            break;
        }
    }
    let jumps = way.iter().rev().map(|at| &steps[at]).filter(|s| s.to.len() != 1 || s.to[0] != s.next);
    let jumps: Vec<String> = jumps.map(|s| format!("{:#x}", s.at)).collect();
    let object = to.map_or("what is SHARED".into(), |o| o.to_string());
    format!(
        "no fence between the store into {object} ({} at {store:#x}) and {what} ({} at {end:#x}), by way of {}",
        steps[&store].name,
        steps[&end].name,
        jumps.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// mov [rdi+12], eax; mov eax, [rsi+12]; lock or dword [rsp-64], 0; ret.
    const STORE: &[u8] = &[0x89, 0x47, 0x0c];
    const LOAD: &[u8] = &[0x8b, 0x46, 0x0c];
    const FENCE: &[u8] = &[0xf0, 0x83, 0x4c, 0x24, 0xc0, 0x00];
    const RET: &[u8] = &[0xc3];
    /// Over the next 6 bytes.
    const JNE: &[u8] = &[0x75, 0x06];
    const JE: &[u8] = &[0x74, 0x06];
    const CALL: &[u8] = &[0xff, 0xd0];

    fn store() -> Site {
        Site::Store { owes: true, to: Some(V(1)) }
    }
    fn run(parts: &[(&[u8], Option<Site>)]) -> Result<(), String> {
        let (mut bytes, mut sites, mut pieces) = (vec![], vec![], vec![]);
        for (code, site) in parts {
            let start = bytes.len() as u32;
            bytes.extend_from_slice(code);
            if let Some(s) = site {
                pieces.push((start, bytes.len() as u32, sites.len() as u32));
                sites.push(s.clone());
            }
        }
        check(&Code { bytes: &bytes, sites: &sites, pieces: &pieces, blocks: &[], edges: &[] })
    }
    fn fails(parts: &[(&[u8], Option<Site>)], with: &str) {
        let e = run(parts).expect_err(with);
        assert!(e.contains(with), "{e}");
    }

    #[test]
    fn loads_calls_and_ends_come_behind_a_fence() {
        let s = || (STORE, Some(store()));
        fails(&[s(), (RET, None)], "at 0x0) and the end");
        fails(&[s(), (LOAD, Some(Site::Load)), (RET, None)], "and a load (Mov_r32_rm32 at 0x3)");
        fails(&[s(), (CALL, Some(Site::Call)), (FENCE, None), (RET, None)], "and a call");
        fails(&[s(), (CALL, Some(Site::Leaves(Row::Deopt))), (RET, None)], "and a way out");
        fails(&[s(), (CALL, None), (RET, None)], "and a call");
        let folded = Site::Computes { shared: true, length: None };
        fails(&[s(), (LOAD, Some(folded)), (RET, None)], "and a load");
        assert_eq!(run(&[s(), s(), (FENCE, None), (LOAD, Some(Site::Load)), (RET, None)]), Ok(()));
        let inner = (CALL, Some(Site::Inner(Row::IsSubtype)));
        assert_eq!(run(&[s(), (LOAD, Some(Site::Vm)), inner, (FENCE, None), (RET, None)]), Ok(()));
        let weak = Site::Store { owes: false, to: None };
        assert_eq!(run(&[(STORE, Some(weak)), (LOAD, Some(Site::Load)), (RET, None)]), Ok(()));
    }

    #[test]
    fn a_branch_excuses_stores_into_what_it_asks() {
        let s = || (STORE, Some(store()));
        let ask = |code, v| (code, Some(Site::IfLocal(vec![V(v)])));
        assert_eq!(run(&[s(), ask(JNE, 1), (FENCE, None), (RET, None)]), Ok(()));
        fails(&[s(), ask(JE, 1), (FENCE, None), (RET, None)], "and the end");
        fails(&[s(), ask(JNE, 2), (FENCE, None), (RET, None)], "store into v1");
        fails(&[s(), (JNE, None), (FENCE, None), (RET, None)], "by way of 0x3");
        // The fence on the other side is missing.
        fails(&[s(), ask(&[0x75, 0x00], 1), (RET, None)], "and the end");
    }

    #[test]
    fn memory_is_reached_in_order() {
        fails(&[(STORE, None), (RET, None)], "nobody's order");
        fails(&[(STORE, Some(Site::Load)), (RET, None)], "reaches memory");
        let bounds = Site::Computes { shared: false, length: Some(12) };
        assert_eq!(run(&[(STORE, Some(store())), (LOAD, Some(bounds)), (FENCE, None), (RET, None)]), Ok(()));
        fails(&[(STORE, Some(Site::Computes { shared: true, length: None })), (RET, None)], "reaches memory");
        fails(&[(&[0x75, 0x70], None), (RET, None)], "behind its end");
        // A loop: the load of the next round.
        let body: &[u8] = &[0x75, 0xf8];
        fails(
            &[(LOAD, Some(Site::Load)), (STORE, Some(store())), (body, None), (FENCE, None), (RET, None)],
            "and a load",
        );
    }
}
