//! Class files as values: nothing here reads a file, allocates in the Java heap or knows a VM.
//! Every function is a pure function over bytes, and what [`parse`] returns is structurally
//! sound: every constant pool index that it stores refers to an entry of the right kind, so the
//! getters of [`ConstantPool`] are infallible.
//!
//! ```text
//! bytes -> parse -> ClassFile -> verifier (type checking)
//!                             -> print    (javap-like text)
//!          opcodes -> oopmap  (which slots hold references; needs no ClassFile)
//!          asm -> bytes       (fixtures)
//! ```
#![forbid(unsafe_code)]

pub mod asm;
mod be;
pub mod descriptor;
mod error;
mod identifiers;
mod model;
pub mod mutf8;
pub mod names;
pub mod oopmap;
pub mod opcodes;
mod parse;
mod pool;
pub mod print;
pub mod stack_map;
pub mod verifier;

pub use be::{BeU16s, LineNumber, LineNumbers, LocalVariable, LocalVariables};
pub use error::{ErrorKind, FormatError};
pub use model::{
    Annotations, BootstrapMethod, ClassFile, CodeInfo, ExceptionEntry, FieldInfo, InnerClass, MethodInfo,
    MethodParameter, RecordComponent, VmAnnotations, access,
};
pub use parse::{Begun, ParseOptions, begin, parse};
pub use pool::{Constant, ConstantPool, NameAndType};
