//! The commands, in ascending order of their names.
//!
//! Invariant: only what this VM can answer stands here. Absent, because the thing itself is absent:
//! Compiler.CodeHeap_Analytics, JFR.*, VM.cds, VM.print_touched_methods. VM.native_memory answers as HotSpot
//! does while tracking is off.
use super::{
    Command, Kind, Parameter, Permission, agents, classes, compiler, flags, heap, help, loaders, metaspace, properties,
    tables, threads, vm,
};

const MONITOR: Option<Permission> = Some(("java.lang.management.ManagementPermission", "monitor", None));
const CONTROL: Option<Permission> = Some(("java.lang.management.ManagementPermission", "control", None));

const fn option(name: &'static str, help: &'static str, kind: Kind, default: &'static str) -> Parameter {
    Parameter { name, help, kind, default, is_option: true, mandatory: false }
}
const fn argument(name: &'static str, help: &'static str, kind: Kind, mandatory: bool) -> Parameter {
    Parameter { name, help, kind, default: "", is_option: false, mandatory }
}

macro_rules! commands {
    ($($name:literal $help:literal, $impact:literal, $permission:expr, [$($parameter:expr),*] => $body:expr;)*) => {
        /// All commands.
        pub static TABLE: &[Command] = &[$(Command {
            name: $name,
            help: $help,
            impact: $impact,
            permission: $permission,
            parameters: &[$($parameter),*],
            body: $body,
        },)*];
    };
}

