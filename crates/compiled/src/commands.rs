//! What the user asks of the compiler for one method: a directive that matches it, else the commands.
use concord_base::compile_commands::{self, Effect};
use concord_base::directives::{self, Said};
use concord_base::options;
use concord_contract::Method;
use concord_contract::compiled::Record;

fn asked(effect: Effect, m: &Method) -> Option<bool> {
    let commands = compile_commands::any(effect);
    if !commands && !directives::any() {
        return None;
    }
    let (class, name, descriptor) = (m.class.name.as_str(), m.name.as_str(), m.descriptor.as_str());
    match directives::asked(effect, &class, &name, &descriptor) {
        Said::Value(v) => Some(v),
        Said::Default => None,
        Said::Nothing => commands.then(|| compile_commands::asked(effect, &class, &name, &descriptor))?,
    }
}

pub fn may_compile(m: &Method) -> bool {
    let only = compile_commands::any(Effect::CompileOnly);
    asked(Effect::Exclude, m) != Some(true) && (!only || asked(Effect::CompileOnly, m) == Some(true))
}

/// What is kept of a compilation of `m`.
pub fn record(m: &Method) -> Record {
    if asked(Effect::DumpReplay, m) == Some(true) {
        Record::File
    } else if options::get().flags.dump_replay_data_on_error {
        Record::Memory
    } else {
        Record::Nothing
    }
}

/// Whether code of `m` is shown.
pub fn print(m: &Method) -> bool {
    asked(Effect::Print, m) == Some(true)
}

/// Whether who asks for code of `m` goes on without it.
pub fn in_background(m: &Method) -> bool {
    asked(Effect::BackgroundCompilation, m).unwrap_or(options::get().flags.background_compilation)
}
