//! Compiled code, the compile queue, directives.
use super::{Arguments, Failure, Reply};
use concord_base::{directives, options};
use concord_contract::Thread;

fn answer(of: impl FnOnce(&crate::Compiler) -> String) -> Reply {
    match crate::compiler() {
        Some(c) => Ok(of(c).into_bytes()),
        None => Err("there is no compiler".into()),
    }
}

pub fn code_cache(_th: &Thread, _a: &Arguments) -> Reply {
    answer(|c| (c.code_cache)())
}
pub fn code_list(_th: &Thread, _a: &Arguments) -> Reply {
    answer(|c| (c.code_list)())
}
pub fn queue(_th: &Thread, _a: &Arguments) -> Reply {
    answer(|c| (c.queue)())
}
pub fn perf_map(_th: &Thread, _a: &Arguments) -> Reply {
    let Some(c) = crate::compiler() else { return Err("there is no compiler".into()) };
    (c.perf_map)().map(|()| Vec::new()).map_err(|text| Failure { code: 1, text: text + "\n" })
}

pub fn directives_add(_th: &Thread, a: &Arguments) -> Reply {
    Ok(directives::add_file(a.text("filename").unwrap_or(""), &options::get().flags).0.into_bytes())
}
pub fn directives_clear(_th: &Thread, _a: &Arguments) -> Reply {
    directives::clear();
    Ok(Vec::new())
}
pub fn directives_print(_th: &Thread, _a: &Arguments) -> Reply {
    Ok(directives::print(&options::get().flags).into_bytes())
}
pub fn directives_remove(_th: &Thread, _a: &Arguments) -> Reply {
    directives::remove();
    Ok(Vec::new())
}
