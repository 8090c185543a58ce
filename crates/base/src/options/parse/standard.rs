//! Options without a prefix of their own: -verbose, agents, assertions, the launcher's words.
//!
//! Invariant: agents and assertions keep the order in which they were given; which one counts is
//! for those to say who ask.
use super::super::{Agent, OptionError, Remix};
use super::Parser;
use crate::log::configure;

impl Parser {
    pub(super) fn standard(&mut self, a: &str) -> Result<(), OptionError> {
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
            "-remix" | "-remix:online" => self.o.remix = Some(Remix::Online),
            "-remix:detect" => self.o.remix = Some(Remix::Detect),
            "-remix:offline" => self.o.remix = Some(Remix::Offline),
            // The launcher's own, forwarded.
            "-server" | "-client" | "-green" | "-native" | "-classic" | "exit" | "abort" | "vfprintf" => {}
            _ if a.starts_with("-verbose:") => {}
            _ => {
                if let Some(jar) = a.strip_prefix("-javaagent:") {
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

    /// An agent by its name, or name, `mark` and options.
    pub(super) fn agent_in(&mut self, text: &str, mark: char, absolute: bool) {
        match text.split_once(mark) {
            Some((name, options)) => self.agent(name, absolute, Some(options)),
            None => self.agent(text, absolute, None),
        }
    }
    fn agent(&mut self, name: &str, absolute: bool, options: Option<&str>) {
        self.o.agents.push(Agent { name: name.into(), absolute, options: options.map(Into::into) });
    }

    pub(super) fn assertion(&mut self, a: &str, on: bool) {
        let s = &mut self.o.assertions;
        match a.split_once(':') {
            None if a.contains("system") || a == "-esa" || a == "-dsa" => s.system = on,
            None => s.user = on,
            Some((_, name)) => match name.strip_suffix("...") {
                Some(package) => s.packages.push((package.replace('/', "."), on)),
                None => s.classes.push((name.replace('/', "."), on)),
            },
        }
    }
}

/// On or off, if `a` is one of the eight switches, alone or with a name behind a colon.
pub(super) fn assertion_switch(a: &str) -> Option<bool> {
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
