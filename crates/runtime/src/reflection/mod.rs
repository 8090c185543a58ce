//! What java.lang.Class and java.lang.reflect ask the VM.
//!
//! Invariant: a reflection object names its member by (class, slot), the slot being the member's
//! position in the class file; objects made here have every field that HotSpot fills.
//!
//! | module | what |
//! |---|---|
//! | `queries` | flags, names, supers, nests, assertion status |
pub mod queries;
