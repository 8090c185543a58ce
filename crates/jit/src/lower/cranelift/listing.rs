//! Machine code for people: what each instruction is there for (`-Xlog:jit+asm`,
//! `-XX:CompileCommand=print`).
//!
//! Invariant: the listing is decoded from the bytes that are installed, in their order. Above each
//! stretch stands the instruction of the intermediate representation that it belongs to; what lies
//! behind the return is the cold part of that instruction.
//!
//! ```text
//! ;; v7 = load.i v3 +12 shared
//! 0024  movl 0xc(%rsi),%eax
//! ```
use super::sites::Site;
use crate::ir::Func;
use crate::ir::print::Line;
use concord_contract::compiled::{CallKind, CallRecord, Reloc, RelocTarget};
use iced_x86::{Decoder, DecoderOptions, Formatter, GasFormatter, Instruction};
use std::fmt::Write;

/// What is listed.
pub struct Listed<'a> {
    pub func: &'a Func,
    pub bytes: &'a [u8],
    /// Start, end and site of pieces, ascending.
    pub pieces: &'a [(u32, u32, u32)],
    pub sites: &'a [Site],
    /// Which instruction each site belongs to: its block and number there.
    pub at: &'a [(crate::ir::Block, usize)],
    pub relocs: &'a [Reloc],
    pub calls: &'a [CallRecord],
}

impl Listed<'_> {
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut formatter = GasFormatter::new();
        formatter.options_mut().set_space_after_operand_separator(false);
        let (mut i, mut last) = (Instruction::default(), None);
        let mut decoder = Decoder::with_ip(64, self.bytes, 0, DecoderOptions::NONE);
        while decoder.can_decode() {
            decoder.decode_out(&mut i);
            let at = i.ip() as u32;
            let site = self.site(at);
            let here = site.and_then(|s| self.at.get(s)).copied();
            if here.is_some() && here != last {
                text.push_str(&self.heading(here));
                last = here;
            }
            write!(text, "{at:04x}  ").expect("text");
            formatter.format(&i, &mut text);
            text.push_str(&self.remarks(at, i.next_ip() as u32, site));
            text.push('\n');
        }
        text
    }
    fn site(&self, at: u32) -> Option<usize> {
        let piece = self.pieces.partition_point(|p| p.1 <= at);
        self.pieces.get(piece).filter(|p| p.0 <= at).map(|p| p.2 as usize)
    }
    fn heading(&self, at: Option<(crate::ir::Block, usize)>) -> String {
        let Some((b, n)) = at else { return String::new() };
        let data = self.func.block(b);
        match data.insts.get(n) {
            Some(i) => format!(";; {b}: {}\n", Line(self.func, i)),
            None => format!(";; {b}: {}\n", data.end),
        }
    }
    /// What the bytes do not say: what is called, which call of Java it is, what happens to memory.
    fn remarks(&self, at: u32, next: u32, site: Option<usize>) -> String {
        let mut all: Vec<String> = Vec::new();
        for r in self.relocs.iter().filter(|r| (at..next).contains(&r.offset)) {
            match r.target {
                RelocTarget::Row(row) => all.push(row.info().name.into()),
                RelocTarget::Code(_) => all.push("a constant".into()),
            }
        }
        if let Some(c) = self.calls.iter().find(|c| c.return_offset == next) {
            let kind = if c.kind == CallKind::Live { "" } else { ", leaves" };
            for (m, bci) in &c.sites {
                all.push(format!("{m:?} @ {bci}{kind}"));
            }
        }
        match site.and_then(|s| self.sites.get(s)) {
            Some(Site::Store { owes: true, .. }) => all.push("store, a fence follows unless LOCAL".into()),
            Some(Site::IfLocal(_)) => all.push("LOCAL?".into()),
            _ => {}
        }
        if all.is_empty() { String::new() } else { format!("    ; {}", all.join("; ")) }
    }
}
