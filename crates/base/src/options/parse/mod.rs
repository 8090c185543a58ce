//! The option parser.
//!
//! Invariant: what this returns is complete, or it is the first error in the order of the sources;
//! nothing is printed but the `Picked up` lines, flag echoes and what -Xlog itself prints.
//!
//! One module per kind of option, by how it begins: [`flag`] (`-XX:`), [`nonstandard`] (`-X`),
//! [`definitions`] (`-D`, `--`), [`standard`] (all others).
mod definitions;
mod flag;
mod nonstandard;
mod sources;
mod standard;

pub use sources::split;

use super::flags::{self, Origin, TABLE};
use super::properties::{self, LauncherFacts};
use super::{OptionError, Options, ergonomics};
use sources::{environment, with_options_file, words};

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
    let mut settings = false;
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
            settings = true;
            p.origin = Origin::ConfigFile;
            p.settings_file(name)?;
        }
    }
    if !settings && std::path::Path::new(".hotspotrc").exists() {
        p.warn(".hotspotrc file is present but has been ignored.  Run with -XX:Flags=.hotspotrc to load the file.");
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
    p.settle()?;
    ergonomics::choose(&mut p.o)?;
    properties::finish(&mut p.o);
    Ok(p.o)
}

fn usage<T>(message: impl Into<String>) -> Result<T, OptionError> {
    Err(OptionError::Usage(message.into()))
}

fn unsupported<T>(message: impl Into<String>) -> Result<T, OptionError> {
    Err(OptionError::Unsupported(message.into()))
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

    fn one(&mut self, a: &str) -> Result<(), OptionError> {
        if let Some(x) = a.strip_prefix("-XX:") {
            return self.flag(x);
        }
        if let Some(d) = a.strip_prefix("-D") {
            return self.property(d);
        }
        if a.starts_with("--") {
            return self.module_option(a);
        }
        if let Some(on) = standard::assertion_switch(a) {
            self.assertion(a, on);
            return Ok(());
        }
        if let Some(x) = a.strip_prefix("-X") {
            return self.nonstandard(a, x);
        }
        self.standard(a)
    }
}
