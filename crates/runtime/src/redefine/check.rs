//! What a new version of a class may be.
//!
//! Invariant: what passes differs from the old version in method bodies and attributes alone, and in
//! private methods where an option allows it; it is parsed and verified as a class of its own would be.
//! Refused is what HotSpot refuses, in its order: other supers, nest, record, permitted subclasses,
//! modifiers, fields, methods.
use super::{Change, File, Refusal};
use crate::info::ClassExt;
use crate::{exceptions, verify};
use concord_base::vm_log;
use concord_classfile as cf;
use concord_contract::class::ClassState;
use concord_contract::method::acc;
use concord_contract::{ClassRef, Thread};

/// The exception that parsing or verifying left, as a refusal.
fn refusal(th: &Thread) -> Refusal {
    let e = th.take_exception();
    let name = e.class().name.as_str();
    vm_log!(ClassLoad, Info, "redefinition refused: {}", exceptions::describe(e));
    match &*name {
        "java/lang/UnsupportedClassVersionError" => Refusal::UnsupportedVersion,
        "java/lang/ClassFormatError" => Refusal::InvalidClassFormat,
        "java/lang/ClassCircularityError" => Refusal::CircularClassDefinition,
        "java/lang/NoClassDefFoundError" => Refusal::NamesDontMatch,
        "java/lang/VerifyError" => Refusal::FailsVerification,
        "java/lang/OutOfMemoryError" => Refusal::OutOfMemory,
        _ => Refusal::Internal,
    }
}

/// Parses, compares and verifies a new version.
pub(super) fn check(th: &Thread, c: &Change) -> Result<File, Refusal> {
    let (class, info) = (c.class, c.class.info());
    let opts = cf::ParseOptions {
        trusted: info.loader.is_boot(),
        vm_annotations: info.loader.is_builtin(),
        name: Some(info.self_name.as_bytes()),
        enable_preview: concord_base::options::get().enable_preview,
        ..Default::default()
    };
    let file: File = match cf::parse(c.bytes, &opts) {
        Ok(f) => Box::leak(Box::new(f)),
        Err(e) => {
            let _thrown: Result<(), _> = exceptions::throw(th, e.kind.class_name(), &e.message);
            return Err(refusal(th));
        }
    };
    if file.name() != info.self_name.as_bytes() {
        return Err(Refusal::NamesDontMatch);
    }
    compare(class, file)?;
    verify::verify_file(th, class, file).map_err(|_| refusal(th))?;
    Ok(file)
}

fn names(f: &cf::ClassFile<'static>, list: impl Iterator<Item = u16>) -> Vec<&'static [u8]> {
    let mut v: Vec<_> = list.map(|i| f.constants.class_name(i)).collect();
    v.sort_unstable();
    v
}

/// Refuses what cannot change.
fn compare(class: ClassRef, new: File) -> Result<(), Refusal> {
    if class.state() == ClassState::Erroneous {
        return Err(Refusal::InvalidClass);
    }
    let old = class.info().file;
    let super_name = |f: File| (f.super_class != 0).then(|| f.constants.class_name(f.super_class));
    let interfaces = |f: File| f.interfaces.iter().map(|i| f.constants.class_name(*i)).collect::<Vec<_>>();
    if super_name(old) != super_name(new) || interfaces(old) != interfaces(new) {
        return Err(Refusal::HierarchyChanged);
    }
    let host = |f: File| f.nest_host.map(|i| f.constants.class_name(i));
    let members = |f: File| names(f, f.nest_members.iter());
    let permitted = |f: File| f.permitted_subclasses.as_ref().map(|p| names(f, p.iter()));
    let utf8 = |f: File, i: u16| f.constants.utf8(i);
    let record = |f: File| {
        let all = f.record.as_ref()?;
        let signature = |i: Option<u16>| i.map(|i| utf8(f, i));
        Some(all.iter().map(|r| (utf8(f, r.name), utf8(f, r.desc), signature(r.signature))).collect::<Vec<_>>())
    };
    if host(old) != host(new)
        || members(old) != members(new)
        || permitted(old) != permitted(new)
        || record(old) != record(new)
    {
        return Err(Refusal::ClassAttributeChanged);
    }
    if old.access_flags != new.access_flags {
        return Err(Refusal::ClassModifiersChanged);
    }
    let fields = |f: File| f.fields.iter().map(|d| (utf8(f, d.name), utf8(f, d.desc), d.access)).collect::<Vec<_>>();
    if fields(old) != fields(new) {
        return Err(Refusal::SchemaChanged);
    }
    let key = |f: File, m: &cf::MethodInfo<'static>| (utf8(f, m.name), utf8(f, m.desc));
    for m in &new.methods {
        match old.methods.iter().find(|o| key(old, o) == key(new, m)) {
            None if may_come_and_go(m) => {}
            None => return Err(Refusal::MethodAdded),
            // A native method may get a body, and the other way round.
            Some(o) if u32::from(o.access ^ m.access) & !acc::NATIVE != 0 => {
                return Err(Refusal::MethodModifiersChanged);
            }
            Some(_) => {}
        }
    }
    let mut gone = old.methods.iter().filter(|o| !new.methods.iter().any(|m| key(old, o) == key(new, m)));
    if !gone.all(may_come_and_go) {
        return Err(Refusal::MethodDeleted);
    }
    Ok(())
}

/// Whether `-XX:+AllowRedefinitionToAddDeleteMethods` lets one version have a method that the other has not.
fn may_come_and_go(m: &cf::MethodInfo<'static>) -> bool {
    let access = u32::from(m.access);
    concord_base::options::get().flags.allow_redefinition_to_add_delete_methods
        && access & acc::PRIVATE != 0
        && access & (acc::STATIC | acc::FINAL) != 0
}
