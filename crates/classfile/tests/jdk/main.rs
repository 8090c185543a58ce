//! Tests over every class of the JDK's run-time image.

mod image;
mod maps;
mod mutants;
mod parsing;
mod verifying;
mod world;
