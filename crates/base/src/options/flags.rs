//! The table of Concord's own -XX flags: the flags of HotSpot that mean something here, in its
//! spelling, and ours.
//!
//! Invariant: a room reads a flag as a field of [`Flags`]; the field, its spelling, its type, its
//! default and its help text are one row of this file and stand nowhere else.

/// Who may set a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Product,
    /// May be changed while the VM runs.
    Manageable,
    /// Behind -XX:+UnlockDiagnosticVMOptions.
    Diagnostic,
    /// Behind -XX:+UnlockExperimentalVMOptions.
    Experimental,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Product => "product",
            Kind::Manageable => "manageable",
            Kind::Diagnostic => "diagnostic",
            Kind::Experimental => "experimental",
        }
    }
}

/// Where a flag's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Origin {
    #[default]
    Default,
    CommandLine,
    Environment,
    ConfigFile,
    /// `jlink --add-options`.
    Image,
    Ergonomic,
    Management,
    /// A tool that attached itself.
    Attach,
}

impl Origin {
    pub fn name(self) -> &'static str {
        match self {
            Origin::Default => "default",
            Origin::CommandLine => "command line",
            Origin::Environment => "environment",
            Origin::ConfigFile => "config file",
            Origin::Image => "jimage",
            Origin::Ergonomic => "ergonomic",
            Origin::Management => "management",
            Origin::Attach => "attach",
        }
    }
}

