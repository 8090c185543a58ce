//! Answers questions from a recording.
//!
//! Invariant: as that of [`World`]: each is answered as it was, in the same order if it was asked more than once.
use super::text::{NONE, Words, path};
use super::world::World;
use concord_contract::BasicType;
use concord_contract::class::{Birth, ClassRef};
use concord_contract::compile_env::{CallAnswer, CompilationEnv, ConstantAnswer, VmLayout};
use concord_contract::compiled::Dependency;
use concord_contract::constant_objects::{KnownObject, ObjectPath};
use concord_contract::entries::ResolvedField;
use concord_contract::method::{CallKind, MethodRef};
use concord_contract::profile::{Counter, Counters, MethodProfile, Rows, Site, Types};

const CALLS: [CallKind; 5] =
    [CallKind::Static, CallKind::Special, CallKind::Virtual, CallKind::Interface, CallKind::Handle];

impl World {
    /// The answer to a question, read by `f`.
    fn ask<T>(&self, question: String, f: impl FnOnce(&mut Words) -> Result<T, String>) -> Option<T> {
        let mut all = self.answers.borrow_mut();
        let Some(answers) = all.get_mut(&question) else {
            self.unanswered.borrow_mut().push(question);
            return None;
        };
        // A question that is asked once more than it was has its last answer.
        let last = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        let answer = last.filter(|a| a != NONE)?;
        match f(&mut Words::of(&answer)) {
            Ok(x) => Some(x),
            Err(e) => {
                self.unanswered.borrow_mut().push(format!("{question}: {e}"));
                None
            }
        }
    }
    fn number_of(&self, c: ClassRef) -> String {
        self.class_numbers.get(c).map_or("c?".into(), |n| format!("c{}", n.0))
    }
    fn method_number(&self, m: MethodRef) -> String {
        self.method_numbers.get(m).map_or("m?".into(), |n| format!("m{}", n.0))
    }
    fn call_text(&self, call: &CallAnswer) -> String {
        let class = |c: Option<ClassRef>| c.map_or(NONE.into(), |c| self.number_of(c));
        format!(
            "{} {:?} {} {} {} {} {}",
            self.method_number(call.method),
            call.kind,
            call.index,
            class(call.interface),
            class(call.named),
            class(call.requested),
            super::text::maybe(call.appendix),
        )
    }
    fn call_answer(&self, w: &mut Words) -> Result<CallAnswer, String> {
        let (method, kind, index) = (self.method_at(w)?, w.choice(&CALLS)?, w.number()?);
        let (interface, named, requested) = (self.class_or_none(w)?, self.class_or_none(w)?, self.class_or_none(w)?);
        let appendix = match w.word()? {
            NONE => None,
            n => Some(w.number_in(n)?),
        };
        Ok(CallAnswer { method, kind, index, interface, named, requested, appendix })
    }
    fn dependency(&self, w: &mut Words) -> Result<Dependency, String> {
        Ok(match w.word()? {
            "NoSubclass" => Dependency::NoSubclass(self.class_at(w)?),
            "UniqueTarget" => Dependency::UniqueTarget(self.class_at(w)?, self.method_at(w)?),
            "UniqueConcrete" => Dependency::UniqueConcrete(self.class_at(w)?, self.class_at(w)?),
            "Target" => Dependency::Target(w.number()?),
            "BornLocal" => Dependency::BornLocal(self.class_at(w)?),
            _ => return w.wrong("an unknown dependency"),
        })
    }
    fn site(&self, w: &Words, text: &str) -> Result<(u16, Site), String> {
        let parts: Vec<&str> = text.split(':').collect();
        let number = |n: &&str| w.number_in::<u64>(n);
        let (site, bci) = match parts[..] {
            [bci, "branch", t, n] => (Site::Branch { taken: number(&t)?, not_taken: number(&n)? }, bci),
            [bci, "call", n] => (Site::Call(number(&n)?), bci),
            [bci, "types", rest, nulls, ref rows @ ..] => {
                let row = |r: &[&str]| Ok((self.class_named(w, r[0])?, number(&r[1])?));
                let rows: Result<Vec<_>, String> = rows.chunks_exact(2).map(row).collect();
                (Site::Types(Types { rows: rows?, rest: number(&rest)?, nulls: number(&nulls)? }), bci)
            }
            _ => return w.wrong("an unknown site"),
        };
        Ok((w.number_in(bci)?, site))
    }
}

fn counter(w: &Words, text: &str) -> Result<(u16, Counter), String> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |n: &&str| w.number_in::<u32>(n);
    let (counter, bci) = match parts[..] {
        [bci, "branch", t, n] => (Counter::Branch { taken: number(&t)?, not_taken: number(&n)? }, bci),
        [bci, "call", at] => (Counter::Call(number(&at)?), bci),
        [bci, "types", own, more] => (Counter::Types(Rows { own: number(&own)?, more: number(&more)? }), bci),
        _ => return w.wrong("an unknown counter"),
    };
    Ok((w.number_in(bci)?, counter))
}

