//! Class-file bytecode to words.
//!
//! Invariant: the words of a method are equivalent to its bytecode from the moment they are
//! published; nothing is resolved here. Decided here, so that handlers need not test: relaxed or
//! sequentially consistent array stores, returns that unlock, narrow or register, numeric
//! constants, tracing, counting.
//!
//! Opcodes that differ only in the Java type share a row: float loads and stores are those of
//! ints, `sastore` is `castore`, `bipush` is `sipush`. The bytecode stays as it was in
//! `Method::bytecode`.
use crate::code::{Catch, Code, TRACED, word};
use crate::counting;
use crate::locks::SYNCHRONIZED;
use crate::raw::{i32_at, instructions, size, switch_operands, u16_at};
use crate::supers::{Fuser, SUPERS};
use concord_contract::entries;
use concord_contract::method::{Method, MethodRef, mflags};
use concord_contract::{BasicType, Thread};
use concord_memory_model::policy;
use std::cell::RefCell;
use std::sync::atomic::Ordering;

/// What a translation depends on besides the method.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Sequentially consistent array stores.
    pub sc: bool,
    /// There are LOCAL objects: relaxed stores publish.
    pub vbd: bool,
    pub traced: bool,
    /// Stores are counted: they go through the overlay that traced instructions use.
    pub counted: bool,
    pub supers: bool,
}

/// Who answers what a constant is; the runtime, or a test.
pub type Constants<'a> = &'a dyn Fn(u16) -> Option<(BasicType, u64)>;

/// Buffers that a thread keeps from one translation to the next: most methods are so small that
/// allocating would cost more than translating.
#[derive(Default)]
struct Scratch {
    out: Vec<u32>,
    /// Word index by bci, `INSIDE` inside instructions. A method has at most 65535 bytes, and no
    /// more words.
    map: Vec<u16>,
    /// (word to patch, word that the displacement counts from, target bci, 16-bit operand).
    jumps: Vec<(u32, u32, u32, bool)>,
    returns: Vec<u32>,
}
const INSIDE: u16 = u16::MAX;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

struct Translator<'a> {
    m: &'a Method,
    style: Style,
    s: &'a mut Scratch,
    monitors: bool,
}

