//! Owns the recognition of the annotations that the VM heeds, in the raw body of a
//! RuntimeVisibleAnnotations or RuntimeInvisibleAnnotations attribute. A body that is malformed ends the search without an
//! error, as reflection is who reports it; everything seen before counts.

use crate::be::u2_at;
use crate::model::{Annotations, VmAnnotations};
use crate::pool::ConstantPool;

/// What carries the annotations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    Class,
    Field,
    Method,
}

/// Whose class it is: which annotations count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Heed {
    /// What any class may say.
    Any,
    /// That, and `@Contended`.
    Contended,
    All,
}

/// The annotation of `java/annotations`.
const RELAXED: &[u8] = b"dev/concord/annotations/Relaxed";
const CONTENDED: &[u8] = b"jdk/internal/vm/annotation/Contended";

fn known(site: Site, desc: &[u8], heed: Heed) -> Option<VmAnnotations> {
    use VmAnnotations as A;
    let name = desc.strip_prefix(b"L")?.strip_suffix(b";")?;
    if name == RELAXED {
        return Some(A::RELAXED);
    }
    if heed != Heed::All && (heed == Heed::Any || name != CONTENDED) {
        return None;
    }
    // All but two start with one of two packages: most annotations fail at the first compare.
    if let Some(simple) = name.strip_prefix(b"jdk/internal/") {
        return Some(match (site, simple) {
            (Site::Method, b"vm/annotation/ForceInline") => A::FORCE_INLINE,
            (Site::Method, b"vm/annotation/DontInline") => A::DONT_INLINE,
            (Site::Method, b"vm/annotation/Hidden") => A::HIDDEN,
            (Site::Method, b"vm/annotation/IntrinsicCandidate") => A::INTRINSIC_CANDIDATE,
            (Site::Method, b"vm/annotation/ReservedStackAccess") => A::RESERVED_STACK_ACCESS,
            (Site::Method, b"reflect/CallerSensitive") => A::CALLER_SENSITIVE,
            (Site::Method, b"misc/ScopedMemoryAccess$Scoped") => A::SCOPED,
            (Site::Field, b"vm/annotation/Stable") => A::STABLE,
            (Site::Field | Site::Class, b"vm/annotation/Contended") => A::CONTENDED,
            (Site::Class, b"ValueBased") => A::VALUE_BASED,
            _ => return None,
        });
    }
    match (site, name) {
        (Site::Method, b"java/lang/invoke/LambdaForm$Compiled") => Some(A::LAMBDA_FORM_COMPILED),
        (Site::Method, b"java/lang/invoke/MethodHandle$PolymorphicSignature") => Some(A::POLYMORPHIC_SIGNATURE),
        _ => None,
    }
}

struct Cursor<'b> {
    body: &'b [u8],
    pos: usize,
}

impl Cursor<'_> {
    fn skip(&mut self, n: usize) -> Option<usize> {
        let at = self.pos;
        if self.body.len() - at < n {
            return None;
        }
        self.pos += n;
        Some(at)
    }
    fn u2(&mut self) -> Option<u16> {
        self.skip(2).map(|at| u2_at(self.body, at))
    }
    /// Skips one element value. Nesting is bounded so that a hostile file cannot use up the stack.
    fn skip_value(&mut self, depth: usize) -> Option<()> {
        let tag = self.skip(1).map(|at| self.body[at])?;
        match tag {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => self.skip(2).map(drop),
            b'e' => self.skip(4).map(drop),
            b'[' => {
                let count = self.u2()?;
                (depth < 64).then_some(())?;
                (0..count).try_for_each(|_| self.skip_value(depth + 1))
            }
            b'@' => {
                (depth < 64).then_some(())?;
                self.skip(2)?;
                let pairs = self.u2()?;
                (0..pairs).try_for_each(|_| {
                    self.skip(2)?;
                    self.skip_value(depth + 1)
                })
            }
            _ => None,
        }
    }
}

/// Records in `into` what the VM heeds in `body`.
pub(super) fn recognise(into: &mut Annotations, site: Site, body: &[u8], pool: &ConstantPool, heed: Heed) {
    let mut c = Cursor { body, pos: 0 };
    // `None` here is the malformed rest of the body.
    let _end_of_wellformed_part: Option<()> = (|| {
        let count = c.u2()?;
        for _ in 0..count {
            let desc = c.u2()?;
            let found = pool.try_utf8(desc).and_then(|d| known(site, d, heed));
            let pairs = c.u2()?;
            let mut group = 0;
            for _ in 0..pairs {
                c.skip(2)?;
                let at = c.pos;
                c.skip_value(0)?;
                if body[at] == b's' {
                    group = u2_at(body, at + 1);
                }
            }
            if let Some(found) = found {
                into.vm.insert(found);
                let named = pool.try_utf8(group).is_some_and(|g| !g.is_empty());
                if found == VmAnnotations::CONTENDED && named {
                    into.contended_group = group;
                }
            }
        }
        Some(())
    })();
}
