//! The option parser.
//!
//! Invariant: what this returns is complete, or it is the first error in the order of the sources;
//! nothing is printed but the `Picked up` lines, flag echoes and what -Xlog itself prints.
use super::flags::{self, Kind, Origin, TABLE};
use super::properties::{self, LauncherFacts};
use super::{Agent, Mode, OptionError, Options, hotspot, parse_size, ranges};

/// Parses the sources in their order. `env` reads the environment.
///
/// # Errors
/// What HotSpot says to the same mistake.
pub fn parse(
    args: &[String],
    ignore_unrecognized: bool,
    env: &dyn Fn(&str) -> Option<String>,
    facts: &LauncherFacts,
) -> Result<Options, OptionError> {
    let mut p = Parser {
        o: Options::default(),
        ignore_unrecognized,
        origin: Origin::CommandLine,
        counters: Vec::new(),
        gc: Vec::new(),
    };
    p.o.origins = vec![Origin::Default; TABLE.len()];
    p.o.java_home.clone_from(&facts.java_home);
    properties::initial(&mut p.o, facts);

    let (mut image, mut tool, mut last) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(text) = &facts.image_options {
        image = words("vm options resource", text)?;
    }
    if let Some(text) = env("JAVA_TOOL_OPTIONS") {
        tool = environment("JAVA_TOOL_OPTIONS", &text)?;
    }
    if let Some(text) = env("_JAVA_OPTIONS") {
        last = environment("_JAVA_OPTIONS", &text)?;
    }
    image = with_options_file(image, "vm options resource")?;
    tool = with_options_file(tool, "env_var='JAVA_TOOL_OPTIONS'")?;
    last = with_options_file(last, "env_var='_JAVA_OPTIONS'")?;
    let command = with_options_file(args.to_vec(), "cmd_line_args")?;
    // These decide how all others are read, wherever they stand.
    for a in image.iter().chain(&tool).chain(&command).chain(&last) {
        match a.as_str() {
            "-XX:+IgnoreUnrecognizedVMOptions" => p.ignore_unrecognized = true,
            "-XX:-IgnoreUnrecognizedVMOptions" => p.ignore_unrecognized = false,
            "-XX:+PrintVMOptions" => p.o.flags.print_vm_options = true,
            "-XX:-PrintVMOptions" => p.o.flags.print_vm_options = false,
            _ => {}
        }
        if let Some(name) = a.strip_prefix("-XX:Flags=") {
            p.origin = Origin::ConfigFile;
            p.settings_file(name)?;
        }
    }
    p.origin = Origin::Image;
    p.all(&image)?;
    p.origin = Origin::Environment;
    p.all(&tool)?;
    p.origin = Origin::CommandLine;
    p.all(&command)?;
    p.origin = Origin::Environment;
    p.all(&last)?;

    // What the launcher adds by itself was not asked for by anybody.
    let own = |a: &String| {
        ["-Djava.class.path", "-Dsun.java.command", "-Dsun.java.launcher"].iter().any(|p| a.starts_with(p))
    };
    p.o.vm_arguments = image.into_iter().chain(tool).chain(command).chain(last).filter(|a| !own(a)).collect();
    if p.gc.len() > 1 {
        return Err(OptionError::Init("Multiple garbage collectors selected".into()));
    }
    if p.o.flags.management_server && !p.o.properties.iter().any(|p| p.1 == "jdk.management.agent") {
        p.numbered("jdk.module.addmods.", "jdk.management.agent");
    }
    super::ergonomics::choose(&mut p.o)?;
    properties::finish(&mut p.o);
    Ok(p.o)
}

fn usage<T>(message: impl Into<String>) -> Result<T, OptionError> {
    Err(OptionError::Usage(message.into()))
}

fn unsupported<T>(message: impl Into<String>) -> Result<T, OptionError> {
    Err(OptionError::Unsupported(message.into()))
}

/// Splits at white space; single and double quotes keep it. None if a quote is not closed.
pub fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_ascii_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

fn environment(name: &str, text: &str) -> Result<Vec<String>, OptionError> {
    crate::errln!("Picked up {name}: {text}");
    words(name, text)
}