impl Translator<'_> {
    #[inline(always)]
    fn put(&mut self, op: u16, operand: u16) {
        self.s.out.push(word(op, operand));
    }
    fn jump(&mut self, op: u16, target: i64) {
        let at = self.s.out.len() as u32;
        self.s.jumps.push((at, at, target as u32, true));
        self.put(op, 0);
    }
    /// A displacement in a word of its own, counted from `from`.
    fn far(&mut self, from: usize, target: i64) {
        self.s.jumps.push((self.s.out.len() as u32, from as u32, target as u32, false));
        self.s.out.push(0);
    }
    fn constant(&mut self, cp: u16, wide: bool, constants: Constants) {
        match (constants(cp), wide) {
            (Some((_, bits)), false) => {
                self.put(204, 0);
                self.s.out.push(bits as u32);
            }
            (None, false) => {
                self.put(18, cp);
                self.s.out.push(0);
            }
            (Some((ty, bits)), true) => {
                self.put(if ty == BasicType::Double { 206 } else { 205 }, 0);
                self.s.out.push(bits as u32);
                self.s.out.push((bits >> 32) as u32);
            }
            (None, true) => {
                self.put(20, cp);
                self.s.out.extend([0, 0]);
            }
        }
    }
    fn array_store(&self, op: u8) -> u16 {
        let (plain, sc) = match op {
            79 | 81 => (79, 270),
            80 => (80, 271),
            82 => (82, 272),
            83 => (if self.style.vbd { 276 } else { 83 }, 273),
            84 => (84, 274),
            _ => (85, 275),
        };
        if self.style.sc { sc } else { plain }
    }
    fn instruction(&mut self, bci: usize, constants: Constants) {
        let c = self.m.bytecode;
        let op = c[bci];
        if concord_base::coverage::on() {
            concord_base::coverage::opcode(op);
        }
        let wide_op = op as u16;
        match op {
            // The operand serves superinstructions.
            2..=8 => self.put(wide_op, (op as i16 - 3) as u16),
            16 => self.put(17, c[bci + 1] as i8 as i16 as u16),
            17 => self.put(17, u16_at(c, bci + 1)),
            18 => self.constant(c[bci + 1] as u16, false, constants),
            19 => self.constant(u16_at(c, bci + 1), false, constants),
            20 => self.constant(u16_at(c, bci + 1), true, constants),
            21..=25 | 54..=58 | 169 => self.put(local(op), c[bci + 1] as u16),
            26..=45 => {
                let n = (op - 26) % 4;
                self.put(if (34..=37).contains(&op) { wide_op - 8 } else { wide_op }, n as u16)
            }
            59..=78 => {
                let n = (op - 59) % 4;
                self.put(if (67..=70).contains(&op) { wide_op - 8 } else { wide_op }, n as u16)
            }
            48 => self.put(46, 0),
            79..=86 => {
                let s = self.array_store(op);
                self.put(s, 0)
            }
            132 => self.put(132, c[bci + 1] as u16 | (c[bci + 2] as u16) << 8),
            153..=168 | 198 | 199 => self.jump(wide_op, bci as i64 + u16_at(c, bci + 1) as i16 as i64),
            170 => self.table_switch(bci),
            171 => self.lookup_switch(bci),
            172..=177 => {
                self.s.returns.push(self.s.out.len() as u32);
                let r = self.plain_return(op);
                self.put(r, 0)
            }
            178..=185 | 187 | 189 | 192 | 193 => self.put(wide_op, u16_at(c, bci + 1)),
            186 => match self.m.indy_site(bci as u16) {
                Some(site) => self.put(186, site),
                None => concord_base::bug!("{:?} has no call site for invokedynamic at {bci}", self.m),
            },
            188 => self.put(188, c[bci + 1] as u16),
            194 => {
                self.monitors = true;
                self.put(194, 0)
            }
            196 if c[bci + 1] == 132 => {
                self.put(203, u16_at(c, bci + 2));
                self.s.out.push(u16_at(c, bci + 4) as i16 as i32 as u32);
            }
            196 => self.put(local(c[bci + 1]), u16_at(c, bci + 2)),
            197 => {
                self.put(197, u16_at(c, bci + 1));
                self.s.out.push(c[bci + 3] as u32);
            }
            200 | 201 => {
                let from = self.s.out.len();
                self.put(wide_op, 0);
                self.far(from, bci as i64 + i32_at(c, bci + 1) as i64);
            }
            _ => self.put(wide_op, 0),
        }
    }
    fn plain_return(&self, op: u8) -> u16 {
        match (op, self.m.ret) {
            (172, BasicType::Boolean) => 300,
            (172, BasicType::Byte) => 301,
            (172, BasicType::Char) => 302,
            (172, BasicType::Short) => 303,
            (174, _) => 172,
            (177, _) if self.m.has(mflags::OBJECT_INIT) => 305,
            _ => op as u16,
        }
    }
    fn table_switch(&mut self, bci: usize) {
        let (c, a, from) = (self.m.bytecode, switch_operands(bci), self.s.out.len());
        let (low, high) = (i32_at(c, a + 4), i32_at(c, a + 8));
        self.put(170, 0);
        self.far(from, bci as i64 + i32_at(c, a) as i64);
        self.s.out.extend([low as u32, high as u32]);
        for i in 0..(high as i64 - low as i64 + 1) as usize {
            self.far(from, bci as i64 + i32_at(c, a + 12 + 4 * i) as i64);
        }
    }
    fn lookup_switch(&mut self, bci: usize) {
        let (c, a, from) = (self.m.bytecode, switch_operands(bci), self.s.out.len());
        let n = i32_at(c, a + 4) as usize;
        self.put(171, 0);
        self.far(from, bci as i64 + i32_at(c, a) as i64);
        self.s.out.push(n as u32);
        for i in 0..n {
            self.s.out.push(i32_at(c, a + 8 + 8 * i) as u32);
            self.far(from, bci as i64 + i32_at(c, a + 12 + 8 * i) as i64);
        }
    }
    fn finish(self) -> Code {
        let m = self.m;
        let Scratch { out, map, jumps, returns } = self.s;
        let (n, end) = (m.bytecode.len() as u32, out.len() as u32);
        let target = |map: &[u16], bci: u32| match map.get(bci as usize) {
            Some(&w) if w != INSIDE => w as u32,
            // The end of a protected range.
            _ if bci == n => end,
            _ => concord_base::bug!("{m:?} jumps to {bci}, which is no instruction"),
        };
        for (at, from, bci, short) in jumps.drain(..) {
            let d = target(map, bci) as i64 - from as i64;
            let w = &mut out[at as usize];
            if short {
                *w |= (d as i16 as u16 as u32) << 16;
            } else {
                *w = d as i32 as u32;
            }
        }
        if self.monitors || m.is_synchronized() {
            let own = if m.is_synchronized() { SYNCHRONIZED } else { 0 };
            for r in returns.drain(..) {
                out[r as usize] = word(304, out[r as usize] as u16 | own);
                unfuse_return(m, out, r as usize);
            }
        }
        let catches = m
            .exceptions
            .iter()
            .map(|e| Catch {
                start: target(map, e.start as u32),
                end: target(map, e.end as u32),
                handler: target(map, e.handler as u32),
                class: e.catch_type,
            })
            .collect();
        if self.style.traced || self.style.counted {
            for (b, w) in instructions(m.bytecode) {
                if self.style.traced || counting::is_store(m.bytecode[b]) {
                    out[w] |= TRACED as u32;
                }
            }
        }
        Code::new(m.class.cp_cache.load(Ordering::Acquire), out, catches)
    }
}

