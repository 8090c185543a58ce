//! Which instruction put each value on the operand stack.
//!
//! Invariant: a slot names an instruction only if every path that was met, in the order of the code,
//! left that instruction's value there. The passes are those that HotSpot makes (seen by which
//! locals it calls parameters still), and not a fixed point.
use concord_classfile::ConstantPool;
use concord_classfile::descriptor::MethodDescriptor;
use concord_classfile::opcodes::{Flow, Instruction, op};
use concord_contract::MethodRef;

/// The instruction that made a value, if it is one and the same on all paths.
pub type Source = Option<u16>;

/// What is known at one instruction.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    /// Bottom first; two slots for long and double.
    pub stack: Vec<Source>,
    /// Locals below 64 that were assigned on some path.
    pub written: u64,
}

/// States before the instructions of one method.
pub struct Sources(Vec<Option<State>>);

/// Slots of a field descriptor's type.
pub fn type_slots(desc: &[u8]) -> usize {
    match desc.first() {
        Some(b'J' | b'D') => 2,
        Some(b'V') | None => 0,
        _ => 1,
    }
}
/// Slots of a method descriptor's parameters and result.
pub fn call_slots(desc: &[u8]) -> (usize, usize) {
    let params = MethodDescriptor::new(desc).map_or(0, |d| d.params().map(|p| p.slots()).sum());
    let ret = desc.iter().position(|b| *b == b')').map_or(0, |i| type_slots(&desc[i + 1..]));
    (params, ret)
}

impl Sources {
    /// Analyses `m` for a failure at `until`; None if its code cannot be decoded.
    ///
    /// Passes over the code from its beginning, until every instruction or `until` has a state: a
    /// later pass is made for what was not met yet, not to carry a change around a loop.
    pub fn of(m: MethodRef, pool: &ConstantPool<'_>, until: usize) -> Option<Sources> {
        let code = m.bytecode;
        let mut s = Sources(vec![None; code.len()]);
        s.merge(0, &State { stack: Vec::new(), written: 0 })?;
        for h in m.exceptions.iter() {
            // A handler sees one value of unknown origin.
            s.merge(h.handler as usize, &State { stack: vec![None], written: 0 })?;
        }
        loop {
            let (mut missing, mut added) = (false, false);
            let mut bci = 0;
            while bci < code.len() {
                let i = Instruction::decode(code, bci).ok()?;
                match s.0[bci].clone() {
                    Some(state) => added |= s.flow(&i, execute(&i, state, pool)?)?,
                    None => missing = true,
                }
                if bci == until && s.0[bci].is_some() {
                    return Some(s);
                }
                bci = i.next();
            }
            if !missing || !added {
                return Some(s);
            }
        }
    }
    /// The state before the instruction at `bci`; None if it is never reached.
    pub fn at(&self, bci: usize) -> Option<&State> {
        self.0.get(bci)?.as_ref()
    }

    /// Carries the state behind `i` to where it may go on; says whether a place got its first one.
    fn flow(&mut self, i: &Instruction<'_>, after: State) -> Option<bool> {
        let flow = i.info().flow;
        let mut added = false;
        if flow != Flow::Next {
            if matches!(flow, Flow::End | Flow::Ret) {
                return Some(false);
            }
            for t in i.targets() {
                added |= self.merge(usize::try_from(t).ok()?, &after)?;
            }
        }
        if matches!(flow, Flow::Next | Flow::Branch | Flow::Jsr) {
            let mut next = after;
            if flow == Flow::Jsr {
                // Behind a jsr the stack is as before it.
                next.stack.pop();
            }
            added |= self.merge(i.next(), &next)?;
        }
        Some(added)
    }

    fn merge(&mut self, at: usize, new: &State) -> Option<bool> {
        let slot = self.0.get_mut(at)?;
        let Some(old) = slot else {
            *slot = Some(new.clone());
            return Some(true);
        };
        if old.stack.len() != new.stack.len() {
            return None;
        }
        for (o, n) in old.stack.iter_mut().zip(&new.stack) {
            if o != n {
                *o = None;
            }
        }
        old.written |= new.written;
        Some(false)
    }
}

