//! Flags: `-XX:`, and the lines of a -XX:Flags file.
//!
//! Invariant: a flag is set, noted as one without an effect, or refused in HotSpot's words; what is
//! wrong about it is found in HotSpot's order: name, lock, form, range, value.
use super::super::flags::{self, Kind, TABLE};
use super::super::{OptionError, hotspot, parse_size, ranges};
use super::{Parser, usage};

/// Collectors of HotSpot's, of which one may be chosen.
const COLLECTORS: [&str; 6] = ["UseSerialGC", "UseG1GC", "UseParallelGC", "UseZGC", "UseShenandoahGC", "UseEpsilonGC"];

/// Old names of flags, the names now, and the versions that gave them.
const RENAMED: [(&str, &str, &str); 2] =
    [("DefaultMaxRAMFraction", "MaxRAMFraction", "8.0"), ("CreateMinidumpOnCrash", "CreateCoredumpOnCrash", "9.0")];

/// A flag as it is written: `+Name`, `-Name`, `Name=value`, `Name:=value`.
struct Spelling<'a> {
    text: &'a str,
    name: &'a str,
    value: Option<&'a str>,
    signed: bool,
}

impl<'a> Spelling<'a> {
    fn new(text: &'a str) -> Self {
        let (name, value) = match (text.as_bytes().first(), text.split_once('=')) {
            (Some(b'+'), None) => (&text[1..], Some("true")),
            (Some(b'-'), None) => (&text[1..], Some("false")),
            (Some(b'+' | b'-'), Some((n, v))) => (&n[1..], Some(v)),
            (_, Some((n, v))) => (n.strip_suffix(':').unwrap_or(n), Some(v)),
            (_, None) => (text, None),
        };
        Spelling { text, name, value, signed: text.starts_with(['+', '-']) }
    }
    /// Without its sign, as error texts have it.
    fn bare(&self) -> &'a str {
        if self.signed { &self.text[1..] } else { self.text }
    }
    fn improper<T>(&self, why: &str) -> Result<T, OptionError> {
        usage(format!("{why}Improperly specified VM option '{}'", self.bare()))
    }
    /// The value, if the form is that of a boolean flag or that of others.
    fn value(&self, is_bool: bool) -> Result<&'a str, OptionError> {
        let bare = self.bare();
        match self.value {
            Some(_) if self.signed && !is_bool => usage(format!("Unexpected +/- setting in VM option '{bare}'")),
            Some(_) if self.signed && self.text.contains('=') => self.improper(""),
            _ if !self.signed && is_bool => usage(format!("Missing +/- setting for VM option '{bare}'")),
            None => self.improper(""),
            Some(value) => Ok(value),
        }
    }
    fn check_range(&self, value: &str) -> Result<(), OptionError> {
        match ranges::find(self.name).map(|n| n.check(self.name, value)) {
            None | Some(Ok(None)) => Ok(()),
            Some(Ok(Some(outside))) => self.improper(&format!("{outside}\n")),
            Some(Err(())) => self.improper(""),
        }?;
        match (self.name, value.parse::<u64>()) {
            (name @ "ObjectAlignmentInBytes", Ok(n)) if !n.is_power_of_two() => {
                self.improper(&format!("{name} ({n}) must be power of 2\n"))
            }
            (name @ "ContendedPaddingWidth", Ok(n)) if !n.is_multiple_of(8) => {
                usage(format!("{name} ({n}) must be a multiple of 8"))
            }
            _ => Ok(()),
        }
    }
}

impl Parser {
    /// What follows `-XX:`.
    pub(super) fn flag(&mut self, x: &str) -> Result<(), OptionError> {
        let old = Spelling::new(x).name;
        if let Some((_, now, version)) = RENAMED.iter().find(|r| r.0 == old) {
            self.warn(format!(
                "Option {old} was deprecated in version {version} and will likely be removed in a future release. Use option {now} instead."
            ));
            return self.current_flag(&x.replacen(old, now, 1), true);
        }
        self.current_flag(x, false)
    }

