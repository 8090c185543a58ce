//! Options that begin with `-X`.
//!
//! Invariant: what acts here is flags of the table or fields of `Options` afterwards; what an option
//! looks like is judged before its value, in HotSpot's words.
use super::super::{Mode, OptionError, VM_NAME, VM_VERSION, parse_size};
use super::{Parser, unsupported, usage};

impl Parser {
    pub(super) fn nonstandard(&mut self, a: &str, x: &str) -> Result<(), OptionError> {
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
                crate::outln!("{} ({}) for linux-{} JRE (17)", VM_NAME, VM_VERSION, std::env::consts::ARCH);
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
            _ => return self.nonstandard_with_value(a, x),
        }
        Ok(())
    }

    fn nonstandard_with_value(&mut self, a: &str, x: &str) -> Result<(), OptionError> {
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
        if let Some(share) = x.strip_prefix("minf") {
            return self.free_ratio(a, share, "MinHeapFreeRatio", "min");
        }
        if let Some(share) = x.strip_prefix("maxf") {
            return self.free_ratio(a, share, "MaxHeapFreeRatio", "max");
        }
        let sizes = ["maxjitcodesize", "shareclasses:"];
        if sizes.iter().any(|s| x.starts_with(s)) {
            self.warn(format!("Option {a} has no effect in this VM"));
            return Ok(());
        }
        self.unrecognized(a)
    }

    /// -Xminf and -Xmaxf: a percentage as a fraction.
    fn free_ratio(&mut self, a: &str, share: &str, flag: &str, which: &str) -> Result<(), OptionError> {
        let Ok(share) = share.parse::<f64>() else {
            return usage(format!("Bad {which} heap free percentage size: {a}"));
        };
        let percent = (share * 100.0) as u64;
        if percent > 100 {
            return usage(format!("uintx {flag}={percent} is outside the allowed range [ 0 ... 100 ]"));
        }
        self.set(flag, &percent.to_string()).map(|_set| ())
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
}