fn words(name: &str, text: &str) -> Result<Vec<String>, OptionError> {
    match split(text) {
        Some(words) => Ok(words),
        None => usage(format!("Unmatched quote in {name}")),
    }
}

/// The options of a source with those of the one file that it may name in that file's place.
fn with_options_file(options: Vec<String>, container: &str) -> Result<Vec<String>, OptionError> {
    const OPTION: &str = "-XX:VMOptionsFile=";
    let mut all = Vec::with_capacity(options.len());
    let mut seen = false;
    for a in options {
        let Some(name) = a.strip_prefix(OPTION) else {
            all.push(a);
            continue;
        };
        if seen {
            return usage(format!(
                "The option '{a}' is already specified in the options container '{container}' so the specification of '{a}' in the same options container is an error."
            ));
        }
        seen = true;
        let file = options_file(name)?;
        if file.iter().any(|o| o.starts_with(OPTION)) {
            return usage(format!(
                "A VM options file may not refer to a VM options file. Specification of '{OPTION}<file-name>' in the options file '{a}' in options container '{container}' is an error."
            ));
        }
        all.extend(file);
    }
    Ok(all)
}

fn options_file(name: &str) -> Result<Vec<String>, OptionError> {
    let Ok(text) = std::fs::read_to_string(name) else {
        return usage(format!("Could not open options file '{name}'"));
    };
    words(name, &text)
}

struct Parser {
    o: Options,
    ignore_unrecognized: bool,
    origin: Origin,
    /// Next number of each numbered module property.
    counters: Vec<(&'static str, usize)>,
    /// Collectors that were switched on.
    gc: Vec<String>,
}

impl Parser {
    fn all(&mut self, args: &[String]) -> Result<(), OptionError> {
        args.iter().try_for_each(|a| self.one(a))
    }
    fn warn(&mut self, line: impl Into<String>) {
        self.o.warnings.push(line.into());
    }
    /// An agent by its name, or name, `mark` and options.
    fn agent_in(&mut self, text: &str, mark: char, absolute: bool) {
        match text.split_once(mark) {
            Some((name, options)) => self.agent(name, absolute, Some(options)),
            None => self.agent(text, absolute, None),
        }
    }
    fn agent(&mut self, name: &str, absolute: bool, options: Option<&str>) {
        self.o.agents.push(Agent { name: name.into(), absolute, options: options.map(Into::into) });
    }
    fn unrecognized(&self, a: &str) -> Result<(), OptionError> {
        if self.ignore_unrecognized { Ok(()) } else { usage(format!("Unrecognized option: {a}")) }
    }
    /// Sets a flag by its spelling in the table.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, OptionError> {
        let Some(i) = flags::find(name) else { return Ok(false) };
        let row = &TABLE[i];
        if let (Some((lo, hi)), Some(v)) = (row.range, <i64 as flags::FlagValue>::parse(value))
            && !(lo..=hi).contains(&v)
        {
            let ty = row.ty;
            return usage(format!(
                "{ty} {name}={v} is outside the allowed range [ {lo} ... {hi} ]\nImproperly specified VM option '{name}={value}'"
            ));
        }
        if !(row.set)(&mut self.o.flags, value) {
            return Ok(false);
        }
        self.o.origins[i] = self.origin;
        Ok(true)
    }
    /// A size option such as -Xmx, checked against its least value.
    fn size(&mut self, a: &str, text: &str, flag: &str, what: &str, least: u64) -> Result<(), OptionError> {
        match parse_size(text) {
            Some(n) if n >= least => {
                self.set(flag, &n.to_string())?;
                Ok(())
            }
            _ => usage(format!("Invalid {what}: {a}")),
        }
    }

    fn one(&mut self, a: &str) -> Result<(), OptionError> {
        if let Some(x) = a.strip_prefix("-XX:") {
            return self.flag(x);
        }
        if let Some(d) = a.strip_prefix("-D") {
            return self.property(d);
        }
        if a.starts_with("--") {
            return self.long(a);
        }
        if let Some(on) = assertion_switch(a) {
            return self.assertion(a, on);
        }
        if let Some(x) = a.strip_prefix("-X") {
            return self.x(a, x);
        }
        self.rest(a)
    }