/// Undoes a superinstruction in front of the return at `at` that has taken the plain return in.
fn unfuse_return(m: &Method, out: &mut [u32], at: usize) {
    let Some(head) = at.checked_sub(1) else { return };
    let fused = SUPERS.iter().find(|s| s.0 == out[head] as u16);
    if let Some((_, parts)) = fused.filter(|s| matches!(s.1.last(), Some(172..=177)))
        // It may be a constant that looks like one.
        && instructions(m.bytecode).any(|(_, w)| w == head)
    {
        out[head] = out[head] & 0xffff_0000 | parts[0] as u32;
    }
}

/// The row that serves a load, store or `ret` with an index operand.
fn local(op: u8) -> u16 {
    match op {
        23 => 21,
        56 => 54,
        _ => op as u16,
    }
}

/// Words for `m`.
pub fn translate_with(m: &Method, style: Style, constants: Constants) -> Code {
    SCRATCH.with_borrow_mut(|s| {
        let n = m.bytecode.len();
        s.out.clear();
        s.jumps.clear();
        s.returns.clear();
        s.map.clear();
        s.map.resize(n + 1, INSIDE);
        let mut t = Translator { m, style, s, monitors: false };
        let mut fuser = Fuser::default();
        let fuse = style.supers && !style.traced && !style.counted;
        let mut bci = 0;
        while bci < n {
            let at = t.s.out.len();
            t.s.map[bci] = at as u16;
            t.instruction(bci, constants);
            if fuse {
                fuser.next(&mut t.s.out, at);
            }
            bci += size(m.bytecode, bci).0;
        }
        t.finish()
    })
}

/// Translates `m` and publishes the words; whoever is first wins.
pub fn translate(th: &Thread, m: MethodRef, supers: bool) -> &'static Code {
    if let Some(c) = Code::of(m) {
        return c;
    }
    let style = Style {
        sc: policy::vbd() && !m.has(mflags::RELAXED),
        vbd: policy::vbd(),
        traced: crate::tracing() || concord_contract::owner::on(),
        counted: policy::counting(),
        supers,
    };
    let code = translate_with(m, style, &|cp| entries::numeric_constant(th, m, cp)).publish(m);
    crate::flush::register(m);
    crate::debug::apply(m, code);
    crate::profile::translated(m, code);
    code
}
