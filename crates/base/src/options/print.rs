//! The flag listing of -XX:+PrintFlagsFinal, in the columns that tools parse.
use super::Options;
use super::flags::{Kind, TABLE};
use std::fmt::Write as _;

/// All flags that the options' unlock flags allow to see.
pub fn flags_text(o: &Options) -> String {
    let mut s = String::from("[Global flags]\n");
    for (i, r) in TABLE.iter().enumerate() {
        let hidden = match r.kind {
            Kind::Diagnostic => !o.flags.unlock_diagnostic_vm_options,
            Kind::Experimental => !o.flags.unlock_experimental_vm_options,
            _ => false,
        };
        if hidden {
            continue;
        }
        let value = (r.show)(&o.flags);
        let kind = format!("{{{}}}", r.kind.name());
        writeln!(s, "{:>9} {:<40} = {value:<28} {kind:>20} {{{}}}", r.ty, r.name, o.origin(i).name())
            .expect("writing to a string");
    }
    s
}
