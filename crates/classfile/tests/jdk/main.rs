//! Tests over every class of the JDK's run-time image.

mod image;
mod maps;
mod parsing;
mod verifying;
