//! Where the boot loader looks beside the run-time image: what is appended to the boot class path, and what
//! `--patch-module` puts before modules; directories and jars.
//!
//! Invariant: entries are only added, and are searched in the order in which they were added; those of a patch before
//! the image, as long as java.base is not defined for java.base alone. A
//! jar is opened when it is first searched, by the JDK's libzip, and stays open; what is neither a
//! directory nor a jar is skipped, as HotSpot does.
use crate::blocking;
use concord_base::{Symbol, options, vm_log};
use concord_contract::Thread;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Mutex, OnceLock};

enum Entry {
    Directory(String),
    Jar { path: String, zip: Zip },
}

/// A jar that libzip has open.
#[derive(Clone, Copy)]
struct Zip(usize);

/// A path as given, with what it is once somebody looked.
type Listed = (String, OnceLock<Option<&'static Entry>>);
static ENTRIES: Mutex<Vec<Listed>> = Mutex::new(Vec::new());
/// Module and path of each patch.
static PATCHES: OnceLock<Vec<(String, Vec<Listed>)>> = OnceLock::new();

fn listed(path: &str) -> impl Iterator<Item = Listed> {
    path.split(':').filter(|p| !p.is_empty()).map(|p| (p.to_string(), OnceLock::new()))
}

/// Appends a colon-separated path.
pub fn append(path: &str) {
    ENTRIES.lock().expect("boot class path").extend(listed(path));
}

fn patches() -> &'static [(String, Vec<Listed>)] {
    PATCHES.get_or_init(|| options::get().patches().map(|(m, path)| (m.to_string(), listed(path).collect())).collect())
}

/// The bytes of the class `name` (with slashes), of a package of `module`, in a patch of that module, and where they were.
///
/// # Errors
/// As [`find`].
pub fn find_patch(th: &Thread, module: impl FnOnce() -> Option<Symbol>, name: &str) -> Found {
    if patches().is_empty() {
        return Ok(None);
    }
    let Some(module) = module() else { return Ok(None) };
    let Some((_, path)) = patches().iter().find(|p| module == p.0.as_str()) else { return Ok(None) };
    blocking(th, || path.iter().filter_map(opened).find_map(|e| e.read(name).transpose()).transpose())
}

/// The functions of libzip that are used here.
struct Library {
    open: unsafe extern "C" fn(*const c_char, *mut *mut c_char) -> *mut c_void,
    find: unsafe extern "C" fn(*mut c_void, *const c_char, *mut i32, *mut i32) -> *mut c_void,
    read: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut u8, *mut c_char) -> u8,
    close: unsafe extern "C" fn(*mut c_void),
}

fn libzip() -> Result<&'static Library, &'static str> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    LIBRARY.get_or_init(load).as_ref().map_err(|e| e.as_str())
}

fn load() -> Result<Library, String> {
    let path = format!("{}/lib/libzip.so", options::get().java_home);
    let c_path = CString::new(path.as_str()).map_err(|e| format!("{path}: {e}"))?;
    // SAFETY: a NUL-terminated path; the JDK's library has no unusual constructors.
    let handle = unsafe { libc::dlopen(c_path.as_ptr(), libc::RTLD_LAZY) };
    if handle.is_null() {
        return Err(format!("cannot load {path}"));
    }
    let find = |name: &CStr| {
        // SAFETY: a loaded library and a NUL-terminated name.
        let p = unsafe { libc::dlsym(handle, name.as_ptr()) };
        if p.is_null() { Err(format!("{path} has no {}", name.to_string_lossy())) } else { Ok(p) }
    };
    let (open, find_entry, read) = (find(c"ZIP_Open")?, find(c"ZIP_FindEntry")?, find(c"ZIP_ReadEntry")?);
    let close = find(c"ZIP_Close")?;
    // SAFETY: these functions of the JDK's library have the types of the fields (zip_util.h's C ABI,
    // the one that HotSpot itself uses).
    unsafe {
        Ok(Library {
            open: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*const c_char, *mut *mut c_char) -> *mut c_void,
            >(open),
            find: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut c_void, *const c_char, *mut i32, *mut i32) -> *mut c_void,
            >(find_entry),
            read: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut c_void, *mut c_void, *mut u8, *mut c_char) -> u8,
            >(read),
            close: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(close),
        })
    }
}

