//! Tags that HotSpot has: a selection of one under which no room logs is no error, so that command lines keep working.

const HOTSPOT: &str = "\
    add age alloc annotation arguments attach barrier biasedlocking blocks bot breakpoint bytecode cds census \
    class classhisto cleanup codecache compaction compilation condy constantpool constraints container coops \
    cpu cset data datacreation dcmd decoder defaultmethods director dump dynamic ergo event exceptions exit \
    fingerprint free freelist gc handshake hashtables heap humongous ihop iklass indy init inlining install \
    interpreter itables jfr jit jni jvmci jvmti lambda library liveness load loader logging malloc map mark \
    marking membername memops metadata metaspace methodcomparator methodhandles mirror mmu module \
    monitorinflation monitormismatch nestmates nmethod nmt normalize numa objecttagging obsolete oldobject oom \
    oopmap oops oopstorage os owner pagesize parser patch path perf periodic phases plab placeholders preorder \
    preview promotion protectiondomain ptrqueue purge record redefine ref refine region reloc remset resolve \
    safepoint sampling scavenge sealed setting smr stackbarrier stackmap stacktrace stackwalk start startup \
    startuptime state stats streaming stringdedup stringtable subclass survivor suspend sweep symboltable \
    system table task thread throttle time timer tlab tracking trimnative unload unshareable update \
    valuebasedclasses verification verify vmmutex vmoperation vmthread vtables vtablestubs workgang";

pub(super) fn is_hotspots(tag: &str) -> bool {
    HOTSPOT.split_ascii_whitespace().any(|t| t == tag)
}