/// The state behind an instruction.
fn execute(i: &Instruction<'_>, mut s: State, pool: &ConstantPool<'_>) -> Option<State> {
    let me = Some(i.bci as u16);
    let depth = |s: &State, n: usize| s.stack.len().checked_sub(n);
    let (pops, pushes) = match i.opcode {
        op::DUP | op::DUP_X1 | op::DUP_X2 | op::DUP2 | op::DUP2_X1 | op::DUP2_X2 | op::SWAP | op::POP | op::POP2 => {
            return shuffle(i.opcode, s);
        }
        op::LDC | op::LDC_W => (0, 1),
        op::LDC2_W => (0, 2),
        op::JSR | op::JSR_W => (0, 1),
        op::GETSTATIC | op::PUTSTATIC | op::GETFIELD | op::PUTFIELD => {
            let n = type_slots(pool.ref_name_and_type(i.cp()).desc);
            match i.opcode {
                op::GETSTATIC => (0, n),
                op::PUTSTATIC => (n, 0),
                op::GETFIELD => (1, n),
                _ => (1 + n, 0),
            }
        }
        op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
            let (params, ret) = call_slots(pool.ref_name_and_type(i.cp()).desc);
            (params + 1, ret)
        }
        op::INVOKESTATIC | op::INVOKEDYNAMIC => call_slots(pool.ref_name_and_type(i.cp()).desc),
        op::MULTIANEWARRAY => (usize::from(i.count()), 1),
        _ => (usize::from(i.info().pop_slots), usize::from(i.info().push_slots)),
    };
    // A cast gives the value that it was given.
    if i.opcode == op::CHECKCAST {
        return Some(s);
    }
    if let (Some(n), op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3 | op::IINC) = (i.local(), i.opcode) {
        let wide = pops == 2;
        for k in 0..=u16::from(wide) {
            if n + k < 64 {
                s.written |= 1 << (n + k);
            }
        }
    }
    let keep = depth(&s, pops)?;
    s.stack.truncate(keep);
    s.stack.extend(std::iter::repeat_n(me, pushes));
    Some(s)
}

/// The instructions that move values without making any.
fn shuffle(opcode: u8, mut s: State) -> Option<State> {
    let v = &mut s.stack;
    let n = v.len();
    // (values copied, how deep below them the copy goes)
    let (count, below) = match opcode {
        op::POP | op::POP2 => {
            v.truncate(n.checked_sub(if opcode == op::POP { 1 } else { 2 })?);
            return Some(s);
        }
        op::SWAP => {
            let top = n.checked_sub(2)?;
            v.swap(top, top + 1);
            return Some(s);
        }
        op::DUP => (1, 0),
        op::DUP_X1 => (1, 1),
        op::DUP_X2 => (1, 2),
        op::DUP2 => (2, 0),
        op::DUP2_X1 => (2, 1),
        _ => (2, 2),
    };
    let from = n.checked_sub(count)?;
    let at = from.checked_sub(below)?;
    let copy: Vec<Source> = v[from..].to_vec();
    v.splice(at..at, copy);
    Some(s)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn shuffles_keep_the_sources() {
        let s = |v: &[u16]| State { stack: v.iter().map(|x| Some(*x)).collect(), written: 0 };
        let run = |o: u8, v: &[u16]| {
            let r = shuffle(o, s(v)).expect("enough values");
            r.stack.into_iter().map(|x| x.expect("known")).collect::<Vec<_>>()
        };
        assert_eq!(run(op::DUP, &[1, 2]), [1, 2, 2]);
        assert_eq!(run(op::DUP_X1, &[1, 2]), [2, 1, 2]);
        assert_eq!(run(op::DUP_X2, &[1, 2, 3]), [3, 1, 2, 3]);
        assert_eq!(run(op::DUP2_X1, &[1, 2, 3]), [2, 3, 1, 2, 3]);
        assert_eq!(run(op::DUP2_X2, &[1, 2, 3, 4]), [3, 4, 1, 2, 3, 4]);
        assert_eq!(run(op::SWAP, &[1, 2]), [2, 1]);
        assert!(shuffle(op::DUP2, s(&[1])).is_none());
    }
    #[test]
    fn slots_of_descriptors() {
        assert_eq!(call_slots(b"(IJLjava/lang/String;[D)D"), (5, 2));
        assert_eq!(call_slots(b"()V"), (0, 0));
    }
}