    fn rest(&mut self, a: &str) -> Result<(), OptionError> {
        use crate::log::configure;
        let log = |s: &str| configure(s).map_err(OptionError::Usage);
        match a {
            "-verbose" | "-verbose:class" => {
                log(":class+load=info")?;
                return log(":class+unload=info");
            }
            "-verbose:gc" => return log(":gc=info"),
            "-verbose:module" => return log(":module+load=info"),
            "-verbose:jni" => {
                self.o.verbose_jni = true;
                return log(":jni+resolve=debug");
            }
            "-remix" => self.o.remix = Some("online".into()),
            // The launcher's own, forwarded.
            "-server" | "-client" | "-green" | "-native" | "-classic" | "exit" | "abort" | "vfprintf" => {}
            _ if a.starts_with("-verbose:") => {}
            _ => {
                if let Some(mode) = a.strip_prefix("-remix:") {
                    if !matches!(mode, "online" | "detect" | "offline") {
                        return self.unrecognized(a);
                    }
                    self.o.remix = Some(mode.into());
                } else if let Some(jar) = a.strip_prefix("-javaagent:") {
                    self.agent("instrument", false, Some(jar));
                    self.numbered("jdk.module.addmods.", "java.instrument");
                } else if let Some(x) = a.strip_prefix("-agentlib:") {
                    self.agent_in(x, '=', false);
                } else if let Some(x) = a.strip_prefix("-agentpath:") {
                    self.agent_in(x, '=', true);
                } else {
                    return self.unrecognized(a);
                }
            }
        }
        Ok(())
    }

    fn x(&mut self, a: &str, x: &str) -> Result<(), OptionError> {
        match x {
            "int" => self.o.mode = Mode::Interpreted,
            "mixed" => self.o.mode = Mode::Mixed,
            "comp" => {
                self.o.mode = Mode::Compiled;
                self.set("BackgroundCompilation", "false")?;
            }
            "rs" => {
                self.set("ReduceSignalUsage", "true")?;
            }
            "batch" => {
                self.set("BackgroundCompilation", "false")?;
            }
            "debug" | "noagent" | "future" | "diag" | "share:auto" | "share:off" => {}
            "noclassgc" => {
                self.set("ClassUnloading", "false")?;
            }
            "internalversion" => {
                crate::outln!(
                    "{} ({}) for linux-{} JRE (17)",
                    super::VM_NAME,
                    super::VM_VERSION,
                    std::env::consts::ARCH
                );
                return Err(OptionError::Answered);
            }
            "share:on" | "share:dump" => self.warn(format!("Option {a} has no effect: there is no class data sharing")),
            "check:jni" => {
                self.o.check_jni = true;
            }
            "prof" => self.warn("Ignoring option -Xprof; support was removed in 10.0"),
            "verify:all" | "verify:remote" | "verify" => {
                self.set("BytecodeVerificationLocal", if x == "verify:all" { "true" } else { "false" })?;
                self.set("BytecodeVerificationRemote", "true")?;
            }
            "verify:none" => {
                self.set("BytecodeVerificationLocal", "false")?;
                self.set("BytecodeVerificationRemote", "false")?;
                self.warn("Options -Xverify:none and -noverify were deprecated in JDK 13 and will likely be removed in a future release.");
            }
            "bootclasspath" => return unsupported("-Xbootclasspath is no longer a supported option."),
            _ => return self.x_with_value(a, x),
        }
        Ok(())
    }

