//! Where the JDK is: the folder that becomes the property java.home.
use std::ffi::{CStr, c_int, c_void};
use std::path::{Path, PathBuf};

extern "C" fn visit(info: *mut libc::dl_phdr_info, _size: usize, data: *mut c_void) -> c_int {
    // SAFETY: the dynamic linker passes a valid record; `data` is the Option below.
    unsafe {
        let name = (*info).dlpi_name;
        if !name.is_null() {
            let name = CStr::from_ptr(name).to_string_lossy();
            if name.ends_with("/libjli.so") {
                *data.cast::<Option<PathBuf>>() = Some(PathBuf::from(name.into_owned()));
                return 1;
            }
        }
    }
    0
}

fn is_home(p: &Path) -> bool {
    p.join("lib/modules").is_file()
}

/// The launcher's library `<home>/lib/libjli.so`, else JAVA_HOME, else `<home>/lib/server` above
/// this library.
pub fn find() -> Option<String> {
    let mut jli: Option<PathBuf> = None;
    // SAFETY: `visit` writes to `jli` only, during the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut jli).cast()) };
    let mut candidates = Vec::new();
    if let Some(p) = jli.as_deref().and_then(|p| p.canonicalize().ok()) {
        candidates.extend(p.ancestors().nth(2).map(Path::to_path_buf));
    }
    candidates.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    if let Some(p) = own_path().and_then(|p| p.canonicalize().ok()) {
        candidates.extend(p.ancestors().nth(3).map(Path::to_path_buf));
    }
    let home = candidates.into_iter().find(|p| is_home(p))?;
    Some(home.to_string_lossy().into_owned())
}

fn own_path() -> Option<PathBuf> {
    // SAFETY: dladdr fills the record for an address of this library.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(find as *const c_void, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        Some(PathBuf::from(CStr::from_ptr(info.dli_fname).to_string_lossy().into_owned()))
    }
}
