//! Finding a class by its name, for a loader (JVMS 5.3.1 to 5.3.3).
//!
//! Invariant: the dictionary is asked first and last. A class that the boot loader does not have is
//! defined by one thread while the others wait; other loaders are Java code, which is asked without a
//! lock, and what it answers is entered under the name that was asked for.
//!
//! A load in progress is a row of [`Busy`](crate::busy::Busy).
use super::{IMAGE, Loader, boot};
use crate::info::ClassExt;
use crate::jimage::Image;
use crate::{arrays, call, define, exceptions, handles, known, strings};
use concord_base::{Symbol, bug};
use concord_contract::{BasicType, ClassRef, JResult, Obj, Thread, Thrown};

/// Opens the run-time image under `java_home`, once in the life of the process.
///
/// # Errors
/// What [`Image::open`] says.
pub fn open_image(java_home: &str) -> Result<(), String> {
    if IMAGE.get().is_none() {
        IMAGE.get_or_init({
            let image = Image::open(&format!("{java_home}/lib/modules"))?;
            || image
        });
    }
    Ok(())
}
pub fn image() -> &'static Image {
    match IMAGE.get() {
        Some(i) => i,
        None => bug!("the run-time image is not open"),
    }
}

/// The class named `name` as `loader` sees it, loading it if need be; array names are understood.
///
/// # Errors
/// What the loader throws; if it knows none, ClassNotFoundException with the name as the VM writes it, as HotSpot's has it.
pub fn find_class(th: &Thread, name: Symbol, loader: &'static Loader) -> JResult<ClassRef> {
    match search(th, name, loader)? {
        Some(c) => Ok(c),
        None => exceptions::throw(th, "java/lang/ClassNotFoundException", &name.as_str()),
    }
}

/// As [`find_class`], for code that refers to the class as `named`.
///
/// # Errors
/// As there, but NoClassDefFoundError in place of ClassNotFoundException, which is its cause if the loader threw it (JVMS 5.3).
pub fn find_referred(th: &Thread, name: Symbol, loader: &'static Loader, named: Symbol) -> JResult<ClassRef> {
    match search(th, name, loader) {
        Ok(Some(c)) => Ok(c),
        Ok(None) => exceptions::throw(th, "java/lang/NoClassDefFoundError", &named.as_str()),
        Err(Thrown) => exceptions::not_found_to_no_def(th, named),
    }
}

fn search(th: &Thread, name: Symbol, loader: &'static Loader) -> JResult<Option<ClassRef>> {
    if let Some(c) = loader.find_loaded(name) {
        return Ok(Some(c));
    }
    if name.as_bytes().first() == Some(&b'[') {
        return search_array(th, name.as_bytes(), loader);
    }
    if loader.is_boot() {
        return find_boot(th, name);
    }
    if loader.is_delegating() {
        // Its only class names those of the one that it is for, as that one sees them: its loader is not asked again.
        let parent = super::of_object(loader.java.get().get_ref(known::offsets().loader_parent));
        return search(th, name, parent);
    }
    load_by_java(th, name, loader)
}

fn search_array(th: &Thread, name: &[u8], loader: &'static Loader) -> JResult<Option<ClassRef>> {
    let dims = name.iter().take_while(|b| **b == b'[').count();
    let element = match &name[dims..] {
        [b'L', inner @ .., b';'] if !inner.is_empty() => search(th, Symbol::intern(inner), loader)?,
        [c] => BasicType::from_descriptor_char(*c)
            .filter(|t| !t.is_ref() && *t != BasicType::Void)
            .map(arrays::primitive_class),
        _ => None,
    };
    let Some(mut class) = element.filter(|_| dims <= 255) else {
        return Ok(None);
    };
    for _ in 0..dims {
        class = arrays::array_class(th, class)?;
    }
    Ok(Some(class))
}