/// A type that a flag can have.
pub trait FlagValue: Sized {
    /// The value that the text after `=` denotes.
    fn parse(text: &str) -> Option<Self>;
    /// What a second setting of the same flag does: lists grow, all others are replaced.
    fn merge(&mut self, new: Self) {
        *self = new;
    }
    fn show(&self) -> String;
}
impl FlagValue for bool {
    fn parse(text: &str) -> Option<bool> {
        match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
    fn show(&self) -> String {
        self.to_string()
    }
}
impl FlagValue for i64 {
    fn parse(text: &str) -> Option<i64> {
        match text.strip_prefix('-') {
            Some(t) => i64::try_from(super::parse_size(t)?).ok()?.checked_neg(),
            None => i64::try_from(super::parse_size(text)?).ok(),
        }
    }
    fn show(&self) -> String {
        self.to_string()
    }
}
impl FlagValue for u64 {
    fn parse(text: &str) -> Option<u64> {
        super::parse_size(text)
    }
    fn show(&self) -> String {
        self.to_string()
    }
}
impl FlagValue for f64 {
    fn parse(text: &str) -> Option<f64> {
        text.parse().ok().filter(|v: &f64| v.is_finite())
    }
    fn show(&self) -> String {
        format!("{self:.6}")
    }
}
impl FlagValue for Option<String> {
    fn parse(text: &str) -> Option<Self> {
        Some(Some(text.to_string()))
    }
    fn show(&self) -> String {
        self.clone().unwrap_or_default()
    }
}
impl FlagValue for Vec<String> {
    fn parse(text: &str) -> Option<Self> {
        Some(vec![text.to_string()])
    }
    fn merge(&mut self, new: Self) {
        self.extend(new);
    }
    fn show(&self) -> String {
        self.join(" ")
    }
}

/// One row of the table.
pub struct Row {
    pub name: &'static str,
    /// HotSpot's name of the type: bool, intx, uintx, size_t, double, ccstr, ccstrlist.
    pub ty: &'static str,
    pub kind: Kind,
    pub help: &'static str,
    /// Values outside are refused, with HotSpot's message.
    pub range: Option<(i64, i64)>,
    pub set: fn(&mut Flags, &str) -> bool,
    pub show: fn(&Flags) -> String,
}

macro_rules! rust_type {
    (bool) => { bool };
    (intx) => { i64 };
    (uintx) => { u64 };
    (size_t) => { u64 };
    (double) => { f64 };
    (ccstr) => { Option<String> };
    (ccstrlist) => { Vec<String> };
}
macro_rules! range {
    () => {
        None
    };
    ($lo:literal, $hi:literal) => {
        Some(($lo, $hi))
    };
}
// Grammar of a row: type field "Spelling" = default, Kind [range low, high]: "help";
macro_rules! flags {
    ($($ty:ident $field:ident $name:literal = $default:expr, $kind:ident $(in $lo:literal..$hi:literal)?: $help:literal;)*) => {
        /// The values of all flags.
        #[derive(Clone, Debug)]
        pub struct Flags { $(#[doc = $help] pub $field: rust_type!($ty),)* }
        impl Default for Flags {
            fn default() -> Flags { Flags { $($field: $default,)* } }
        }
        /// All rows, in ascending order of their names.
        pub static TABLE: &[Row] = &[$(Row {
            name: $name,
            ty: stringify!($ty),
            kind: Kind::$kind,
            help: $help,
            range: range!($($lo, $hi)?),
            set: |f, text| match FlagValue::parse(text) {
                Some(v) => { FlagValue::merge(&mut f.$field, v); true }
                None => false,
            },
            show: |f| FlagValue::show(&f.$field),
        },)*];
    };
}

flags! {
    intx active_processor_count "ActiveProcessorCount" = -1, Product: "Specify the CPU count the VM should use and report as active";
    bool allow_redefinition_to_add_delete_methods "AllowRedefinitionToAddDeleteMethods" = false, Product: "Let a redefinition add private methods that are static or final (deprecated)";
    bool allow_user_signal_handlers "AllowUserSignalHandlers" = false, Product: "Do not complain if the application installs signal handlers";
    bool always_pre_touch "AlwaysPreTouch" = false, Product: "Touch every page of the heap when it is made";
    bool background_compilation "BackgroundCompilation" = true, Product: "A thread whose method is compiled goes on interpreting";
    bool bytecode_verification_local "BytecodeVerificationLocal" = false, Diagnostic: "Verify classes of the boot loader";
    bool bytecode_verification_remote "BytecodeVerificationRemote" = true, Diagnostic: "Verify classes of all other loaders";
    intx ci_compiler_count "CICompilerCount" = 0, Product in 0..64: "Compiler threads; 0 = chosen from the processors";
    intx ci_crash_at "CICrashAt" = -1, Diagnostic: "Crash in the compilation with this number, for tests of what is reported then";
    bool check_local_objects "CheckLocalObjects" = false, Diagnostic: "Check at every access that an object held to be one thread's own is the accessing thread's";
    bool class_unloading "ClassUnloading" = true, Product: "Unload classes whose loader nobody can reach";
    ccstrlist compile_command "CompileCommand" = Vec::new(), Product: "Options of the compiler for single methods; help lists them";
    ccstr compile_command_file "CompileCommandFile" = None, Product: "File with such options, one per line";
    ccstrlist compile_only "CompileOnly" = Vec::new(), Product: "Methods that may be compiled; all others are interpreted";
    intx compile_threshold "CompileThreshold" = 1500, Product in 0..2147483647: "Calls and loop iterations of a method before it is compiled";
    double compile_threshold_scaling "CompileThresholdScaling" = 1.0, Product: "Factor of all thresholds of compilation";
    ccstr compiler_directives_file "CompilerDirectivesFile" = None, Diagnostic: "File of directives for the compiler";
    bool compiler_directives_ignore_compile_commands "CompilerDirectivesIgnoreCompileCommands" = false, Diagnostic: "Where a directive speaks for a method, CompileCommand does not";
    intx compiler_directives_limit "CompilerDirectivesLimit" = 50, Diagnostic: "Most directives that there may be, the default one included";
    bool compiler_directives_print "CompilerDirectivesPrint" = false, Diagnostic: "Show the directives when some are added";
    ccstr concord_gc "ConcordGC" = None, Product: "Collector plan: StickyImmix (default) or Immix";
    bool concord_intrinsics "ConcordIntrinsics" = true, Diagnostic: "Compile what is known of library methods instead of their bodies and natives";
    bool concord_monitor_fences "ConcordMonitorFences" = false, Diagnostic: "Leave monitors with a fence, as where the kernel has no membarrier";
    bool concord_monitor_hysteresis "ConcordMonitorHysteresis" = true, Diagnostic: "Keep a contended monitor's record for some quiet exits, instead of deflating at the first";
    bool concord_monitor_throttle "ConcordMonitorThrottle" = true, Diagnostic: "Wake at most one of a monitor's threads at a time";
    uintx concord_zeal_alloc "ConcordZealAlloc" = 0, Diagnostic: "Collect at every Nth allocation; 0 = off";
    uintx concord_zeal_deopt "ConcordZealDeopt" = 0, Diagnostic: "Leave compiled code at every Nth call into the VM; 0 = off";
    uintx concord_zeal_guard "ConcordZealGuard" = 0, Diagnostic: "Let every Nth guard of compiled code fail; 0 = off";
    bool concord_zeal_move "ConcordZealMove" = false, Diagnostic: "Move every object that may move at every collection";
    uintx concord_zeal_relayout "ConcordZealRelayout" = 0, Diagnostic: "Give some class another layout every N milliseconds; 0 = off";
    intx contended_padding_width "ContendedPaddingWidth" = 128, Product in 0..8192: "Bytes that keep a Contended field or class away from others";
    bool crash_on_out_of_memory_error "CrashOnOutOfMemoryError" = false, Product: "Abort with a crash report at the first OutOfMemoryError";
    bool create_coredump_on_crash "CreateCoredumpOnCrash" = true, Product: "Abort after a crash, so that the system can write a core";
    bool critical_jni_natives "CriticalJNINatives" = false, Product: "Let compiled code call JavaCritical_* functions (deprecated)";
    bool debug_non_safepoints "DebugNonSafepoints" = false, Diagnostic: "Compiled code knows the bytecode index of every instruction, not of calls alone, for profilers";
    bool disable_attach_mechanism "DisableAttachMechanism" = false, Product: "Disable the listener for jcmd, jstack and the like";
    bool disable_explicit_gc "DisableExplicitGC" = false, Product: "Ignore System.gc()";
    bool do_escape_analysis "DoEscapeAnalysis" = true, Product: "Look for objects that never leave the code that makes them";
    bool dont_compile_huge_methods "DontCompileHugeMethods" = true, Product: "Leave methods of more than 8000 bytes of bytecode to the interpreter";
    bool dump_perf_map_at_exit "DumpPerfMapAtExit" = false, Diagnostic: "Write the names of compiled code to /tmp/perf-<pid>.map";
    bool dump_replay_data_on_error "DumpReplayDataOnError" = false, Product: "Record every compilation in memory, and write a replay file if a compiler thread crashes (costs about a tenth of the time to compile)";
    bool eliminate_allocations "EliminateAllocations" = true, Product: "Keep the fields of such objects in registers, instead of making them";
    bool enable_contended "EnableContended" = true, Product: "Honour the Contended annotation";
    ccstr error_file "ErrorFile" = None, Product: "Name of the crash report; %p is the process id";
    bool exit_on_out_of_memory_error "ExitOnOutOfMemoryError" = false, Product: "Exit at the first OutOfMemoryError";
    ccstr flags_file "Flags" = None, Product: "File with -XX flags, one per line";
    uintx g1_periodic_gc_interval "G1PeriodicGCInterval" = 0, Manageable: "Milliseconds between collections of an idle VM; 0 = off (reported, not heeded)";
    double g1_periodic_gc_system_load_threshold "G1PeriodicGCSystemLoadThreshold" = 0.0, Manageable: "Load above which there are none (reported, not heeded)";
    bool gdb_jit "GdbJit" = false, Diagnostic: "Tell debuggers the names of compiled methods and how to unwind them";
    bool heap_dump_after_full_gc "HeapDumpAfterFullGC" = false, Manageable: "Dump the heap after each full collection";
    bool heap_dump_before_full_gc "HeapDumpBeforeFullGC" = false, Manageable: "Dump the heap before each full collection";
    intx heap_dump_gzip_level "HeapDumpGzipLevel" = 0, Manageable in 0..9: "Compression level of the dumps that options ask for; 0 = none";
    bool heap_dump_on_out_of_memory_error "HeapDumpOnOutOfMemoryError" = false, Manageable: "Dump the heap at the first OutOfMemoryError";
    ccstr heap_dump_path "HeapDumpPath" = None, Manageable: "File or folder for that dump";
    bool ignore_unrecognized_vm_options "IgnoreUnrecognizedVMOptions" = false, Product: "Ignore unrecognized VM options";
    size_t initial_code_cache_size "InitialCodeCacheSize" = 2555904, Product: "Code cache that counts as committed from the start, in bytes";
    size_t initial_heap_size "InitialHeapSize" = 0, Product: "Initial heap size in bytes; 0 = chosen from the memory";
    double initial_ram_percentage "InitialRAMPercentage" = 1.5625, Product: "Percentage of the memory used for the initial heap";
    intx interpreter_profile_percentage "InterpreterProfilePercentage" = 33, Product in 0..100: "Percentage of CompileThreshold at which profiling of a method begins; 0 = with its first instruction";
    bool management_server "ManagementServer" = false, Product: "Start the management agent with the VM; set by -Dcom.sun.management..., too";
    size_t max_direct_memory_size "MaxDirectMemorySize" = 0, Product: "Limit of direct buffers in bytes; 0 = the heap's size";
    uintx max_heap_free_ratio "MaxHeapFreeRatio" = 70, Manageable in 0..100: "Percentage of the heap that is free at most after a collection (reported, not heeded)";
    size_t max_heap_size "MaxHeapSize" = 0, Product: "Maximum heap size in bytes; 0 = chosen from the memory";
    intx max_java_stack_trace_depth "MaxJavaStackTraceDepth" = 1024, Product in 0..1073741823: "Frames kept of an exception's stack";
    size_t max_metaspace_size "MaxMetaspaceSize" = 0xffff_ffff_ffff_f000, Product: "Limit of the memory for classes";
    size_t max_new_size "MaxNewSize" = 0, Product: "Maximum nursery size in bytes; 0 = chosen by the collector";
    size_t max_ram "MaxRAM" = 0, Product: "Memory to take as the machine's when choosing the heap; 0 = ask the system";
    double max_ram_percentage "MaxRAMPercentage" = 25.0, Product: "Percentage of the memory used for the maximum heap";
    size_t metaspace_size "MetaspaceSize" = 22020096, Product: "Memory of classes at which those that are not used any more are looked for, at first";
    uintx min_heap_free_ratio "MinHeapFreeRatio" = 40, Manageable in 0..100: "Percentage of the heap that is free at least after a collection (reported, not heeded)";
    size_t min_heap_size "MinHeapSize" = 0, Product: "Heap that is never given back, in bytes";
    double min_ram_percentage "MinRAMPercentage" = 50.0, Product: "Percentage of a small memory used for the maximum heap";
    size_t new_size "NewSize" = 0, Product: "Nursery size in bytes; 0 = chosen by the collector";
    ccstrlist on_error "OnError" = Vec::new(), Product: "Commands run after a crash report; %p is the process id";
    ccstrlist on_out_of_memory_error "OnOutOfMemoryError" = Vec::new(), Product: "Commands run at the first OutOfMemoryError";
    uintx parallel_gc_threads "ParallelGCThreads" = 0, Product in 0..1024: "Threads of the collector; 0 = as many as processors";
    bool perf_disable_shared_mem "PerfDisableSharedMem" = false, Product: "Keep performance counters where only this process sees them";
    bool print_assembly "PrintAssembly" = false, Diagnostic: "Print the machine code of all methods";
    bool print_class_histogram "PrintClassHistogram" = false, Manageable: "SIGQUIT prints a histogram of the heap, too";
    bool print_code_cache "PrintCodeCache" = false, Product: "Print the layout of the code cache at exit";
    bool print_command_line_flags "PrintCommandLineFlags" = false, Product: "Print the flags that are not at their default";
    bool print_compilation "PrintCompilation" = false, Product: "Print a line for each compilation";
    bool print_concord_statistics "PrintConcordStatistics" = false, Product: "Count stores, fences and why fences were left out; print at exit, with the hottest fences";
    bool print_concurrent_locks "PrintConcurrentLocks" = false, Manageable: "Print java.util.concurrent locks in thread dumps";
    bool print_flags_final "PrintFlagsFinal" = false, Product: "Print all flags after parsing and ergonomics";
    bool print_flags_initial "PrintFlagsInitial" = false, Product: "Print all flags before parsing";
    bool print_method_data "PrintMethodData" = false, Diagnostic: "Print the profiles of all methods at exit";
    bool print_nmethods "PrintNMethods" = false, Diagnostic: "Print the machine code of all methods";
    bool print_vm_options "PrintVMOptions" = false, Product: "Print the -XX options as they are parsed";
    bool profile_interpreter "ProfileInterpreter" = true, Product: "Profile branches, calls and types in the interpreter (with -Xint: only if asked for)";
    ccstr remix_file "REMIXFile" = None, Product: "File with fields to keep apart: -remix and -remix:detect add to it, -remix:offline reads it";
    intx remix_samples_per_second "REMIXSamplesPerSecond" = 97, Product in 1..1000: "Samples that -remix and -remix:detect take of a thread in a second of its processor time; with more than a third of the clock ticks threads meet in their samples, which hides part of what they contend for";
    bool reduce_signal_usage "ReduceSignalUsage" = false, Product: "Leave the shutdown signals alone (-Xrs)";
    bool replay_compiles "ReplayCompiles" = false, Diagnostic: "Repeat the compilation recorded in ReplayDataFile and exit, without running a program";
    ccstr replay_data_file "ReplayDataFile" = None, Product: "File with a recorded compilation; %p is the process id [default: ./replay_pid%p.log]";
    size_t reserved_code_cache_size "ReservedCodeCacheSize" = 251658240, Product: "Address space for compiled code in bytes";
    bool restrict_contended "RestrictContended" = true, Product: "Honour the Contended annotation in the boot loader's classes only";
    bool restrict_reserved_stack "RestrictReservedStack" = true, Diagnostic: "Honour ReservedStackAccess in the boot loader's classes only";
    bool show_code_details_in_exception_messages "ShowCodeDetailsInExceptionMessages" = true, Manageable: "Helpful NullPointerException messages";
    bool show_hidden_frames "ShowHiddenFrames" = false, Diagnostic: "Show the frames of method-handle machinery in stack traces";
    size_t soft_max_heap_size "SoftMaxHeapSize" = 0, Manageable: "Heap that should suffice, in bytes; the maximum by default (reported, not heeded)";
    intx soft_ref_lru_policy_ms_per_mb "SoftRefLRUPolicyMSPerMB" = 1000, Product in 0..9223372036854775807: "Milliseconds per free megabyte that softly reachable objects live";
    bool stack_trace_in_throwable "StackTraceInThrowable" = true, Product: "Collect a backtrace in each exception";
    bool start_attach_listener "StartAttachListener" = false, Product: "Open the socket for jcmd and the like at start";
    bool super_instructions "SuperInstructions" = true, Diagnostic: "Lay superinstructions over translated bytecode";
    intx thread_stack_size "ThreadStackSize" = 1024, Product in 0..1048576: "Stack of a Java thread in kilobytes";
    intx tiered_stop_at_level "TieredStopAtLevel" = 4, Product in 0..4: "Highest tier that compiles; 0 = interpret only; code of 2 counts entries and jumps back, of 3 also branches, calls and classes";
    bool trust_final_non_static_fields "TrustFinalNonStaticFields" = false, Diagnostic: "Take instance finals for constants";
    bool unlock_diagnostic_vm_options "UnlockDiagnosticVMOptions" = false, Product: "Allow diagnostic flags";
    bool unlock_experimental_vm_options "UnlockExperimentalVMOptions" = false, Product: "Allow experimental flags";
    bool use_compressed_oops "UseCompressedOops" = true, Product: "References in the heap have 32 bits (always)";
    bool use_container_support "UseContainerSupport" = true, Product: "Take processors and memory from the container's limits";
    bool use_libm_intrinsic "UseLibmIntrinsic" = true, Diagnostic: "Compute sin, cos, tan, exp, log, log10 and pow of Math by the C library, not by StrictMath";
    bool use_perf_data "UsePerfData" = true, Product: "Keep performance counters in memory";
    bool use_quick_tier "UseQuickTier" = true, Diagnostic: "Compile hot methods";
    bool use_signal_chaining "UseSignalChaining" = true, Product: "Pass signals on to handlers that were there before the VM's";
    bool use_transparent_huge_pages "UseTransparentHugePages" = false, Product: "Huge pages for all of the heap and its tables from the start on; - for none, by default for what has grown old";
    bool vbd "VBD" = true, Product: "Sequential consistency for every program that does not ask for less";
    ccstrlist vbd_relaxed_class "VBDRelaxedClass" = Vec::new(), Product: "Classes that keep the Java memory model";
    ccstrlist vbd_relaxed_field "VBDRelaxedField" = Vec::new(), Product: "Fields (class::field) that keep the Java memory model";
    ccstrlist vbd_relaxed_loc "VBDRelaxedLoc" = Vec::new(), Product: "Places (class::method,class::field) that keep the Java memory model";
    ccstrlist vbd_relaxed_method "VBDRelaxedMethod" = Vec::new(), Product: "Methods (class::method) that keep the Java memory model";
    ccstrlist vbd_relaxed_package "VBDRelaxedPackage" = Vec::new(), Product: "Packages that keep the Java memory model";
    ccstr vm_options_file "VMOptionsFile" = None, Product: "File with options, separated by white space";
    bool verify_after_gc "VerifyAfterGC" = false, Diagnostic: "Walk and check the heap after every collection";
    bool verify_before_gc "VerifyBeforeGC" = false, Diagnostic: "Walk and check the heap before every collection";
    bool verify_compiled_code "VerifyCompiledCode" = false, Diagnostic: "Check each compilation: its forms after every pass, references at safepoints, fences of the machine code";
}

/// The row of a flag.
pub fn find(name: &str) -> Option<usize> {
    TABLE.binary_search_by(|r| r.name.cmp(name)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn rows_ascend_and_have_help() {
        assert!(TABLE.is_sorted_by(|a, b| a.name < b.name));
        assert!(TABLE.iter().all(|r| !r.help.is_empty()));
        assert_eq!(find("MaxHeapSize").map(|i| TABLE[i].ty), Some("size_t"));
    }
    #[test]
    fn values_are_read_by_type() {
        let mut f = Flags::default();
        let set = |f: &mut Flags, n: &str, v: &str| (TABLE[find(n).unwrap()].set)(f, v);
        assert!(set(&mut f, "MaxHeapSize", "2g") && f.max_heap_size == 2 << 30);
        assert!(set(&mut f, "ActiveProcessorCount", "-1") && f.active_processor_count == -1);
        assert!(!set(&mut f, "MaxHeapSize", "-1") && !set(&mut f, "MaxHeapSize", "1q"));
        assert!(set(&mut f, "OnError", "a") && set(&mut f, "OnError", "b") && f.on_error == ["a", "b"]);
        assert!(!set(&mut f, "MaxRAMPercentage", "x"));
    }
}
