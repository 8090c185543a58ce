//! From text back to a function.
//!
//! Invariant: what [`super::print`] writes of a function is read as a function of which it writes the
//! same. Nothing is checked beyond the form: [`super::verify`] judges.
//!
//! Classes and methods are found by their names through [`Names`]; blocks that the text does not
//! have are empty, and values that it does not define are ints, or virtual objects.
mod lex;
mod ops;
mod states;

use super::{Block, FrameState, Func, Inst, Op, StateId, Target, Terminator, Ty, Value};
use concord_contract::class::ClassRef;
use concord_contract::method::MethodRef;
use concord_contract::rows::Row;
use lex::Token;
use std::collections::HashMap;
use std::fmt::Debug;

/// Whom the names in a text mean.
pub trait Names {
    fn class(&mut self, name: &str) -> Option<ClassRef>;
    /// By class, name and descriptor: `p/C.m(I)I`.
    fn method(&mut self, name: &str) -> Option<MethodRef>;
}

/// The function that the text shows.
///
/// # Errors
/// The number of a line and what is wrong in it.
pub fn function(text: &str, names: &mut dyn Names) -> Result<Func, String> {
    let mut func: Option<(Func, Option<Block>)> = None;
    for (n, line) in text.lines().enumerate() {
        let at = |e: String| format!("line {}: {e}: {}", n + 1, line.trim());
        let mut line = Line { tokens: lex::tokens(line).map_err(at)?.into(), names };
        if line.tokens.is_empty() {
            continue;
        }
        match &mut func {
            None => func = Some((line.header().map_err(at)?, None)),
            Some((f, block)) => line.body(f, block).map_err(at)?,
        }
        line.end().map_err(at)?;
    }
    let (mut f, _) = func.ok_or("no function")?;
    complete(&mut f)?;
    Ok(f)
}

/// Whether the function is read back from its text as it is.
///
/// # Errors
/// The first difference.
pub fn comes_back(func: &Func) -> Result<(), String> {
    let text = func.to_string();
    let again = function(&text, &mut Own::of(func))?.to_string();
    let differ = text.lines().zip(again.lines()).find(|(a, b)| a != b);
    match differ {
        None if text.len() == again.len() => Ok(()),
        None => Err("a function of another length is read from the text".into()),
        Some((a, b)) => Err(format!("{a} is read as {b}")),
    }
}

/// The classes and methods that a function names.
#[derive(Default)]
struct Own {
    classes: HashMap<String, ClassRef>,
    methods: HashMap<String, MethodRef>,
}

impl Own {
    fn of(func: &Func) -> Own {
        let mut own = Own::default();
        let ops = func.blocks.iter().flat_map(|b| &b.insts).map(|i| &i.op);
        for op in ops {
            match op {
                Op::LoadStatic(c, ..)
                | Op::StoreStatic(c, ..)
                | Op::New(c, ..)
                | Op::NewArray(c, ..)
                | Op::MultiNewArray(c, ..)
                | Op::InstanceOf(c, _)
                | Op::CanCast(c, _)
                | Op::IsA(c, _)
                | Op::IsExactly(c, _)
                | Op::SelectInterface(c, ..) => {
                    own.classes.insert(c.name.as_str().to_string(), c);
                }
                Op::Call(t, ..) => own.add(t.method),
                _ => {}
            }
        }
        func.states.iter().for_each(|s| own.add(s.method));
        for o in func.states.iter().flat_map(|s| &s.objects) {
            own.classes.insert(o.class.name.as_str().to_string(), o.class);
        }
        own.add(func.method);
        own
    }
    fn add(&mut self, m: MethodRef) {
        self.methods.insert(format!("{m:?}"), m);
    }
}

impl Names for Own {
    fn class(&mut self, name: &str) -> Option<ClassRef> {
        self.classes.get(name).copied()
    }
    fn method(&mut self, name: &str) -> Option<MethodRef> {
        self.methods.get(name).copied()
    }
}

/// Gives every value that is used a type.
///
/// # Errors
/// For a block or a state that is named and not there.
fn complete(f: &mut Func) -> Parsed<()> {
    let mut used = Vec::new();
    let mut states: Vec<StateId> = f.states.iter().filter_map(|s| s.parent).collect();
    for data in &f.blocks {
        for i in &data.insts {
            used.extend(i.op.uses());
            states.extend(i.op.state());
        }
        data.end.for_each_use(|v| used.push(v));
        states.extend(data.end.state());
        if let Some(b) = data.end.successors().into_iter().find(|b| b.index() >= f.blocks.len()) {
            return Err(format!("a jump to {b}, which is not there"));
        }
    }
    if let Some(s) = states.into_iter().find(|s| s.index() >= f.states.len()) {
        return Err(format!("{s} is not there"));
    }
    used.extend(f.states.iter().flat_map(|s| s.own_values().chain(s.objects.iter().map(|o| o.name))));
    let most = used.into_iter().map(|v| v.index() + 1).max().unwrap_or(0);
    f.types.resize(most.max(f.types.len()), Ty::Int);
    for o in f.states.iter().flat_map(|s| &s.objects) {
        f.types[o.name.index()] = Ty::Ref;
    }
    Ok(())
}

