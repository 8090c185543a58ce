//! `help`: the list of commands, or the description of one.
use super::{Arguments, Command, Reply, TABLE, find};
use concord_contract::Thread;
use std::fmt::Write as _;

pub fn help(_th: &Thread, a: &Arguments) -> Reply {
    if a.flag("-all") {
        let mut out = String::new();
        for c in TABLE {
            writeln!(out, "{}\n\t{}\n", c.name, c.help.replace('\n', "\n\t")).expect("writing to a string");
        }
        return Ok(out.into_bytes());
    }
    match a.text("command name") {
        Some(name) => match find(name) {
            Some(c) => Ok(describe(c).into_bytes()),
            None => Ok(format!("Help unavailable : '{name}' : No such command\n").into_bytes()),
        },
        None => {
            let mut out = String::from("The following commands are available:\n");
            for c in TABLE {
                writeln!(out, "{}", c.name).expect("writing to a string");
            }
            out.push_str("\nFor more information about a specific command use 'help <command>'.\n");
            Ok(out.into_bytes())
        }
    }
}

fn describe(c: &Command) -> String {
    let mut s = format!("{}\n{}\n\nImpact: {}\n\n", c.name, c.help, c.impact);
    let mut put = |t: String| s.push_str(&t);
    if let Some((class, name, action)) = c.permission {
        let action = action.map_or(String::new(), |a| format!(", {a}"));
        put(format!("Permission: {class}({name}{action})\n\n"));
    }
    put(usage(c));
    s
}

/// Syntax, arguments and options of a command.
pub fn syntax(name: &str) -> String {
    find(name).map_or_else(String::new, usage)
}
fn usage(c: &Command) -> String {
    let mut s = String::new();
    let mut put = |t: String| s.push_str(&t);
    let options: Vec<_> = c.parameters.iter().filter(|p| p.is_option).collect();
    let arguments: Vec<_> = c.parameters.iter().filter(|p| !p.is_option).collect();
    let colon = if c.parameters.is_empty() { ":" } else { " :" };
    let before = match (options.is_empty(), arguments.is_empty()) {
        (false, _) => " [options]",
        // The place of the word stays.
        (true, false) => " ",
        (true, true) => "",
    };
    put(format!("Syntax{colon} {}{before}", c.name));
    for p in &arguments {
        put(if p.mandatory { format!(" <{}>", p.name) } else { format!(" [<{}>]", p.name) });
    }
    put("\n".into());
    let row = |p: &super::Parameter, colon: &str| {
        let default = if p.default.is_empty() { "no default value".to_string() } else { p.default.to_string() };
        let optional = if p.mandatory { "" } else { "[optional] " };
        // A mandatory argument leaves the place of the word blank.
        let colon = if p.mandatory { colon } else { ":" };
        format!("\t{} {colon} {optional}{} ({}, {default})\n", p.name, p.help, p.kind.name())
    };
    if !arguments.is_empty() {
        put("\nArguments:\n".into());
        arguments.iter().for_each(|p| put(row(p, ": ")));
    }
    if !options.is_empty() {
        put("\nOptions: (options must be specified using the <key> or <key>=<value> syntax)\n".into());
        options.iter().for_each(|p| put(row(p, ": ")));
    }
    s
}