fn open(path: &str) -> Result<Entry, String> {
    let meta = std::fs::metadata(path).map_err(|e| format!("{path}: {e}"))?;
    if meta.is_dir() {
        return Ok(Entry::Directory(path.to_string()));
    }
    let library = libzip()?;
    // libzip keeps what it opened by name: the name must not depend on the working directory.
    let full = std::fs::canonicalize(path).map_err(|e| format!("{path}: {e}"))?;
    let c_path = CString::new(full.into_os_string().into_encoded_bytes()).map_err(|e| format!("{path}: {e}"))?;
    let mut message = std::ptr::null_mut();
    // SAFETY: a NUL-terminated path and a place for a message.
    let zip = unsafe { (library.open)(c_path.as_ptr(), &mut message) };
    if !zip.is_null() {
        return Ok(Entry::Jar { path: path.to_string(), zip: Zip(zip as usize) });
    }
    if message.is_null() {
        return Err(format!("{path}: not a jar"));
    }
    // Some messages are constants of libzip, so none is freed.
    // SAFETY: a NUL-terminated string.
    let text = unsafe { CStr::from_ptr(message).to_string_lossy().into_owned() };
    Err(format!("{path}: {text}"))
}

/// Whether a path names a jar that can be opened.
pub fn is_jar(path: &str) -> bool {
    match (open(path), libzip()) {
        (Ok(Entry::Jar { zip, .. }), Ok(library)) => {
            // SAFETY: libzip opened it for this call; jars that are open elsewhere are counted there.
            unsafe { (library.close)(zip.0 as *mut c_void) };
            true
        }
        _ => false,
    }
}

impl Zip {
    fn read(self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let library = libzip()?;
        let c_name = CString::new(name).map_err(|e| e.to_string())?;
        let (mut size, mut name_len) = (0i32, 0i32);
        let zip = self.0 as *mut c_void;
        // SAFETY: an open jar, a NUL-terminated name and two places for lengths.
        let entry = unsafe { (library.find)(zip, c_name.as_ptr(), &mut size, &mut name_len) };
        if entry.is_null() {
            return Ok(None);
        }
        let mut bytes = vec![0u8; size.max(0) as usize];
        let mut found = vec![0u8; name_len.max(0) as usize + 1];
        // SAFETY: buffers of the lengths that libzip gave for the entry (the name with its NUL);
        // the call frees the entry.
        let ok = unsafe { (library.read)(zip, entry, bytes.as_mut_ptr(), found.as_mut_ptr().cast()) };
        if ok == 0 { Err(format!("cannot read {name}")) } else { Ok(Some(bytes)) }
    }
}

/// Bytes, and the path as it was given.
type Found = Result<Option<(Vec<u8>, String)>, String>;

impl Entry {
    fn read(&self, name: &str) -> Found {
        let (path, bytes) = match self {
            Entry::Directory(path) => (path, read_file(&format!("{path}/{name}.class"))),
            Entry::Jar { path, zip } => (path, zip.read(&format!("{name}.class"))),
        };
        Ok(bytes.map_err(|e| format!("{path}: {e}"))?.map(|b| (b, path.clone())))
    }
}

/// The bytes of the class `name` (with slashes) and the entry that has it. `Err` is for what is
/// there and cannot be read.
///
/// # Errors
/// A sentence that names the file.
pub fn find(th: &Thread, name: &str) -> Found {
    if ENTRIES.lock().expect("boot class path").is_empty() {
        return Ok(None);
    }
    blocking(th, || {
        let mut i = 0;
        while let Some(entry) = entry(i) {
            i += 1;
            let Some(entry) = entry else { continue };
            if let Some(found) = entry.read(name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    })
}

/// Entry `i`, None behind the last; opened if it was not.
fn entry(i: usize) -> Option<Option<&'static Entry>> {
    let all = ENTRIES.lock().expect("boot class path");
    Some(opened(all.get(i)?))
}

/// What a path names, None for nothing; looked at once.
fn opened((path, known): &Listed) -> Option<&'static Entry> {
    *known.get_or_init(|| match open(path) {
        Ok(e) => {
            vm_log!(ClassLoad, Info, "{}: {path}", if matches!(e, Entry::Jar { .. }) { "opened" } else { "path" });
            Some(Box::leak(Box::new(e)))
        }
        Err(why) => {
            vm_log!(ClassLoad, Debug, "skipped: {why}");
            None
        }
    })
}

fn read_file(file: &str) -> Result<Option<Vec<u8>>, String> {
    use std::io::ErrorKind;
    match std::fs::read(file) {
        Ok(b) => Ok(Some(b)),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(e.to_string()),
    }
}
