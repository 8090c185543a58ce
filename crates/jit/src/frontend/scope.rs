//! A method in translation.
//!
//! Invariant: of the scopes under way each but the first is inlined into the one before.
use super::blocks::{Blocks, Kinds};
use super::frame::Join;
use super::{Builder, handlers};
use crate::ir::{Block, StateId, Value};
use concord_contract::method::MethodRef;
use concord_contract::profile::{Counter, Counters, MethodProfile};
use std::cell::OnceCell;
use std::rc::Rc;

/// One method on the way: the compiled one, or one that is inlined.
pub(super) struct Scope {
    pub(super) method: MethodRef,
    pub(super) blocks: Rc<Blocks>,
    /// State of the caller's frame, and where a return goes.
    pub(super) caller: Option<(StateId, Block)>,
    pub(super) joins: Vec<Join>,
    /// Position of each block in the order of translation; `u32::MAX` if not reached.
    pub(super) position: Vec<u32>,
    /// In how many loops of its method each block lies.
    pub(super) loops: Vec<u32>,
    /// In how many loops of its callers all of it lies.
    pub(super) loops_outside: u32,
    /// Locals live before each instruction of the current block.
    pub(super) live: Vec<Box<[Kinds]>>,
    /// Block and instruction in translation.
    pub(super) at: usize,
    pub(super) instruction: usize,
    pub(super) bci: u16,
    pub(super) depth: u32,
    /// Of the methods between it and the compiled one, those that would not be inlined in any case.
    pub(super) chosen: u32,
    /// All of it runs in a loop of the compiled method, and nothing lies between that would not be inlined in any case.
    pub(super) looped: bool,
    pub(super) receiver: Option<Value>,
    /// A caller that this scope is inlined into has a handler for its call.
    pub(super) catches: bool,
    /// Exceptions that the scope does not catch, for its caller.
    pub(super) escaped: Vec<handlers::Raised>,
    /// Where inlined code returns from, and the values that it returns.
    pub(super) returns: Vec<Block>,
    pub(super) results: Vec<Value>,
    /// What running code has shown, once it was asked for.
    pub(super) profile: OnceCell<Option<MethodProfile>>,
    /// Where the scope's code counts, if it does.
    pub(super) counters: Option<Counters>,
    /// What the call in translation counts.
    pub(super) call_counter: Option<Counter>,
}

impl Scope {
    /// In how many loops the code at hand lies, its callers' among them.
    pub(super) fn loop_depth(&self) -> u32 {
        self.loops_outside + self.loops[self.at]
    }
}

impl Builder<'_> {
    pub(super) fn scope(
        &self,
        m: MethodRef,
        blocks: Rc<Blocks>,
        caller: Option<(StateId, Block)>,
        depth: u32,
    ) -> Scope {
        let n = blocks.blocks.len();
        Scope {
            method: m,
            blocks,
            caller,
            joins: (0..n).map(|_| Join::default()).collect(),
            position: vec![u32::MAX; n],
            loops: vec![0; n],
            loops_outside: 0,
            live: Vec::new(),
            at: 0,
            instruction: 0,
            bci: 0,
            depth,
            chosen: 0,
            looped: false,
            receiver: if m.is_static() { None } else { self.frame.locals.first().copied().flatten() },
            catches: false,
            escaped: Vec::new(),
            returns: Vec::new(),
            results: Vec::new(),
            profile: OnceCell::new(),
            counters: self.counters(m),
            call_counter: None,
        }
    }
}