    fn x_with_value(&mut self, a: &str, x: &str) -> Result<(), OptionError> {
        if let Some(t) = x.strip_prefix("mx") {
            return self.size(a, t, "MaxHeapSize", "maximum heap size", 1);
        }
        if let Some(t) = x.strip_prefix("ms") {
            self.size(a, t, "InitialHeapSize", "initial heap size", 0)?;
            return self.size(a, t, "MinHeapSize", "initial heap size", 0);
        }
        if let Some(t) = x.strip_prefix("mn") {
            self.size(a, t, "MaxNewSize", "initial young generation size", 1)?;
            return self.size(a, t, "NewSize", "initial young generation size", 1);
        }
        if let Some(t) = x.strip_prefix("ss") {
            return match parse_size(t) {
                None => usage(format!("Invalid thread stack size: {a}")),
                Some(n) if n > 1 << 30 => usage(format!(
                    "Invalid thread stack size: {a}\nThe specified size exceeds the maximum representable size."
                )),
                Some(n) if n != 0 && n < 136 << 10 => {
                    // HotSpot says this on stdout and leaves the rest to the launcher.
                    crate::outln!("\nThe Java thread stack size specified is too small. Specify at least 136k");
                    usage("")
                }
                Some(n) => self.set("ThreadStackSize", &n.div_ceil(1024).to_string()).map(|_set| ()),
            };
        }
        if x == "log" || x.starts_with("log:") {
            if x == "log:help" {
                crate::out!("{}", crate::log::describe());
                return Err(OptionError::Answered);
            }
            return crate::log::configure(&x[3..]).or_else(|message| {
                message.lines().for_each(|l| crate::outln!("[0.000s][error][logging] {l}"));
                usage(format!("Invalid -Xlog option '{a}', see error log for details."))
            });
        }
        if x.starts_with("log") && !x.starts_with("loggc:") {
            return usage(format!("Invalid -Xlog option '{a}', see error log for details."));
        }
        if let Some(file) = x.strip_prefix("loggc:") {
            crate::outln!("[0.000s][warning][gc] -Xloggc is deprecated. Will use -Xlog:gc:{file} instead.");
            return crate::log::configure(&format!(":gc:{file}")).map_err(OptionError::Usage);
        }
        if let Some(path) = x.strip_prefix("bootclasspath/a:") {
            let append = &mut self.o.boot_class_path_append;
            if !append.is_empty() {
                append.push(':');
            }
            append.push_str(path);
            return Ok(());
        }
        if x.starts_with("bootclasspath/p:") {
            return unsupported("-Xbootclasspath/p is no longer a supported option.");
        }
        if x.starts_with("bootclasspath:") {
            return unsupported("-Xbootclasspath is no longer a supported option.");
        }
        if x.starts_with("check:") {
            return usage(format!("Unrecognized check option: {a}"));
        }
        if x.starts_with("verify:") {
            return usage(format!("Unrecognized verification option: {a}"));
        }
        if let Some(agent) = x.strip_prefix("run") {
            self.agent_in(agent, ':', false);
            return Ok(());
        }
        let sizes = ["maxjitcodesize", "shareclasses:"];
        if sizes.iter().any(|s| x.starts_with(s)) || x.starts_with("minf") || x.starts_with("maxf") {
            self.warn(format!("Option {a} has no effect in this VM"));
            return Ok(());
        }
        self.unrecognized(a)
    }

    fn property(&mut self, d: &str) -> Result<(), OptionError> {
        let (name, value) = d.split_once('=').unwrap_or((d, ""));
        if name == "java.ext.dirs" && !value.is_empty() {
            return unsupported(format!("-D{d} is not supported.  Use -classpath instead."));
        }
        if name == "java.endorsed.dirs" && !value.is_empty() {
            return unsupported(format!(
                "-D{d} is not supported. Endorsed standards and standalone APIs\nin modular form will be supported via the concept of upgradeable modules."
            ));
        }
        if internal_module_property(name) {
            self.warn("Ignoring system property options whose names match the '-Djdk.module.*'. names that are reserved for internal use.");
            return Ok(());
        }
        if name.is_empty() || properties::FIXED.contains(&name) {
            return Ok(());
        }
        self.o.set_property(name, value);
        if name.starts_with("com.sun.management") {
            self.set("ManagementServer", "true")?;
        }
        Ok(())
    }

    fn numbered(&mut self, prefix: &'static str, value: &str) {
        let n = match self.counters.iter_mut().find(|c| c.0 == prefix) {
            Some(c) => {
                c.1 += 1;
                c.1
            }
            None => {
                self.counters.push((prefix, 0));
                0
            }
        };
        self.o.set_property(&format!("{prefix}{n}"), value);
    }

    fn patches_base(&self) -> bool {
        self.o.patches().any(|p| p.0 == "java.base")
    }

