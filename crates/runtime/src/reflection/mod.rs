//! What java.lang.Class and java.lang.reflect ask the VM.
//!
//! Invariant: a reflection object names its member by (class, slot), the slot being the member's
//! position in the class file; objects made here have every field that HotSpot fills.
//!
//! | module | what |
//! |---|---|
//! | `queries` | flags, names, supers, nests, assertion status |
//! | `boxing` | primitive values: boxes, widening |
//! | `members` | Field, Method, Constructor, Parameter, RecordComponent objects |
//! | `attributes` | inner and enclosing classes, annotations, signatures, nests, sealed classes |
//! | `invoke` | Method.invoke, Constructor.newInstance |
//! | `pool` | jdk.internal.reflect.ConstantPool |
pub mod attributes;
pub mod boxing;
pub mod invoke;
pub mod members;
pub mod pool;
pub mod queries;