type Parsed<T> = Result<T, String>;

/// What is left of a line.
struct Line<'a, 'n> {
    tokens: std::collections::VecDeque<Token<'a>>,
    names: &'n mut dyn Names,
}

/// Which of `all` has this name, in lower case or as it is.
fn by_name<T: Copy + Debug>(all: &[T], name: &str) -> Option<T> {
    all.iter().copied().find(|t| format!("{t:?}").to_lowercase() == name || format!("{t:?}") == name)
}

impl<'a> Line<'a, '_> {
    fn next(&mut self) -> Parsed<Token<'a>> {
        self.tokens.pop_front().ok_or_else(|| "the line ends too early".into())
    }
    fn end(&self) -> Parsed<()> {
        self.tokens.front().map_or(Ok(()), |t| Err(format!("{t:?} is left over")))
    }
    fn has(&mut self, t: &Token<'_>) -> bool {
        let has = self.tokens.front() == Some(t);
        if has {
            self.tokens.pop_front();
        }
        has
    }
    fn has_mark(&mut self, c: char) -> bool {
        self.has(&Token::Mark(c))
    }
    fn has_word(&mut self, w: &str) -> bool {
        self.has(&Token::Word(w))
    }
    fn mark(&mut self, c: char) -> Parsed<()> {
        if self.has_mark(c) { Ok(()) } else { Err(format!("{c:?} is missing before {:?}", self.tokens.front())) }
    }
    fn word(&mut self) -> Parsed<&'a str> {
        match self.next()? {
            Token::Word(w) => Ok(w),
            t => Err(format!("{t:?} stands where a word should")),
        }
    }
    /// A number with sign, in the range of `T`.
    fn number<T: TryFrom<i128>>(&mut self) -> Parsed<T> {
        let minus = self.has_mark('-');
        match self.next()? {
            Token::Number(n) => {
                let n = if minus { -i128::from(n) } else { i128::from(n) };
                T::try_from(n).map_err(|_| format!("{n} is out of range"))
            }
            t => Err(format!("{t:?} stands where a number should")),
        }
    }
    fn text(&mut self) -> Parsed<String> {
        match self.next()? {
            Token::Text(t) => Ok(t),
            t => Err(format!("{t:?} stands where a name in quotes should")),
        }
    }
    fn class(&mut self) -> Parsed<ClassRef> {
        let name = self.text()?;
        self.names.class(&name).ok_or_else(|| format!("no class {name}"))
    }
    fn method(&mut self) -> Parsed<MethodRef> {
        let name = self.text()?;
        self.names.method(&name).ok_or_else(|| format!("no method {name}"))
    }
    fn row(&mut self) -> Parsed<Row> {
        let name = self.word()?;
        Row::by_name(name).ok_or_else(|| format!("no row {name}"))
    }
    fn is_index(&self, letter: char) -> bool {
        matches!(self.tokens.front(), Some(Token::Word(w)) if w.strip_prefix(letter).is_some_and(|n| n.parse::<u32>().is_ok()))
    }
    fn index(&mut self, letter: char) -> Parsed<u32> {
        let w = self.word()?;
        let n = w.strip_prefix(letter).and_then(|n| n.parse().ok());
        n.ok_or_else(|| format!("{w} stands where {letter} with a number should"))
    }
    fn value(&mut self) -> Parsed<Value> {
        Ok(Value(self.index('v')?))
    }
    fn state(&mut self) -> Parsed<StateId> {
        Ok(StateId(self.index('s')?))
    }
    fn maybe_state(&mut self) -> Parsed<Option<StateId>> {
        if self.is_index('s') { self.state().map(Some) } else { Ok(None) }
    }
    fn ty(&mut self) -> Parsed<Ty> {
        let name = self.word()?;
        let all = [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Ref];
        all.into_iter().find(|t| t.name() == name).ok_or_else(|| format!("no type {name}"))
    }
    /// `v1, v2`, possibly none.
    fn values(&mut self) -> Parsed<Vec<Value>> {
        let mut v = Vec::new();
        while self.is_index('v') {
            v.push(self.value()?);
            if !self.has_mark(',') {
                break;
            }
        }
        Ok(v)
    }
    fn values_in(&mut self, open: char, close: char) -> Parsed<Vec<Value>> {
        self.mark(open)?;
        let v = self.values()?;
        self.mark(close)?;
        Ok(v)
    }
    fn target(&mut self) -> Parsed<Target> {
        Ok(Target { block: Block(self.index('b')?), args: self.values_in('(', ')')? })
    }

    fn header(&mut self) -> Parsed<Func> {
        if self.word()? != "function" {
            return Err("a function should begin here".into());
        }
        let method = self.method()?;
        let osr = if self.has_word("osr") { Some(self.number()?) } else { None };
        Ok(Func::new(method, osr))
    }

    /// A line behind the first: start of a block, a state, or an instruction of `block`.
    fn body(&mut self, f: &mut Func, block: &mut Option<Block>) -> Parsed<()> {
        let starts = |c: char| matches!(self.tokens.get(1), Some(Token::Mark(m)) if *m == c);
        if self.is_index('b') && starts('(') {
            let b = Block(self.index('b')?);
            self.block(f, b)?;
            *block = Some(b);
        } else if self.is_index('s') && starts('=') {
            let s = self.state()?;
            self.mark('=')?;
            let state = self.frame_state()?;
            let empty = || FrameState {
                locals: vec![],
                stack: vec![],
                monitors: vec![],
                parent: None,
                objects: vec![],
                ..state.clone()
            };
            let missing = (s.index() + 1).saturating_sub(f.states.len());
            f.states.extend(std::iter::repeat_with(empty).take(missing));
            f.states[s.index()] = state;
            *block = None;
        } else {
            let Some(b) = *block else { return Err("an instruction stands in no block".into()) };
            self.instruction(f, b)?;
        }
        Ok(())
    }
    fn block(&mut self, f: &mut Func, b: Block) -> Parsed<()> {
        let missing = (b.index() + 1).saturating_sub(f.blocks.len());
        (0..missing).for_each(|_| {
            f.new_block();
        });
        self.mark('(')?;
        while self.is_index('v') {
            let v = self.value()?;
            self.mark(':')?;
            let ty = self.ty()?;
            set_type(f, v, ty);
            f.blocks[b.index()].params.push(v);
            if !self.has_mark(',') {
                break;
            }
        }
        self.mark(')')?;
        self.mark(':')?;
        f.blocks[b.index()].cold = self.has_word("cold");
        Ok(())
    }
    fn instruction(&mut self, f: &mut Func, b: Block) -> Parsed<()> {
        if let Some(t) = self.terminator()? {
            f.blocks[b.index()].end = t;
            f.blocks[b.index()].end_owes_fence = self.owed()?;
            return Ok(());
        }
        let mut result = None;
        if self.is_index('v') {
            let v = self.value()?;
            self.mark(':')?;
            let ty = self.ty()?;
            self.mark('=')?;
            set_type(f, v, ty);
            result = Some(v);
        }
        let op = self.op()?;
        let owes_fence = self.owed()?;
        f.blocks[b.index()].insts.push(Inst { op, result, owes_fence });
        Ok(())
    }
    fn owed(&mut self) -> Parsed<bool> {
        if !self.has_mark('!') {
            return Ok(false);
        }
        if self.has_word("fence") { Ok(true) } else { Err("only !fence may stand here".into()) }
    }
    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let Some(Token::Word(w)) = self.tokens.front() else { return Ok(None) };
        let w = *w;
        if !matches!(w, "unset" | "jump" | "if" | "switch" | "return" | "deopt" | "throw") {
            return Ok(None);
        }
        self.tokens.pop_front();
        Ok(Some(match w {
            "jump" => Terminator::Jump(self.target()?),
            "if" => {
                let (v, yes) = (self.value()?, self.target()?);
                self.otherwise()?;
                Terminator::If(v, yes, self.target()?)
            }
            "switch" => {
                let v = self.value()?;
                let mut cases = Vec::new();
                while !self.has_word("else") {
                    let key = self.number()?;
                    self.mark('=')?;
                    self.mark('>')?;
                    cases.push((key, self.target()?));
                }
                Terminator::Switch(v, cases, self.target()?)
            }
            "return" => Terminator::Return(if self.is_index('v') { Some(self.value()?) } else { None }),
            "deopt" => Terminator::Deopt(self.state()?),
            "throw" => Terminator::Throw(self.row()?, self.values_in('(', ')')?, self.state()?),
            _ => Terminator::Unset,
        }))
    }
    fn otherwise(&mut self) -> Parsed<()> {
        if self.has_word("else") { Ok(()) } else { Err("else is missing".into()) }
    }
}

fn set_type(f: &mut Func, v: Value, ty: Ty) {
    let known = f.types.len().max(v.index() + 1);
    f.types.resize(known, Ty::Int);
    f.types[v.index()] = ty;
}
