//! Tests over every class of the JDK's run-time image.

mod assembled;
mod image;
mod maps;
mod mutants;
mod oracle;
mod parsing;
mod verifying;
mod world;
