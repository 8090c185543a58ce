//! The protocol's windows as short as they are: see `delay.rs`.

/// Nothing.
#[inline(always)]
pub(crate) fn point() {}

/// Nothing.
#[inline(always)]
pub(crate) fn rare_point() {}
