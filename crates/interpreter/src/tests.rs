//! Behaviour of the interpreter over a small fake runtime.
