//! The system properties that the VM itself supplies.
//!
//! Invariant: these stand before the -D properties, which may replace all but the names in
//! [`FIXED`].
use super::{Mode, Options, VM_NAME, VM_VENDOR, VM_VERSION};

/// What the caller knows and options do not say.
#[derive(Clone, Debug, Default)]
pub struct LauncherFacts {
    /// The JDK's home folder.
    pub java_home: String,
    /// LD_LIBRARY_PATH.
    pub library_path: Option<String>,
    /// Options that the run-time image holds (`jlink --add-options`).
    pub image_options: Option<String>,
}

/// Names that -D cannot set.
pub(super) const FIXED: &[&str] = &[
    "java.home",
    "java.vm.specification.name",
    "java.vm.specification.vendor",
    "java.vm.specification.version",
    "java.vm.name",
    "java.vm.vendor",
    "java.vm.version",
    "java.vm.info",
    "java.vm.compressedOopsMode",
    "jdk.debug",
    "jdk.boot.class.path.append",
];

const SYSTEM_LIBRARY_PATH: &str = "/usr/java/packages/lib:/usr/lib/x86_64-linux-gnu/jni:/lib/x86_64-linux-gnu:\
/usr/lib/x86_64-linux-gnu:/usr/lib/jni:/lib:/usr/lib";

pub(super) fn initial(o: &mut Options, facts: &LauncherFacts) {
    let home = &facts.java_home;
    let path = match facts.library_path.as_deref() {
        Some(p) if !p.is_empty() => format!("{p}:{SYSTEM_LIBRARY_PATH}"),
        _ => SYSTEM_LIBRARY_PATH.to_string(),
    };
    let rows: [(&str, &str); 13] = [
        ("java.vm.specification.name", "Java Virtual Machine Specification"),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", "17"),
        ("java.vm.name", VM_NAME),
        ("java.vm.vendor", VM_VENDOR),
        ("java.vm.version", VM_VERSION),
        ("java.vm.info", ""),
        ("java.vm.compressedOopsMode", "Zero based"),
        ("jdk.debug", "release"),
        ("sun.boot.library.path", &format!("{home}/lib")),
        ("java.library.path", &path),
        ("java.home", home),
        ("java.class.path", ""),
    ];
    o.properties = rows.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
}

pub(super) fn finish(o: &mut Options) {
    let compiles = o.flags.use_quick_tier && o.flags.tiered_stop_at_level > 0;
    let info = match o.mode {
        Mode::Compiled if compiles => "compiled mode",
        Mode::Mixed if compiles => "mixed mode",
        _ => "interpreted mode",
    };
    o.set_property("java.vm.info", info);
    if info != "interpreted mode" {
        // The name that CompilationMXBean gives; without it there is no such bean.
        o.set_property("sun.management.compiler", "Concord 64-Bit Compilers");
    }
    if !o.boot_class_path_append.is_empty() {
        let path = format!(":{}", o.boot_class_path_append);
        o.set_property("jdk.boot.class.path.append", path);
    }
    let direct = o.flags.max_direct_memory_size;
    if direct != 0 {
        o.set_property("sun.nio.MaxDirectMemorySize", direct.to_string());
    }
}