    fn long(&mut self, a: &str) -> Result<(), OptionError> {
        const NUMBERED: [(&str, &str); 6] = [
            ("--add-modules=", "jdk.module.addmods."),
            ("--add-exports=", "jdk.module.addexports."),
            ("--add-opens=", "jdk.module.addopens."),
            ("--add-reads=", "jdk.module.addreads."),
            ("--patch-module=", "jdk.module.patch."),
            ("--enable-native-access=", "jdk.module.enable.native.access."),
        ];
        const PLAIN: [(&str, &str); 3] = [
            ("--module-path=", "jdk.module.path"),
            ("--upgrade-module-path=", "jdk.module.upgrade.path"),
            ("--limit-modules=", "jdk.module.limitmods"),
        ];
        for (option, prefix) in NUMBERED {
            if let Some(v) = a.strip_prefix(option) {
                if option == "--patch-module=" && !v.contains('=') {
                    return unsupported("Missing '=' in --patch-module specification");
                }
                if option == "--patch-module=" && v.starts_with("java.base=") && self.patches_base() {
                    return Err(OptionError::Init("Cannot specify java.base more than once to --patch-module".into()));
                }
                self.numbered(prefix, v);
                return Ok(());
            }
        }
        for (option, name) in PLAIN {
            if let Some(v) = a.strip_prefix(option) {
                self.o.set_property(name, v);
                return Ok(());
            }
        }
        match a {
            "--enable-preview" => self.o.enable_preview = true,
            _ if a.starts_with("--illegal-access=") => {
                self.warn(format!("Ignoring option {a}; support was removed in 17.0"));
            }
            _ => return self.unrecognized(a),
        }
        Ok(())
    }

    fn assertion(&mut self, a: &str, on: bool) -> Result<(), OptionError> {
        let s = &mut self.o.assertions;
        match a.split_once(':') {
            None if a.contains("system") || a == "-esa" || a == "-dsa" => s.system = on,
            None => s.user = on,
            Some((_, name)) => match name.strip_suffix("...") {
                Some(package) => s.packages.push((package.replace('/', "."), on)),
                None => s.classes.push((name.replace('/', "."), on)),
            },
        }
        Ok(())
    }

