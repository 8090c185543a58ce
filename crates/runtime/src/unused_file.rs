//! Memory of class files whose definition may fail.
//!
//! Invariant: what [`Unused`] made lives for ever once a class was made of it, and goes with the definition if none was.
use concord_classfile::ClassFile;

/// A class file that no class has yet: gone if none is made of it.
#[derive(Default)]
pub struct Unused {
    bytes: Option<*mut [u8]>,
    file: Option<*mut ClassFile<'static>>,
}

impl Unused {
    /// A copy of the bytes.
    pub fn bytes(&mut self, b: &[u8]) -> &'static [u8] {
        let p = Box::into_raw(Box::<[u8]>::from(b));
        self.bytes = Some(p);
        // SAFETY: just made; freed by `drop` alone, when nobody holds it.
        unsafe { &*p }
    }
    pub fn file(&mut self, f: ClassFile<'static>) -> &'static ClassFile<'static> {
        let p = Box::into_raw(Box::new(f));
        self.file = Some(p);
        // SAFETY: as above.
        unsafe { &*p }
    }
    /// A class refers to it from here on.
    pub fn keep(&mut self) {
        (self.bytes, self.file) = (None, None);
    }
}

impl Drop for Unused {
    fn drop(&mut self) {
        // SAFETY: made by `file` and `bytes`; no class was made of them, and nothing else outlives the definition.
        unsafe {
            if let Some(f) = self.file {
                drop(Box::from_raw(f));
            }
            if let Some(b) = self.bytes {
                drop(Box::from_raw(b));
            }
        }
    }
}
