//! Class-data sharing, which Concord does not have: the class library then computes what an
//! archive would have given it.
use super::jvm;
use crate::env::Ref;

jvm! {
    JVM_IsDumpingClassList(_th) -> z { Ok(false) }
    JVM_IsCDSDumpingEnabled(_th) -> z { Ok(false) }
    JVM_IsSharingEnabled(_th) -> z { Ok(false) }
    JVM_InitializeFromArchive(_th, _c: Ref) -> void { Ok(()) }
}

/// No dump, hence no seed that would make one reproducible.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_GetRandomSeedForDumping() -> i64 {
    concord_base::count_symbol!("JVM_GetRandomSeedForDumping");
    0
}
