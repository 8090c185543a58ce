//! Owns what the interpreter of this room must know about a method. The runtime fills a view
//! from its own data; nothing here leads back to a class file.

use crate::descriptor::{BasicType, field_kind};
use crate::model::{ClassFile, ExceptionEntry, MethodInfo};
use crate::pool::{Constant, ConstantPool};

/// What code needs of its class's constant pool. An answer of `None` makes the code bad.
pub trait CodePool {
    /// Descriptor of the field reference at `index`.
    fn field_descriptor(&self, index: u16) -> Option<&[u8]>;
    /// Descriptor of the method, interface method or invokedynamic entry at `index`.
    fn method_descriptor(&self, index: u16) -> Option<&[u8]>;
    /// Kind of the value that `ldc` and its variants load from `index`. Strings, classes, method
    /// types and method handles are `Object`; a dynamic constant is what its descriptor says.
    fn constant_kind(&self, index: u16) -> Option<BasicType>;
}

impl CodePool for ConstantPool<'_> {
    fn field_descriptor(&self, index: u16) -> Option<&[u8]> {
        match self.get(index)? {
            &Constant::Field { nat, .. } => Some(self.name_and_type(nat).desc),
            _ => None,
        }
    }
    fn method_descriptor(&self, index: u16) -> Option<&[u8]> {
        match *self.get(index)? {
            Constant::Method { nat, .. }
            | Constant::InterfaceMethod { nat, .. }
            | Constant::InvokeDynamic { nat, .. } => Some(self.name_and_type(nat).desc),
            _ => None,
        }
    }
    fn constant_kind(&self, index: u16) -> Option<BasicType> {
        Some(match *self.get(index)? {
            Constant::Integer(_) => BasicType::Int,
            Constant::Float(_) => BasicType::Float,
            Constant::Long(_) => BasicType::Long,
            Constant::Double(_) => BasicType::Double,
            Constant::String(_) | Constant::Class(_) | Constant::MethodType(_) | Constant::MethodHandle { .. } => {
                BasicType::Object
            }
            Constant::Dynamic { nat, .. } => field_kind(self.name_and_type(nat).desc),
            _ => return None,
        })
    }
}

/// One method's code and what is around it.
#[derive(Clone, Copy)]
pub struct CodeView<'a> {
    pub code: &'a [u8],
    pub max_locals: u16,
    pub max_stack: u16,
    pub exception_table: &'a [ExceptionEntry],
    pub is_static: bool,
    /// The method's own descriptor.
    pub descriptor: &'a [u8],
    pub pool: &'a dyn CodePool,
}

impl<'a> CodeView<'a> {
    /// The view of a parsed method; `None` if it has no code.
    pub fn of(class: &'a ClassFile<'a>, method: &'a MethodInfo<'a>) -> Option<CodeView<'a>> {
        let code = method.code.as_ref()?;
        Some(CodeView {
            code: code.code,
            max_locals: code.max_locals,
            max_stack: code.max_stack,
            exception_table: &code.exception_table,
            is_static: method.is_static(),
            descriptor: class.constants.utf8(method.desc),
            pool: &class.constants,
        })
    }
}
