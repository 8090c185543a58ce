//! Agents: native ones through the tool interface, the management agent through its Java class.
use super::{Arguments, Reply, checked};
use concord_base::Symbol;
use concord_contract::{JResult, Thread};
use concord_runtime::info::ClassExt;
use concord_runtime::{call, exceptions, handles, init, loader, strings};

/// The attach protocol's `load`: a library that cannot be loaded is a failure, what its function
/// returned is not.
pub fn load(th: &Thread, library: &str, absolute: bool, options: &str) -> Reply {
    let Some(agents) = crate::agents() else { return Err(format!("{library} was not loaded.\n").into()) };
    match (agents.load)(th, library, absolute, options) {
        Ok(number) => Ok(format!("return code: {number}\n").into_bytes()),
        Err(why) => Err(format!("{why}\n").into()),
    }
}
/// The same for the command, which prints both.
fn load_and_tell(th: &Thread, library: &str, absolute: bool, options: &str) -> Reply {
    load(th, library, absolute, options).or_else(|f| Ok(f.text.into_bytes()))
}

pub fn load_command(th: &Thread, a: &Arguments) -> Reply {
    let Some(path) = a.text("library path") else { return Err("JVMTI.agent_load dcmd needs library path.\n".into()) };
    let options = a.text("agent option").unwrap_or("");
    if let Some(jar) = path.strip_suffix(".jar") {
        let arguments = if options.is_empty() { format!("{jar}.jar") } else { format!("{jar}.jar={options}") };
        return load_and_tell(th, "instrument", false, &arguments);
    }
    load_and_tell(th, path, true, options)
}

pub fn data_dump(th: &Thread, _a: &Arguments) -> Reply {
    if let Some(agents) = crate::agents() {
        (agents.data_dump)(th);
    }
    Ok(Vec::new())
}

/// Calls a static method of the management agent.
fn management(th: &Thread, method: &str, descriptor: &str, argument: Option<&str>) -> JResult<u64> {
    let scope = handles::Scope::new(th);
    let name = strings::new_str(th, "jdk.management.agent")?;
    let load = "(Ljava/lang/String;)Ljava/lang/Module;";
    call::call_static(th, "jdk/internal/module/Modules", "loadModule", load, &[name.addr() as u64])?;
    let Some(system) = loader::SYSTEM.get() else {
        return exceptions::throw(th, "java/lang/IllegalStateException", "the VM is still starting");
    };
    let class = loader::find_class(th, Symbol::from("jdk/internal/agent/Agent"), system)?;
    init::initialize(th, class)?;
    let Some(m) = class.declared_method(Symbol::from(method), Symbol::from(descriptor)) else {
        return exceptions::throw(
            th,
            "java/lang/NoSuchMethodError",
            &format!("jdk.internal.agent.Agent.{method}{descriptor}"),
        );
    };
    match argument {
        Some(a) => {
            let a = scope.handle(strings::new_str(th, a)?);
            call::invoke(th, m, &[a.get().addr() as u64])
        }
        None => call::invoke(th, m, &[]),
    }
}

/// Starts the agent as the properties say, with the VM. It tells the user itself why it cannot, and mostly ends the
/// process.
///
/// # Errors
/// When there is no agent, or what it has thrown.
pub fn start_with_vm(th: &Thread) -> JResult<()> {
    management(th, "startAgent", "()V", None).map(|_void| ())
}
pub fn start_remote(th: &Thread, a: &Arguments) -> Reply {
    let given: Vec<String> = a.all().map(|(name, value)| format!("com.sun.management.{name}={value}")).collect();
    let r = management(th, "startRemoteManagementAgent", "(Ljava/lang/String;)V", Some(&given.join(",")));
    checked(th, r).map(|_void| Vec::new())
}
pub fn start_local(th: &Thread, _a: &Arguments) -> Reply {
    let r = management(th, "startLocalManagementAgent", "()V", None);
    checked(th, r).map(|_void| Vec::new())
}
pub fn stop_remote(th: &Thread, _a: &Arguments) -> Reply {
    let r = management(th, "stopRemoteManagementAgent", "()V", None);
    checked(th, r).map(|_void| Vec::new())
}
pub fn status(th: &Thread, _a: &Arguments) -> Reply {
    let r = management(th, "getManagementAgentStatus", "()Ljava/lang/String;", None);
    let address = checked(th, r)?;
    // SAFETY: the descriptor promises a string, and no safepoint lies between.
    let text = strings::to_string(unsafe { concord_contract::Obj::from_addr(address as usize) });
    Ok(format!("{text}\n").into_bytes())
}
