//! Owns the verdict of JVMS 4.10.1: a class that passes keeps the types of every local and stack
//! slot at every instruction as its StackMapTable declares them. Verdict, wording and the order
//! of faults follow HotSpot's type checker, which differs from the specification in details that
//! programs rely on.
//!
//! Deliberately absent: the inference verifier for class files before version 50, which a
//! runtime takes from the JDK (`libverify`); and everything about other classes, which the
//! environment answers. Loading classes is the environment's business and happens only when a
//! question cannot be answered by names.
//!
//! ```text
//! mod.rs    per class: methods in order, first fault wins
//! method.rs per method: instructions in order, one current frame
//! instruction.rs  what each demands and leaves, with moves.rs locals and stack;  arrays.rs;
//!           constants.rs;  access.rs fields and calls;  flow.rs branches, switches, handlers
//! frame.rs  locals and stack;  types.rs  types and assignability;  table.rs  declared frames
//! report.rs the text of a VerifyError
//! ```

mod access;
mod arrays;
mod constants;
mod flow;
mod frame;
mod instruction;
mod method;
mod moves;
mod report;
mod table;
mod types;

use crate::model::ClassFile;
use report::Failure;

/// The class loading that a question needed has failed; the environment knows how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unresolved;

/// What the verifier asks about classes. Names are internal (`java/lang/Object`), never arrays.
/// "The current class" is the one being verified, which is not linked yet.
pub trait VerifierEnv {
    /// Whether `name` is an interface.
    fn is_interface(&mut self, name: &[u8]) -> Result<bool, Unresolved>;
    /// Whether `sub` is `sup` or a subclass of it. `sup` is a class, not an interface.
    fn is_subclass(&mut self, sub: &[u8], sup: &[u8]) -> Result<bool, Unresolved>;
    /// Whether `name` names the current class or one of its superclasses. Loads nothing.
    fn is_current_or_super(&mut self, name: &[u8]) -> bool;
    /// Whether the member that lookup in `class`, a superclass of the current class or itself,
    /// finds is protected and declared in another run-time package. `false` if none is found.
    fn is_protected_elsewhere(
        &mut self,
        class: &[u8],
        name: &[u8],
        desc: &[u8],
        is_method: bool,
    ) -> Result<bool, Unresolved>;
}

/// Why a class was not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// `java.lang.VerifyError` with this message.
    Verify(String),
    /// `java.lang.ClassFormatError` with this message: a table of the code is malformed.
    ClassFormat(String),
    /// The environment has an exception to throw.
    Unresolved,
    /// Version 49 or older: the inference verifier must decide.
    NeedsOldVerifier,
    /// Version 50: failed here, with this message, and may yet pass the inference verifier. A
    /// damaged stack map is final.
    MayPassInference(String),
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VerifyError::Verify(message) => write!(f, "java.lang.VerifyError: {message}"),
            VerifyError::ClassFormat(message) => write!(f, "java.lang.ClassFormatError: {message}"),
            VerifyError::Unresolved => {
                write!(f, "a class that verification needs could not be loaded")
            }
            VerifyError::MayPassInference(message) => {
                write!(f, "failed, but may pass inference: {message}")
            }
            VerifyError::NeedsOldVerifier => {
                write!(f, "the class file needs the verifier of old versions")
            }
        }
    }
}

impl std::error::Error for VerifyError {}

/// Verifies every method of `class`, which the parser accepted untrusted.
pub fn verify(class: &ClassFile<'_>, env: &mut dyn VerifierEnv) -> Result<(), VerifyError> {
    if class.major < 50 {
        return Err(VerifyError::NeedsOldVerifier);
    }
    for m in class.methods.iter() {
        let Some(code) = &m.code else { continue };
        if let Err(failure) = method::verify_method(class, m, code, env) {
            return Err(match *failure {
                Failure::Unresolved => VerifyError::Unresolved,
                Failure::MapFormat(message) => VerifyError::ClassFormat(message.to_string()),
                Failure::Verify(fault) => {
                    let text = report::verify_text(class, m, code, &fault);
                    if class.major == 50 { VerifyError::MayPassInference(text) } else { VerifyError::Verify(text) }
                }
                Failure::Format(message) => {
                    let text = report::format_text(class, m, &message);
                    if class.major == 50 { VerifyError::MayPassInference(text) } else { VerifyError::ClassFormat(text) }
                }
            });
        }
    }
    Ok(())
}