/// A class of the boot loader, or None if there is none of that name.
pub fn find_boot(th: &Thread, name: Symbol) -> JResult<Option<ClassRef>> {
    loop {
        if let Some(c) = boot().find_loaded(name) {
            return Ok(Some(c));
        }
        let Some((bytes, source)) = boot_bytes(th, name)? else {
            return Ok(None);
        };
        let Some(_row) = boot().loading.alone(th, name)? else { continue };
        if let Some(c) = boot().find_loaded(name) {
            return Ok(Some(c));
        }
        let c = define::define_class(
            th,
            define::DefineArgs {
                name: Some(name),
                loader: boot(),
                bytes: define::Bytes::Static(bytes),
                protection_domain: Obj::NULL,
                source: Some(source.clone()),
                hidden: None,
            },
        )?;
        crate::modules::note_boot_package(c.info().package, &source);
        return Ok(Some(c));
    }
}

/// The bytes of a boot class and where they are from.
fn boot_bytes(th: &Thread, name: Symbol) -> JResult<Option<(&'static [u8], String)>> {
    let n = name.as_bytes();
    let package = match n.iter().rposition(|b| *b == b'/') {
        Some(i) => &n[..i],
        None => &[],
    };
    // Until java.base is defined every class is its.
    let module = || match crate::modules::java_base_defined() {
        true => crate::modules::of_package(boot(), Symbol::intern(package))?.name,
        false => Some(Symbol::from("java.base")),
    };
    match crate::boot_path::find_patch(th, module, &name.as_str()) {
        Ok(Some((bytes, path))) => return Ok(Some((Box::leak(bytes.into_boxed_slice()), path))),
        Ok(None) => {}
        Err(why) => return exceptions::throw(th, "java/lang/NoClassDefFoundError", &why),
    }
    if !package.is_empty()
        && let Some(module) = image().module_of(package)
        && crate::modules::is_boot_module(module)
    {
        return match image().find(&[b"/", module, b"/", n, b".class"]) {
            Ok(Some(b)) => Ok(Some((b, format!("jrt:/{}", String::from_utf8_lossy(module))))),
            Ok(None) => Ok(None),
            Err(e) => exceptions::throw(th, "java/lang/InternalError", &e),
        };
    }
    match crate::boot_path::find(th, &name.as_str()) {
        Ok(found) => Ok(found.map(|(bytes, path)| (&*Box::leak(bytes.into_boxed_slice()), path))),
        Err(why) => exceptions::throw(th, "java/lang/NoClassDefFoundError", &why),
    }
}

/// Calls `ClassLoader.loadClass(String)` and records this loader as initiating. A loader that answers with null or another class
/// has not found this one.
fn load_by_java(th: &Thread, name: Symbol, loader: &'static Loader) -> JResult<Option<ClassRef>> {
    let scope = handles::Scope::new(th);
    let java = scope.handle(loader.java.get());
    let parallel = !loader.java.get().get_ref(known::offsets().loader_parallel_lock_map).is_null();
    // Loaders that are not parallel capable expect the VM to hold their lock.
    if !parallel {
        crate::sync::enter(th, java.get())?;
    }
    let r = (|| {
        if let Some(c) = loader.find_loaded(name) {
            return Ok(Some(c));
        }
        let _row = loader.asking.begin(th, name)?;
        let dotted: Vec<u8> = name.as_bytes().iter().map(|b| if *b == b'/' { b'.' } else { *b }).collect();
        let dotted = strings::new_mutf8(th, &dotted)?;
        let m = known::methods().loader_load_class;
        let m = call::select(java.get().class(), m);
        let r = call::invoke(th, m, &[java.get().addr() as u64, dotted.addr() as u64])?;
        // SAFETY: the callee's descriptor promises a reference.
        let mirror = unsafe { Obj::from_addr(r as usize) };
        if mirror.is_null() {
            return Ok(None);
        }
        let class = crate::mirror::class_of(mirror);
        if class.name != name {
            return Ok(None);
        }
        match loader.record(name, class) {
            Ok(()) => Ok(Some(class)),
            Err(why) => why.throw(th, loader, class),
        }
    })();
    if !parallel {
        let unlocked = crate::sync::exit(th, java.get());
        if r.is_ok() {
            unlocked?;
        }
    }
    r
}