    /// What follows `-XX:`.
    fn flag(&mut self, x: &str) -> Result<(), OptionError> {
        if self.o.flags.print_vm_options {
            crate::outln!("VM option '{x}'");
        }
        let (name, value) = match (x.as_bytes().first(), x.split_once('=')) {
            (Some(b'+'), None) => (&x[1..], Some("true")),
            (Some(b'-'), None) => (&x[1..], Some("false")),
            (Some(b'+' | b'-'), Some((n, v))) => (&n[1..], Some(v)),
            (_, Some((n, v))) => (n.strip_suffix(':').unwrap_or(n), Some(v)),
            (_, None) => (x, None),
        };
        if name == "StartFlightRecording" {
            self.warn("Option StartFlightRecording has no effect: this VM has no flight recorder");
            return Ok(());
        }
        let signed = x.starts_with(['+', '-']);
        let bare = if signed { &x[1..] } else { x };
        let own = flags::find(name);
        let known = own.map(|i| (TABLE[i].ty == "bool", TABLE[i].kind)).or_else(|| hotspot_flag(name));
        let Some((is_bool, kind)) = known else {
            if self.ignore_unrecognized {
                return Ok(());
            }
            let guess = nearest(name).map_or(String::new(), |(n, b)| {
                let (before, after) = if b { ("(+/-)", "") } else { ("", "=<value>") };
                format!("\nDid you mean '{before}{n}{after}'? ")
            });
            return usage(format!("Unrecognized VM option '{bare}'{guess}"));
        };
        let lock = match kind {
            Kind::Diagnostic if !self.o.flags.unlock_diagnostic_vm_options => Some(("diagnostic", "Diagnostic")),
            Kind::Experimental if !self.o.flags.unlock_experimental_vm_options => {
                Some(("experimental", "Experimental"))
            }
            _ => None,
        };
        if let Some((word, unlock)) = lock {
            if self.ignore_unrecognized {
                return Ok(());
            }
            return usage(format!(
                "Error: VM option '{name}' is {word} and must be enabled via -XX:+Unlock{unlock}VMOptions.\nError: The unlock option must precede '{name}'."
            ));
        }
        match value {
            Some(_) if signed && !is_bool => return usage(format!("Unexpected +/- setting in VM option '{bare}'")),
            Some(_) if signed && x.contains('=') => return usage(format!("Improperly specified VM option '{bare}'")),
            _ if !signed && is_bool => return usage(format!("Missing +/- setting for VM option '{bare}'")),
            None => return usage(format!("Improperly specified VM option '{bare}'")),
            _ => {}
        }
        let value = value.unwrap_or_default();
        match name {
            "MaxHeapSize" | "InitialHeapSize" | "MinHeapSize" if parse_size(value).is_none() => {
                let which = if name == "MaxHeapSize" { "maximum" } else { "initial" };
                return usage(format!("Invalid {which} heap size: -XX:{x}"));
            }
            _ => {}
        }
        if let Some(n) = ranges::find(name) {
            match n.check(name, value) {
                Ok(None) => {}
                Ok(Some(outside)) => return usage(format!("{outside}\nImproperly specified VM option '{bare}'")),
                Err(()) => return usage(format!("Improperly specified VM option '{bare}'")),
            }
        }
        if let Some(version) = deprecated(name) {
            self.warn(format!(
                "Option {name} was deprecated in version {version} and will likely be removed in a future release."
            ));
        }
        if own.is_some() {
            if !self.set(name, value)? {
                return usage(format!("Improperly specified VM option '{bare}'"));
            }
            return Ok(());
        }
        match (name, value) {
            ("PrintGC", "true") => return self.old_gc_log("PrintGC", "gc"),
            ("PrintGCDetails", "true") => return self.old_gc_log("PrintGCDetails", "gc*"),
            ("NativeMemoryTracking", v) if !matches!(v, "off" | "summary" | "detail") => {
                return usage("Syntax error, expecting -XX:NativeMemoryTracking=[off|summary|detail]");
            }
            _ => {}
        }
        const COLLECTORS: [&str; 6] =
            ["UseSerialGC", "UseG1GC", "UseParallelGC", "UseZGC", "UseShenandoahGC", "UseEpsilonGC"];
        if COLLECTORS.contains(&name) && value == "true" && !self.gc.iter().any(|g| g == name) {
            self.gc.push(name.to_string());
        }
        if deprecated(name).is_none() {
            self.warn(format!("Option {name} has no effect in this VM"));
        }
        self.o.inert.insert(name.to_string(), (value.to_string(), self.origin));
        Ok(())
    }

    /// The switches that -Xlog has replaced.
    fn old_gc_log(&mut self, flag: &str, tags: &str) -> Result<(), OptionError> {
        crate::outln!("[0.000s][warning][gc] -XX:+{flag} is deprecated. Will use -Xlog:{tags} instead.");
        crate::log::configure(&format!(":{tags}")).map_err(OptionError::Usage)
    }

    /// -XX:Flags: one flag per line without `-XX:`; `#` begins a comment.
    fn settings_file(&mut self, name: &str) -> Result<(), OptionError> {
        let Ok(text) = std::fs::read_to_string(name) else {
            if self.ignore_unrecognized {
                return Ok(());
            }
            return usage(format!("Could not open settings file {name}"));
        };
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            for word in line.split_ascii_whitespace() {
                self.flag(word)?;
            }
        }
        Ok(())
    }
}

/// On or off, if `a` is one of the eight switches, alone or with a name behind a colon.
fn assertion_switch(a: &str) -> Option<bool> {
    let head = a.split(':').next().unwrap_or(a);
    let named = head.len() < a.len();
    match head {
        "-ea" | "-enableassertions" => Some(true),
        "-da" | "-disableassertions" => Some(false),
        "-esa" | "-enablesystemassertions" if !named => Some(true),
        "-dsa" | "-disablesystemassertions" if !named => Some(false),
        _ => None,
    }
}

fn internal_module_property(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("jdk.module.") else { return false };
    [
        "addexports",
        "addopens",
        "addreads",
        "addmods",
        "patch",
        "limitmods",
        "upgrade.path",
        "path",
        "enable.native.access",
    ]
    .iter()
    .any(|p| rest.strip_prefix(p).is_some_and(|r| r.is_empty() || r.starts_with('.')))
}

