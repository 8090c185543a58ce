//! What the user asks of the compiler for one method: a directive that matches it, else the commands, else the default directive.
use concord_base::compile_commands::{self, Effect};
use concord_base::directives::{self, Named, Said};
use concord_base::options;
use concord_contract::Method;
use concord_contract::compiled::Record;

/// What a directive for the method says, else a command, else the default directive.
fn asked(effect: Effect, m: &Method) -> bool {
    said(effect, m).unwrap_or_else(|| directives::default(effect))
}

fn said(effect: Effect, m: &Method) -> Option<bool> {
    let commands = compile_commands::any(effect);
    if !commands && !directives::any() {
        return None;
    }
    let (class, name, descriptor) = (m.class.name.as_str(), m.name.as_str(), m.descriptor.as_str());
    match directives::asked(effect, Named { class: &class, method: &name, descriptor: &descriptor }) {
        Said::Value(v) => Some(v),
        Said::Default => None,
        Said::Nothing => commands.then(|| compile_commands::asked(effect, &class, &name, &descriptor))?,
    }
}

pub fn may_compile(m: &Method) -> bool {
    let only = compile_commands::any(Effect::CompileOnly);
    !asked(Effect::Exclude, m) && (!only || asked(Effect::CompileOnly, m))
}

/// What is kept of a compilation of `m`.
pub fn record(m: &Method) -> Record {
    if asked(Effect::DumpReplay, m) {
        Record::File
    } else if options::get().flags.dump_replay_data_on_error {
        Record::Memory
    } else {
        Record::Nothing
    }
}

/// Whether code of `m` is shown.
pub fn print(m: &Method) -> bool {
    asked(Effect::Print, m)
}

/// Whether who asks for code of `m` goes on without it.
pub fn in_background(m: &Method) -> bool {
    asked(Effect::BackgroundCompilation, m)
}
