//! System properties and those of agents, in the format of java.util.Properties.
use super::{Arguments, Failure, Reply, checked};
use concord_contract::{Obj, Thread};
use concord_runtime::call;

fn serialized(th: &Thread, method: &str) -> Reply {
    let r = call::call_static(th, "jdk/internal/vm/VMSupport", method, "()[B", &[]);
    // A failure is the exception's text, and nothing else the tool could use.
    let address = checked(th, r).map_err(|f| Failure { code: -1, text: f.text })?;
    // SAFETY: the descriptor promises a byte array, and no safepoint lies between.
    let array = unsafe { Obj::from_addr(address as usize) };
    // SAFETY: copied at once.
    Ok(unsafe { array.bytes() }.to_vec())
}

pub fn command(th: &Thread, _a: &Arguments) -> Reply {
    system(th)
}
pub fn system(th: &Thread) -> Reply {
    serialized(th, "serializePropertiesToByteArray")
}
pub fn agent(th: &Thread) -> Reply {
    serialized(th, "serializeAgentPropertiesToByteArray")
}
