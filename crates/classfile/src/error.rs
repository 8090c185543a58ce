//! Owns the one error of the parser. The message is HotSpot's wording, because programs print
//! and match it; the kind tells the runtime which Java exception to throw.

use std::fmt;

/// Which Java exception a [`FormatError`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// `java.lang.ClassFormatError`
    ClassFormat,
    /// `java.lang.UnsupportedClassVersionError`
    UnsupportedVersion,
    /// `java.lang.NoClassDefFoundError`
    NoClassDef,
}

impl ErrorKind {
    /// Internal name of the Java exception class.
    pub fn class_name(self) -> &'static str {
        match self {
            ErrorKind::ClassFormat => "java/lang/ClassFormatError",
            ErrorKind::UnsupportedVersion => "java/lang/UnsupportedClassVersionError",
            ErrorKind::NoClassDef => "java/lang/NoClassDefFoundError",
        }
    }
}

/// Why bytes are not a class file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    pub kind: ErrorKind,
    pub message: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.class_name().replace('/', "."), self.message)
    }
}

impl std::error::Error for FormatError {}

/// Boxed so that the parser's results stay two words wide.
pub(crate) type Fail = Box<FormatError>;
pub(crate) type Res<T> = Result<T, Fail>;

#[cold]
pub(crate) fn format_error<T>(message: String) -> Res<T> {
    Err(Box::new(FormatError { kind: ErrorKind::ClassFormat, message }))
}