/// Since when a flag is deprecated.
fn deprecated(name: &str) -> Option<&'static str> {
    Some(match name {
        "MaxGCMinorPauseMillis" => "8.0",
        "InitialRAMFraction" | "MaxRAMFraction" | "MinRAMFraction" => "10.0",
        "TLABStats" => "12.0",
        "AllowRedefinitionToAddDeleteMethods" | "FlightRecorder" => "13.0",
        "CriticalJNINatives" => "16.0",
        "AlwaysLockClassLoader" => "17.0",
        "UseBiasedLocking"
        | "UseOptoBiasInlining"
        | "PrintBiasedLockingStatistics"
        | "PrintPreciseBiasedLockingStatistics" => "15.0",
        n if n.starts_with("BiasedLocking") => "15.0",
        _ => return None,
    })
}

/// Whether HotSpot has a flag of this name.
pub(super) fn is_hotspot_flag(name: &str) -> bool {
    hotspot_flag(name).is_some()
}

/// Whether a flag of HotSpot is boolean, and its kind.
fn hotspot_flag(name: &str) -> Option<(bool, Kind)> {
    hotspot_row(name).map(|r| (r.ty == "bool", r.kind))
}

/// What is known of a flag of HotSpot's.
struct HotspotRow {
    ty: &'static str,
    kind: Kind,
    /// Without options.
    value: Option<&'static str>,
}

fn hotspot_row(name: &str) -> Option<HotspotRow> {
    hotspot::NAMES.split_ascii_whitespace().find_map(|row| {
        let (n, rest) = row.split_once(':')?;
        let (code, value) = rest.split_once('=').map_or((rest, None), |(c, v)| (c, Some(v)));
        (n == name).then(|| HotspotRow {
            ty: match code.as_bytes()[0] {
                b'b' => "bool",
                b'i' => "intx",
                b'u' => "uintx",
                b'f' => "double",
                _ => "ccstr",
            },
            kind: match code.as_bytes()[1] {
                b'd' => Kind::Diagnostic,
                b'x' => Kind::Experimental,
                _ => Kind::Product,
            },
            value,
        })
    })
}

/// Type, value and origin of a flag of HotSpot's that has no effect here, if it may be seen.
pub fn inert(o: &Options, name: &str) -> Option<(&'static str, String, Origin)> {
    let row = hotspot_row(name)?;
    let seen = match row.kind {
        Kind::Diagnostic => o.flags.unlock_diagnostic_vm_options,
        Kind::Experimental => o.flags.unlock_experimental_vm_options,
        _ => true,
    };
    let (value, origin) = match o.inert.get(name) {
        Some((v, origin)) if matches!(row.ty, "intx" | "uintx") => {
            (parse_size(v).map_or_else(|| v.clone(), |n| n.to_string()), *origin)
        }
        Some((v, origin)) => (v.clone(), *origin),
        None => (row.value?.to_string(), Origin::Default),
    };
    seen.then_some((row.ty, value, origin))
}

/// The flag whose name shares most pairs of neighbouring letters with `name`, if these are seven
/// tenths of the letters of both; and whether it is boolean.
fn nearest(name: &str) -> Option<(&'static str, bool)> {
    let own = TABLE.iter().map(|r| (r.name, r.ty == "bool"));
    let theirs = hotspot::NAMES
        .split_ascii_whitespace()
        .filter_map(|row| row.split_once(':').map(|(n, code)| (n, code.starts_with('b'))));
    let score = |candidate: &str| {
        let (a, b) = (name.as_bytes(), candidate.as_bytes());
        let hits = a.windows(2).filter(|w| b.windows(2).any(|l| l == *w)).count();
        2.0 * hits as f64 / (a.len() + b.len()).max(1) as f64
    };
    own.chain(theirs)
        .map(|(n, b)| (score(n), n, b))
        .max_by(|x, y| x.0.total_cmp(&y.0))
        .filter(|best| best.0 >= 0.7)
        .map(|(_, n, b)| (n, b))
}