commands! {
    "Compiler.codecache" "Print code cache layout and bounds.", "Low", MONITOR, [] => compiler::code_cache;
    "Compiler.codelist" "Print all compiled methods in code cache that are alive", "Medium", MONITOR, [] => compiler::code_list;
    "Compiler.directives_add" "Add compiler directives from file.", "Low", MONITOR,
        [argument("filename", "Name of the directives file", Kind::String, true)] => compiler::directives_add;
    "Compiler.directives_clear" "Remove all compiler directives.", "Low", MONITOR, [] => compiler::directives_clear;
    "Compiler.directives_print" "Print all active compiler directives.", "Low", MONITOR, [] => compiler::directives_print;
    "Compiler.directives_remove" "Remove latest added compiler directive.", "Low", MONITOR, [] => compiler::directives_remove;
    "Compiler.perfmap" "Write map file for Linux perf tool.", "Low", MONITOR, [] => compiler::perf_map;
    "Compiler.queue" "Print methods queued for compilation.", "Low", MONITOR, [] => compiler::queue;
    "Contention.report" "Print the cache contention found so far, under -remix and -remix:detect, and add it to REMIXFile.", "Low: one stop", MONITOR,
        [] => vm::contention;
    "GC.class_histogram" "Provide statistics about the Java heap usage.",
        "High: Depends on Java heap size and content.", MONITOR,
        [option("-all", "Inspect all objects, including unreachable objects", Kind::Boolean, "false"),
         option("-parallel", "Number of parallel threads to use for heap inspection. 0 (the default) means let the VM determine the number of threads to use. 1 means use one thread (disable parallelism). For any other value the VM will try to use the specified number of threads, but might use fewer.", Kind::Int, "0")]
        => heap::histogram;
    "GC.finalizer_info" "Provide information about Java finalization queue.", "Medium", MONITOR, [] => heap::finalizer_info;
    "GC.heap_dump" "Generate a HPROF format dump of the Java heap.",
        "High: Depends on Java heap size and content. Request a full GC unless the '-all' option is specified.", MONITOR,
        [argument("filename", "Name of the dump file", Kind::String, true),
         option("-all", "Dump all objects, including unreachable objects", Kind::Boolean, "false"),
         option("-gz", "If specified, the heap dump is written in gzipped format using the given compression level. 1 (recommended) is the fastest, 9 the strongest compression.", Kind::Int, "1"),
         option("-overwrite", "If specified, the dump file will be overwritten if it exists", Kind::Boolean, "false")]
        => heap::dump;
    "GC.heap_info" "Provide generic Java heap information.", "Medium", MONITOR, [] => heap::info;
    "GC.run" "Call java.lang.System.gc().", "Medium: Depends on Java heap size and content.", None, [] => heap::run;
    "GC.run_finalization" "Call java.lang.System.runFinalization().", "Medium: Depends on Java content.", None, [] => heap::run_finalization;
    "JVMTI.agent_load" "Load JVMTI native agent.", "Low", CONTROL,
        [argument("library path", "Absolute path of the JVMTI agent to load.", Kind::String, true),
         argument("agent option", "Option string to pass the agent.", Kind::String, false)] => agents::load_command;
    "JVMTI.data_dump" "Signal the JVM to do a data-dump request for JVMTI.", "High", MONITOR, [] => agents::data_dump;
    "ManagementAgent.start" "Start remote management agent.", "Low: No impact", None,
        [option("config.file", "set com.sun.management.config.file", Kind::String, ""),
         option("jmxremote.host", "set com.sun.management.jmxremote.host", Kind::String, ""),
         option("jmxremote.port", "set com.sun.management.jmxremote.port", Kind::String, ""),
         option("jmxremote.rmi.port", "set com.sun.management.jmxremote.rmi.port", Kind::String, ""),
         option("jmxremote.ssl", "set com.sun.management.jmxremote.ssl", Kind::String, ""),
         option("jmxremote.registry.ssl", "set com.sun.management.jmxremote.registry.ssl", Kind::String, ""),
         option("jmxremote.authenticate", "set com.sun.management.jmxremote.authenticate", Kind::String, ""),
         option("jmxremote.password.file", "set com.sun.management.jmxremote.password.file", Kind::String, ""),
         option("jmxremote.access.file", "set com.sun.management.jmxremote.access.file", Kind::String, ""),
         option("jmxremote.login.config", "set com.sun.management.jmxremote.login.config", Kind::String, ""),
         option("jmxremote.ssl.enabled.cipher.suites", "set com.sun.management.jmxremote.ssl.enabled.cipher.suite", Kind::String, ""),
         option("jmxremote.ssl.enabled.protocols", "set com.sun.management.jmxremote.ssl.enabled.protocols", Kind::String, ""),
         option("jmxremote.ssl.need.client.auth", "set com.sun.management.jmxremote.need.client.auth", Kind::String, ""),
         option("jmxremote.ssl.config.file", "set com.sun.management.jmxremote.ssl.config.file", Kind::String, ""),
         option("jmxremote.autodiscovery", "set com.sun.management.jmxremote.autodiscovery", Kind::String, ""),
         option("jdp.port", "set com.sun.management.jdp.port", Kind::Int, ""),
         option("jdp.address", "set com.sun.management.jdp.address", Kind::String, ""),
         option("jdp.source_addr", "set com.sun.management.jdp.source_addr", Kind::String, ""),
         option("jdp.ttl", "set com.sun.management.jdp.ttl", Kind::Int, ""),
         option("jdp.pause", "set com.sun.management.jdp.pause", Kind::Int, ""),
         option("jdp.name", "set com.sun.management.jdp.name", Kind::String, "")]
        => agents::start_remote;
    "ManagementAgent.start_local" "Start local management agent.", "Low: No impact", None, [] => agents::start_local;
    "ManagementAgent.status" "Print the management agent status.", "Low: No impact", MONITOR, [] => agents::status;
    "ManagementAgent.stop" "Stop remote management agent.", "Low: No impact", None, [] => agents::stop_remote;
    "System.trim_native_heap" "Attempts to free up memory by trimming the C-heap.", "Low", CONTROL, [] => vm::trim_native_heap;
    "Thread.print" "Print all threads with stacktraces.", "Medium: Depends on the number of threads.", MONITOR,
        [option("-l", "print java.util.concurrent locks", Kind::Boolean, "false"),
         option("-e", "print extended thread information", Kind::Boolean, "false")] => threads::print;
    "VM.class_hierarchy" "Print a list of all loaded classes, indented to show the class hiearchy. The name of each class is followed by the ClassLoaderData* of its ClassLoader, or \"null\" if loaded by the bootstrap class loader.",
        "Medium: Depends on number of loaded classes.", MONITOR,
        [argument("classname", "Name of class whose hierarchy should be printed. If not specified, all class hierarchies are printed.", Kind::String, false),
         option("-i", "Inherited interfaces should be printed.", Kind::Boolean, "false"),
         option("-s", "If a classname is specified, print its subclasses. Otherwise only its superclasses are printed.", Kind::Boolean, "false")]
        => classes::hierarchy;
    "VM.classloader_stats" "Print statistics about all ClassLoaders.", "Low", MONITOR, [] => loaders::statistics;
    "VM.classloaders" "Prints classloader hierarchy.", "Medium: Depends on number of class loaders and classes loaded.", MONITOR,
        [option("show-classes", "Print loaded classes.", Kind::Boolean, "false"),
         option("verbose", "Print detailed information.", Kind::Boolean, "false"),
         Parameter { mandatory: true, ..option("fold", "Show loaders of the same name and class as one.", Kind::Boolean, "true") }]
        => loaders::tree;
    "VM.command_line" "Print the command line used to start this VM instance.", "Low", MONITOR, [] => vm::command_line;
    "VM.dynlibs" "Print loaded dynamic libraries.", "Low", MONITOR, [] => vm::libraries;
    "VM.events" "Print VM event logs", "Low: Depends on event log size. ", MONITOR,
        [option("log", "Name of log to be printed. If omitted, all logs are printed.", Kind::String, ""),
         option("max", "Maximum number of events to be printed (newest first). If omitted, all events are printed.", Kind::String, "")] => vm::events;
    "VM.flags" "Print VM flag options and their current values.", "Low", MONITOR,
        [option("-all", "Print all flags supported by the VM", Kind::Boolean, "false")] => flags::command;
    "VM.info" "Print information about JVM environment and status.", "Low", MONITOR, [] => vm::info;
    "VM.log" "Lists current log configuration, enables/disables/configures a log output, or rotates all logs.", "Low: No impact", CONTROL,
        [option("output", "The name or index (#<index>) of output to configure.", Kind::String, ""),
         option("output_options", "Options for the output.", Kind::String, ""),
         option("what", "Configures what tags to log.", Kind::String, ""),
         option("decorators", "Configures which decorators to use. Use 'none' or an empty value to remove all.", Kind::String, ""),
         option("disable", "Turns off all logging and clears the log configuration.", Kind::Boolean, ""),
         option("list", "Lists current log configuration.", Kind::Boolean, ""),
         option("rotate", "Rotates all logs.", Kind::Boolean, "")] => vm::log;
    "VM.metaspace" "Prints the statistics for the metaspace", "Medium: Depends on number of classes loaded.", MONITOR,
        [option("basic", "Prints a basic summary (does not need a safepoint).", Kind::Boolean, "false"),
         option("show-loaders", "Shows usage by class loader.", Kind::Boolean, "false"),
         option("show-classes", "If show-loaders is set, shows loaded classes for each loader.", Kind::Boolean, "false"),
         option("by-chunktype", "Break down numbers by chunk type.", Kind::Boolean, "false"),
         option("by-spacetype", "Break down numbers by loader type.", Kind::Boolean, "false"),
         option("vslist", "Shows details about the underlying virtual space.", Kind::Boolean, "false"),
         option("chunkfreelist", "Shows details about global chunk free lists (ChunkManager).", Kind::Boolean, "false"),
         option("scale", "Memory usage in which to scale. Valid values are: 1, KB, MB or GB (fixed scale) or \"dynamic\" for a dynamically choosen scale.", Kind::String, "dynamic")]
        => metaspace::command;
    "VM.native_memory" "Print native memory usage", "Medium", MONITOR,
        [option("summary", "request runtime to report current memory summary, which includes total reserved and committed memory, along with memory usage summary by each subsytem.", Kind::Boolean, "false"),
         option("detail", "request runtime to report memory allocation >= 1K by each callsite.", Kind::Boolean, "false"),
         option("baseline", "request runtime to baseline current memory usage, so it can be compared against in later time.", Kind::Boolean, "false"),
         option("summary.diff", "request runtime to report memory summary comparison against previous baseline.", Kind::Boolean, "false"),
         option("detail.diff", "request runtime to report memory detail comparison against previous baseline, which shows the memory allocation activities at different callsites.", Kind::Boolean, "false"),
         option("shutdown", "deprecated.", Kind::Boolean, "false"),
         option("statistics", "print tracker statistics for tuning purpose.", Kind::Boolean, "false"),
         option("scale", "Memory usage in which scale, KB, MB or GB", Kind::String, "KB")]
        => |_, _| Ok(b"Native memory tracking is not enabled\n".to_vec());
    "VM.set_flag" "Sets VM flag option using the provided value.", "Low", CONTROL,
        [argument("flag name", "The name of the flag we want to set", Kind::String, true),
         argument("string value", "The value we want to set", Kind::String, false)] => flags::set_command;
    "VM.stringtable" "Dump string table.", "Medium: Depends on Java content.", MONITOR,
        [option("-verbose", "Dump the content of each string in the table", Kind::Boolean, "false")] => tables::strings;
    "VM.symboltable" "Dump symbol table.", "Medium: Depends on Java content.", MONITOR,
        [option("-verbose", "Dump the content of each symbol in the table", Kind::Boolean, "false")] => tables::symbols;
    "VM.system_properties" "Print system properties.", "Low", Some(("java.util.PropertyPermission", "*", Some("read"))), [] => properties::command;
    "VM.systemdictionary" "Prints the statistics for dictionary hashtable sizes and bucket length", "Medium: Depends on Java content.", MONITOR,
        [option("-verbose", "Dump the content of each dictionary entry for all class loaders", Kind::Boolean, "false")] => tables::dictionaries;
    "VM.uptime" "Print VM uptime.", "Low", None,
        [option("-date", "Add a prefix with current date", Kind::Boolean, "false")] => vm::uptime;
    "VM.version" "Print JVM version information.", "Low", Some(("java.util.PropertyPermission", "java.vm.version", Some("read"))), [] => vm::version;
    "help" "For more information about a specific command use 'help <command>'. With no argument this will show a list of available commands. 'help all' will show help for all commands.",
        "Low", None,
        [argument("command name", "The name of the command for which we want help", Kind::String, false),
         option("-all", "Show help for all commands", Kind::Boolean, "false")] => help::help;
}

#[cfg(test)]
mod tests {
    use super::TABLE;
    #[test]
    fn names_ascend() {
        assert!(TABLE.is_sorted_by(|a, b| a.name < b.name));
    }
}