    fn current_flag(&mut self, x: &str, renamed: bool) -> Result<(), OptionError> {
        if self.o.flags.print_vm_options {
            crate::outln!("VM option '{x}'");
        }
        let spelling = Spelling::new(x);
        let name = spelling.name;
        if name == "StartFlightRecording" {
            self.warn("Option StartFlightRecording has no effect: this VM has no flight recorder");
            return Ok(());
        }
        let own = flags::find(name);
        let known = own.map(|i| (TABLE[i].ty == "bool", TABLE[i].kind)).or_else(|| hotspot::flag(name));
        match known {
            None if self.ignore_unrecognized => return Ok(()),
            None => return usage(unknown(&spelling)),
            // As in HotSpot, a flag that it knows is not ignored because it is locked.
            Some((_, kind)) => self.locked(name, kind).map_or(Ok(()), usage)?,
        }
        let value = spelling.value(known.is_some_and(|(is_bool, _)| is_bool))?;
        match name {
            "MaxHeapSize" | "InitialHeapSize" | "MinHeapSize" if parse_size(value).is_none() => {
                let which = if name == "MaxHeapSize" { "maximum" } else { "initial" };
                return usage(format!("Invalid {which} heap size: -XX:{x}"));
            }
            _ => {}
        }
        spelling.check_range(value)?;
        if let Some(version) = hotspot::deprecated(name).filter(|_| !renamed) {
            self.warn(format!(
                "Option {name} was deprecated in version {version} and will likely be removed in a future release."
            ));
        }
        if own.is_none() {
            return self.without_effect(name, value);
        }
        if self.set(name, value)? { Ok(()) } else { spelling.improper("") }
    }

    /// Why a flag of this kind may not be given yet.
    fn locked(&self, name: &str, kind: Kind) -> Option<String> {
        let (word, unlock) = match kind {
            Kind::Diagnostic if !self.o.flags.unlock_diagnostic_vm_options => ("diagnostic", "Diagnostic"),
            Kind::Experimental if !self.o.flags.unlock_experimental_vm_options => ("experimental", "Experimental"),
            _ => return None,
        };
        Some(format!(
            "Error: VM option '{name}' is {word} and must be enabled via -XX:+Unlock{unlock}VMOptions.\nError: The unlock option must precede '{name}'."
        ))
    }

    /// A flag of HotSpot's that Concord's table has not.
    fn without_effect(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match (name, value) {
            ("PrintGC", "true") => return self.old_gc_log("PrintGC", "gc"),
            ("PrintGCDetails", "true") => return self.old_gc_log("PrintGCDetails", "gc*"),
            ("NativeMemoryTracking", v) if !matches!(v, "off" | "summary" | "detail") => {
                return usage("Syntax error, expecting -XX:NativeMemoryTracking=[off|summary|detail]");
            }
            _ => {}
        }
        if COLLECTORS.contains(&name) && value == "true" && !self.gc.iter().any(|g| g == name) {
            self.gc.push(name.to_string());
        }
        let said_later = ["PrintNMTStatistics", "PrintWarnings"].contains(&name);
        if hotspot::deprecated(name).is_none() && !said_later {
            self.warn(format!("Option {name} has no effect in this VM"));
        }
        self.o.inert.insert(name.to_string(), (value.to_string(), self.origin));
        Ok(())
    }

    /// What is to be said of flags that depend on others, when all are known.
    pub(super) fn settle(&mut self) -> Result<(), OptionError> {
        let (least, most) = (self.o.flags.min_heap_free_ratio, self.o.flags.max_heap_free_ratio);
        if least > most {
            return usage(format!(
                "MinHeapFreeRatio ({least}) must be less than or equal to MaxHeapFreeRatio ({most})\n\
                 MaxHeapFreeRatio ({most}) must be greater than or equal to MinHeapFreeRatio ({least})"
            ));
        }
        let is = |name: &str, value: &str| self.o.inert.get(name).is_some_and(|v| v.0 == value);
        let (tracking, quiet) = (
            is("NativeMemoryTracking", "summary") || is("NativeMemoryTracking", "detail"),
            is("PrintWarnings", "false"),
        );
        if is("PrintNMTStatistics", "true") {
            self.warn(if tracking {
                "Option PrintNMTStatistics has no effect in this VM"
            } else {
                "PrintNMTStatistics is disabled, because native memory tracking is not enabled"
            });
        }
        if quiet {
            self.o.warnings.clear();
        }
        Ok(())
    }

    /// The switches that -Xlog has replaced.
    fn old_gc_log(&mut self, flag: &str, tags: &str) -> Result<(), OptionError> {
        crate::outln!("[0.000s][warning][gc] -XX:+{flag} is deprecated. Will use -Xlog:{tags} instead.");
        crate::log::configure(&format!(":{tags}")).map_err(OptionError::Usage)
    }

    /// -XX:Flags: one flag per line without `-XX:`; `#` begins a comment.
    pub(super) fn settings_file(&mut self, name: &str) -> Result<(), OptionError> {
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

/// That no flag has this name, and which one may be meant.
fn unknown(spelling: &Spelling) -> String {
    let guess = hotspot::nearest(spelling.name).map_or(String::new(), |(n, is_bool)| {
        let (before, after) = if is_bool { ("(+/-)", "") } else { ("", "=<value>") };
        format!("\nDid you mean '{before}{n}{after}'? ")
    });
    format!("Unrecognized VM option '{}'{guess}", spelling.bare())
}
