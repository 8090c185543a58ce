//! What defines system properties: `-D`, and the `--` options of the module system.
//!
//! Invariant: a property under a name that the module system reads is there by a `--` option only;
//! those that may be repeated are numbered from 0 in their order.
use super::super::{OptionError, properties};
use super::{Parser, unsupported};

impl Parser {
    pub(super) fn property(&mut self, d: &str) -> Result<(), OptionError> {
        let (name, value) = d.split_once('=').unwrap_or((d, ""));
        let some = !matches!(value, "" | "\"\"");
        if name == "java.ext.dirs" && some {
            return unsupported(format!("-D{d} is not supported.  Use -classpath instead."));
        }
        if name == "java.endorsed.dirs" && some {
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

    pub(super) fn numbered(&mut self, prefix: &'static str, value: &str) {
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

    pub(super) fn module_option(&mut self, a: &str) -> Result<(), OptionError> {
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
