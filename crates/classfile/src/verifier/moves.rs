//! Owns the instructions that move values between locals and stack: a value keeps its type, and one of
//! two slots is never torn.

use super::method::Verifier;
use super::report::Checked;
use super::types::VType;
use crate::opcodes::{Instruction, op};

impl<'a> Verifier<'_, 'a> {
    pub fn load(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        let local = usize::from(i.local().unwrap_or(0));
        match i.info().pushes {
            "I" => self.load_one(local, Integer),
            "F" => self.load_one(local, Float),
            "A" => self.load_one(local, AnyReference),
            wide => {
                let (first, second) = if wide == "J" { (Long, Long2) } else { (Double, Double2) };
                self.frame.get_local_pair(local, first, second)?;
                self.frame.push_pair((first, Some(second)))
            }
        }
    }

    fn load_one(&mut self, local: usize, want: VType<'a>) -> Checked<()> {
        let t = self.frame.get_local(local, want, self.env)?;
        self.frame.push(t)
    }

    pub fn store(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        let local = usize::from(i.local().unwrap_or(0));
        let want = match i.info().pops {
            "I" => Integer,
            "F" => Float,
            "A" => AnyReference,
            wide => {
                let (first, second) = if wide == "J" { (Long, Long2) } else { (Double, Double2) };
                self.frame.pop_two(first, second, self.env)?;
                return self.frame.set_local_pair(local, first, second);
            }
        };
        let t = self.frame.pop(want, self.env)?;
        self.frame.set_local(local, t)
    }

    /// Pops a value of one slot, or one of two as its two halves: the upper first.
    fn pop_one_or_two(&mut self, name: &str) -> Checked<(VType<'a>, VType<'a>)> {
        let top = self.frame.pop_any()?;
        if top.is_category1() {
            Ok((top, self.frame.pop(VType::AnyCategory1, self.env)?))
        } else if top.is_category2_second() {
            Ok((top, self.frame.pop(VType::AnyCategory2, self.env)?))
        } else {
            self.frame.bad_top(format!("Bad type on operand stack in {name}"), None)
        }
    }

    pub fn shuffle(&mut self, i: &Instruction<'a>) -> Checked<()> {
        let name = i.info().name;
        let one = VType::AnyCategory1;
        let mut under: [Option<VType<'a>>; 2] = [None; 2];
        // The moved values, top first, then those that they go under.
        let (top, second) = match i.opcode {
            op::POP => return self.frame.pop(one, self.env).map(drop),
            op::POP2 => return self.pop_one_or_two(name).map(drop),
            op::SWAP => {
                let top = self.frame.pop(one, self.env)?;
                let below = self.frame.pop(one, self.env)?;
                self.frame.push(top)?;
                return self.frame.push(below);
            }
            op::DUP | op::DUP_X1 | op::DUP_X2 => (self.frame.pop(one, self.env)?, None),
            _ => {
                let (top, second) = self.pop_one_or_two(name)?;
                (top, Some(second))
            }
        };
        match i.opcode {
            op::DUP_X1 | op::DUP2_X1 => under[0] = Some(self.frame.pop(one, self.env)?),
            op::DUP_X2 | op::DUP2_X2 => {
                let (a, b) = self.pop_one_or_two(name)?;
                under = [Some(a), Some(b)];
            }
            _ => {}
        }
        let moved = [second, Some(top)];
        let below = [under[1], under[0]];
        for t in moved.iter().chain(&below).chain(&moved).flatten() {
            self.frame.push(*t)?;
        }
        Ok(())
    }
}