impl CompilationEnv for World {
    fn field(&self, m: MethodRef, cp: u16, opcode: u8) -> Option<ResolvedField> {
        self.ask(format!("field {} {cp} {opcode}", self.method_number(m)), |w| {
            Ok(ResolvedField {
                class: self.class_at(w)?,
                offset: w.number()?,
                ty: w.choice(&BasicType::ALL)?,
                is_bytes: w.flag()?,
                is_static: w.flag()?,
                is_volatile: w.flag()?,
                is_final: w.flag()?,
                is_constant: w.flag()?,
                is_stable: w.flag()?,
                is_target: w.flag()?,
                relaxed: w.flag()?,
            })
        })
    }
    fn call(&self, m: MethodRef, bci: u16, cp: u16, opcode: u8) -> Option<CallAnswer> {
        self.ask(format!("call {} {bci} {cp} {opcode}", self.method_number(m)), |w| self.call_answer(w))
    }
    fn class(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        self.ask(format!("at {} {cp}", self.method_number(m)), |w| self.class_at(w))
    }
    fn array_of(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        self.ask(format!("array {} {cp}", self.method_number(m)), |w| self.class_at(w))
    }
    fn primitive_array(&self, ty: BasicType) -> Option<ClassRef> {
        self.ask(format!("primitive {ty:?}"), |w| self.class_at(w))
    }
    fn array_class(&self, of: ClassRef) -> Option<ClassRef> {
        self.ask(format!("arrays-of {}", self.number_of(of)), |w| self.class_at(w))
    }
    fn constant(&self, m: MethodRef, cp: u16) -> Option<ConstantAnswer> {
        self.ask(format!("constant {} {cp}", self.method_number(m)), |w| {
            Ok(match w.word()? {
                "null" => ConstantAnswer::Null,
                "root" => ConstantAnswer::Root(w.number()?),
                t => ConstantAnswer::Prim(w.choice_in(t, &BasicType::ALL)?, w.number()?),
            })
        })
    }
    fn static_value(&self, f: &ResolvedField) -> Option<u64> {
        self.ask(format!("value {} {}", self.number_of(f.class), f.offset), |w| w.number())
    }
    fn object(&self, at: &ObjectPath) -> Option<KnownObject> {
        self.ask(format!("object {}", path(at)), |w| {
            let (class, length, mirrors) = (self.class_at(w)?, w.number()?, self.class_or_none(w)?);
            let runs = match w.word()? {
                NONE => None,
                word => Some(self.method_named(w, word)?),
            };
            let selected_by = match w.word()? {
                NONE => None,
                n => Some(w.number_in(n)?),
            };
            Ok(KnownObject { class, length, mirrors, runs, selected_by })
        })
    }
    fn word(&self, at: &ObjectPath, offset: u32, ty: BasicType) -> Option<u64> {
        self.ask(format!("word {} {offset} {ty:?}", path(at)), |w| w.number())
    }
    fn same_object(&self, a: &ObjectPath, b: &ObjectPath) -> Option<bool> {
        self.ask(format!("same {} {}", path(a), path(b)), |w| w.flag())
    }
    fn is_instance(&self, at: &ObjectPath, class: ClassRef) -> Option<bool> {
        self.ask(format!("instance {} {}", path(at), self.number_of(class)), |w| w.flag())
    }
    fn call_site(&self, at: &ObjectPath) -> Option<u32> {
        self.ask(format!("call-site {}", path(at)), |w| w.number())
    }
    fn can_instantiate(&self, m: MethodRef, class: ClassRef) -> bool {
        let question = format!("new {} {}", self.method_number(m), self.number_of(class));
        self.ask(question, |w| w.flag()).unwrap_or(false)
    }
    fn birth(&self, class: ClassRef) -> Birth {
        let question = format!("birth {}", self.number_of(class));
        self.ask(question, |w| w.choice(&[Birth::Local, Birth::Shared])).unwrap_or(Birth::Shared)
    }
    fn unique_target(&self, call: &CallAnswer) -> Option<(MethodRef, Dependency)> {
        self.ask(format!("target {}", self.call_text(call)), |w| Ok((self.method_at(w)?, self.dependency(w)?)))
    }
    fn target_in(&self, call: &CallAnswer, class: ClassRef) -> Option<MethodRef> {
        let question = format!("target-in {} {}", self.number_of(class), self.call_text(call));
        self.ask(question, |w| self.method_at(w))
    }
    fn layout(&self) -> VmLayout {
        let all = |w: &mut Words| {
            Ok(VmLayout {
                class_table: w.number()?,
                unlog_table: w.number()?,
                max_bump: w.number()?,
                bump_at: w.number()?,
                fenced_monitors: w.flag()?,
                quiet_exits: w.number()?,
                guards_left: w.number()?,
                counting: w.flag()?,
                places: w.flag()?,
            })
        };
        self.ask("layout".into(), all).unwrap_or_default()
    }
    fn profile(&self, m: MethodRef) -> Option<MethodProfile> {
        self.ask(format!("profile {}", self.method_number(m)), |w| {
            let sites: Result<Vec<_>, String> = w.list()?.filter(|s| *s != "empty").map(|s| self.site(w, s)).collect();
            Ok(MethodProfile::new(sites?))
        })
    }
    fn counters(&self, m: MethodRef) -> Option<Counters> {
        self.ask(format!("counters {}", self.method_number(m)), |w| {
            let (entries, jumps_back) = (w.number()?, w.number()?);
            let sites: Result<Vec<_>, String> = w.list()?.map(|s| counter(w, s)).collect();
            Ok(Counters { entries, jumps_back, sites: sites? })
        })
    }
    fn class_address(&self, c: ClassRef) -> usize {
        self.class_numbers.get(c).map_or(0, |n| n.1)
    }
    fn method_address(&self, m: MethodRef) -> usize {
        self.method_numbers.get(m).map_or(0, |n| n.1)
    }
    fn statics_address(&self, c: ClassRef) -> usize {
        self.class_numbers.get(c).map_or(0, |n| n.2)
    }
}
