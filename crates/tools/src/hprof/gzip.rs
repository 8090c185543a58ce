//! Compression by the JDK's own libzip, block by block.
//!
//! Invariant: each block is a gzip member of its own, so that the file is their concatenation; the
//! first member's comment says how many bytes a block holds, which lets readers seek.
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Write};

/// Uncompressed bytes of a block.
const BLOCK: usize = 1 << 20;

type InitParams = unsafe extern "C" fn(usize, *mut usize, *mut usize, c_int) -> *const c_char;
type Compress = unsafe extern "C" fn(
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut u8,
    usize,
    c_int,
    *const c_char,
    *mut *const c_char,
) -> usize;

pub struct Gzip {
    file: File,
    level: u32,
    compress: Compress,
    block: Vec<u8>,
    out: Vec<u8>,
    scratch: Vec<u8>,
    first: bool,
}

impl Gzip {
    /// # Errors
    /// A line for the user if libzip cannot be used.
    pub fn new(file: File, level: u32) -> Result<Gzip, String> {
        let path = format!("{}/lib/libzip.so", concord_base::options::get().java_home);
        let path = CString::new(path).map_err(|e| e.to_string())?;
        // SAFETY: the JDK's own library; the two functions have these types in JDK 17.
        let (init, compress) = unsafe {
            let lib = libc::dlopen(path.as_ptr(), libc::RTLD_LAZY);
            let find = |name: &CStr| if lib.is_null() { std::ptr::null_mut() } else { libc::dlsym(lib, name.as_ptr()) };
            let (a, b) = (find(c"ZIP_GZip_InitParams"), find(c"ZIP_GZip_Fully"));
            if a.is_null() || b.is_null() {
                return Err("Cannot get ZIP_GZip_InitParams or ZIP_GZip_Fully from libzip".into());
            }
            (std::mem::transmute::<*mut c_void, InitParams>(a), std::mem::transmute::<*mut c_void, Compress>(b))
        };
        let (mut out, mut scratch) = (0usize, 0usize);
        // SAFETY: two places for sizes.
        let wrong = unsafe { init(BLOCK, &mut out, &mut scratch, level as c_int) };
        if !wrong.is_null() {
            // SAFETY: libzip returns a literal.
            return Err(unsafe { CStr::from_ptr(wrong) }.to_string_lossy().into_owned());
        }
        // The first member's comment is not in the size asked for.
        let (out, scratch) = (vec![0; out + 1024], vec![0; scratch]);
        Ok(Gzip { file, level, compress, block: Vec::with_capacity(BLOCK), out, scratch, first: true })
    }

    fn flush(&mut self) -> io::Result<u64> {
        if self.block.is_empty() {
            return Ok(0);
        }
        let comment = CString::new(format!("HPROF BLOCKSIZE={BLOCK}")).map_err(io::Error::other)?;
        let comment = if std::mem::take(&mut self.first) { comment.as_ptr() } else { std::ptr::null() };
        let mut message = std::ptr::null();
        // SAFETY: three buffers with their sizes; the out buffer has the size that libzip asked for.
        let n = unsafe {
            (self.compress)(
                self.block.as_ptr(),
                self.block.len(),
                self.out.as_mut_ptr(),
                self.out.len(),
                self.scratch.as_mut_ptr(),
                self.scratch.len(),
                self.level as c_int,
                comment,
                &mut message,
            )
        };
        if !message.is_null() {
            // SAFETY: libzip returns a literal.
            return Err(io::Error::other(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()));
        }
        self.file.write_all(&self.out[..n])?;
        self.block.clear();
        Ok(n as u64)
    }

    /// Takes bytes; the number of compressed bytes that went to the file.
    pub fn write(&mut self, mut bytes: &[u8]) -> io::Result<u64> {
        let mut n = 0;
        while !bytes.is_empty() {
            let part = bytes.len().min(BLOCK - self.block.len());
            self.block.extend_from_slice(&bytes[..part]);
            bytes = &bytes[part..];
            if self.block.len() == BLOCK {
                n += self.flush()?;
            }
        }
        Ok(n)
    }
    pub fn finish(mut self) -> io::Result<u64> {
        self.flush()
    }
}
