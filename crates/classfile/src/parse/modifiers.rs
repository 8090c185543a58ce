//! Owns which combinations of access flags are legal (JVMS 4.1, 4.5, 4.6, and their older
//! versions, which older class files still follow).

use super::Parser;
use crate::error::{ErrorKind, Res, format_error};
use crate::model::access::*;
use crate::mutf8;

fn visibility_clash(flags: u16) -> bool {
    (flags & (PUBLIC | PROTECTED | PRIVATE)).count_ones() > 1
}

impl Parser<'_, '_> {
    pub(super) fn check_class_modifiers(&self, flags: u16, is_module: bool) -> Res<()> {
        if is_module {
            return self.fail_kind(
                ErrorKind::NoClassDef,
                format!("{} is not a class because access_flag ACC_MODULE is set", self.class_name()),
            );
        }
        if !self.verify {
            return Ok(());
        }
        let has = |f: u16| flags & f != 0;
        let since_5 = self.major >= 49;
        let illegal = has(ABSTRACT) && has(FINAL)
            || has(INTERFACE) && !has(ABSTRACT)
            || has(INTERFACE) && since_5 && (has(SUPER) || has(ENUM))
            || !has(INTERFACE) && since_5 && has(ANNOTATION);
        if illegal {
            return format_error(format!("Illegal class modifiers in class {}: 0x{flags:X}", self.class_name()));
        }
        Ok(())
    }

    pub(super) fn check_field_modifiers(&self, flags: u16, of_interface: bool) -> Res<()> {
        if !self.verify {
            return Ok(());
        }
        let has = |f: u16| flags & f != 0;
        let legal = if of_interface {
            flags & (PUBLIC | STATIC | FINAL) == PUBLIC | STATIC | FINAL
                && !has(PRIVATE | PROTECTED | VOLATILE | TRANSIENT)
                && (self.major < 49 || !has(ENUM))
        } else {
            !(visibility_clash(flags) || has(FINAL) && has(VOLATILE))
        };
        if !legal {
            return format_error(format!("Illegal field modifiers in class {}: 0x{flags:X}", self.class_name()));
        }
        Ok(())
    }

    pub(super) fn check_method_modifiers(&self, flags: u16, of_interface: bool, name: &[u8]) -> Res<()> {
        if !self.verify {
            return Ok(());
        }
        let has = |f: u16| flags & f != 0;
        let (since_5, since_8, since_17) = (self.major >= 49, self.major >= 52, self.major >= 61);
        let illegal = if of_interface {
            if since_8 {
                has(PUBLIC) == has(PRIVATE)
                    || has(NATIVE | PROTECTED | FINAL | SYNCHRONIZED)
                    || has(ABSTRACT) && (has(PRIVATE | STATIC) || !since_17 && has(STRICT))
            } else if since_5 {
                !has(PUBLIC)
                    || !has(ABSTRACT)
                    || has(PRIVATE | PROTECTED | STATIC | FINAL | SYNCHRONIZED | NATIVE | STRICT)
            } else {
                !has(PUBLIC) || !has(ABSTRACT) || has(STATIC | FINAL | NATIVE)
            }
        } else if visibility_clash(flags) {
            true
        } else if name == b"<init>" {
            has(STATIC | FINAL | SYNCHRONIZED | NATIVE | ABSTRACT) || since_5 && has(BRIDGE)
        } else {
            has(ABSTRACT)
                && (has(FINAL | NATIVE | PRIVATE | STATIC)
                    || since_5 && (has(SYNCHRONIZED) || !since_17 && has(STRICT)))
        };
        if illegal {
            return format_error(format!(
                "Method {} in class {} has illegal modifiers: 0x{flags:X}",
                mutf8::to_string(name),
                self.class_name()
            ));
        }
        Ok(())
    }
}
