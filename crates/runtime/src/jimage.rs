//! The JDK's run-time image, `lib/modules`: boot classes as slices of one read-only mapping.
//!
//! Invariant: the mapping lives as long as the process, so a resource is a `&'static [u8]` and a
//! boot class's bytecodes are never copied. Compressed resources are refused by name.
//!
//! ```text
//! header 28 bytes | redirect: i32 x n | offsets: u32 x n | locations | strings | resources
//! ```
//! A name is found by two hashes: `redirect[hash(name) % n]` is negative for a direct index, else
//! the seed of a second hash. A location is a list of attributes; strings are offsets into the
//! string table.
use std::fs::File;
use std::os::fd::AsRawFd;

const MAGIC: u32 = 0xcafe_dada;
const HEADER: usize = 28;
const SEED: u32 = 0x0100_0193;

pub struct Image {
    path: String,
    bytes: &'static [u8],
    n: usize,
    redirect: usize,
    offsets: usize,
    locations: usize,
    strings: usize,
    data: usize,
}

#[derive(Default, Clone, Copy)]
struct Location {
    attributes: [u64; 8],
}

fn hash(parts: &[&[u8]], seed: u32) -> u32 {
    let mut h = seed;
    for b in parts.iter().flat_map(|p| p.iter()) {
        h = h.wrapping_mul(SEED) ^ *b as u32;
    }
    h & 0x7fff_ffff
}

impl Image {
    /// Maps the image at `path`.
    ///
    /// # Errors
    /// A sentence that names the file: it cannot be read or is no image of this format.
    pub fn open(path: &str) -> Result<Image, String> {
        let file = File::open(path).map_err(|e| format!("cannot open {path}: {e}"))?;
        let len = file.metadata().map_err(|e| format!("cannot stat {path}: {e}"))?.len() as usize;
        if len < HEADER {
            return Err(format!("{path} is too short to be a run-time image"));
        }
        // SAFETY: a private read-only mapping of a whole file, never unmapped; the JDK's files do
        // not change under a running VM.
        let bytes: &'static [u8] = unsafe {
            let p = libc::mmap(std::ptr::null_mut(), len, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0);
            if p == libc::MAP_FAILED {
                return Err(format!("cannot map {path}: {}", std::io::Error::last_os_error()));
            }
            std::slice::from_raw_parts(p.cast(), len)
        };
        // The descriptor stays open: with standard output closed it takes that number, and what a
        // program prints fails, as it does on HotSpot, instead of going into some later file.
        std::mem::forget(file);
        Image::of(bytes, path)
    }

    fn of(bytes: &'static [u8], path: &str) -> Result<Image, String> {
        let len = bytes.len();
        let at = |i: usize| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
        if at(0) != MAGIC || at(4) >> 16 != 1 {
            return Err(format!("{path} is not a run-time image of version 1"));
        }
        // Four 32-bit sizes: their sum does not overflow.
        let n = at(16) as usize;
        let redirect = HEADER;
        let offsets = redirect + 4 * n;
        let locations = offsets + 4 * n;
        let strings = locations + at(20) as usize;
        let data = strings + at(24) as usize;
        if n == 0 || data > len {
            return Err(format!("{path} is truncated"));
        }
        Ok(Image { path: path.into(), bytes, n, redirect, offsets, locations, strings, data })
    }

    /// The file and what is mapped of it: all.
    pub fn mapping(&self) -> (&str, &'static [u8]) {
        (&self.path, self.bytes)
    }
    /// `None` where the image is damaged: an offset leads outside of it.
    fn u32_at(&self, i: usize) -> Option<u32> {
        let b = self.bytes.get(i..i.checked_add(4)?)?;
        Some(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
    fn string(&self, offset: u64) -> Option<&'static [u8]> {
        let s = self.bytes.get(self.strings.checked_add(usize::try_from(offset).ok()?)?..self.data)?;
        let end = s.iter().position(|b| *b == 0)?;
        Some(&s[..end])
    }
    fn location(&self, index: usize) -> Option<Location> {
        let mut l = Location::default();
        let mut i = self.locations.checked_add(self.u32_at(self.offsets + 4 * index)? as usize)?;
        loop {
            let b = *self.bytes.get(i)?;
            let kind = (b >> 3) as usize;
            if kind == 0 || kind >= 8 {
                return Some(l);
            }
            let len = (b & 7) as usize + 1;
            l.attributes[kind] = self.bytes.get(i + 1..i + 1 + len)?.iter().fold(0u64, |v, b| v << 8 | *b as u64);
            i += 1 + len;
        }
    }
    /// The name of the resource at a location.
    fn name(&self, l: &Location) -> Option<Vec<u8>> {
        let mut name = Vec::with_capacity(96);
        let module = self.string(l.attributes[1])?;
        if !module.is_empty() {
            name.push(b'/');
            name.extend_from_slice(module);
            name.push(b'/');
        }
        let parent = self.string(l.attributes[2])?;
        if !parent.is_empty() {
            name.extend_from_slice(parent);
            name.push(b'/');
        }
        name.extend_from_slice(self.string(l.attributes[3])?);
        let extension = self.string(l.attributes[4])?;
        if !extension.is_empty() {
            name.push(b'.');
            name.extend_from_slice(extension);
        }
        Some(name)
    }
    /// The resource whose name is the concatenation of `parts`, e.g. `/java.base/java/lang/Object.class`.
    ///
    /// # Errors
    /// The resource is there but compressed, or the image is damaged.
    pub fn find(&self, parts: &[&[u8]]) -> Result<Option<&'static [u8]>, String> {
        let named = || String::from_utf8_lossy(&parts.concat()).into_owned();
        let damaged = || format!("the run-time image is damaged: looking for {} leads outside of it", named());
        let h = hash(parts, SEED) as usize % self.n;
        let r = self.u32_at(self.redirect + 4 * h).ok_or_else(damaged)? as i32;
        let index = match r {
            0 => return Ok(None),
            r if r < 0 => (-1 - r) as usize,
            seed => hash(parts, seed as u32) as usize % self.n,
        };
        if index >= self.n {
            return Err(damaged());
        }
        let l = self.location(index).ok_or_else(damaged)?;
        if self.name(&l).ok_or_else(damaged)? != parts.concat() {
            return Ok(None);
        }
        let [_, _, _, _, _, offset, compressed, size] = l.attributes;
        if compressed != 0 {
            return Err(format!(
                "{} is compressed in the run-time image: images made with jlink --compress are not supported",
                named()
            ));
        }
        let start = usize::try_from(offset).ok().and_then(|o| self.data.checked_add(o)).ok_or_else(damaged)?;
        let end = usize::try_from(size).ok().and_then(|s| start.checked_add(s)).ok_or_else(damaged)?;
        self.bytes.get(start..end).ok_or_else(damaged).map(Some)
    }
    /// The module whose package `package` (with slashes) is not empty in the image.
    pub fn module_of(&self, package: &[u8]) -> Option<&'static [u8]> {
        let dotted: Vec<u8> = package.iter().map(|b| if *b == b'/' { b'.' } else { *b }).collect();
        let rows = self.find(&[b"/packages/", &dotted]).ok()??;
        rows.chunks_exact(8).find_map(|r| {
            let empty = u32::from_le_bytes([r[0], r[1], r[2], r[3]]);
            let name = u32::from_le_bytes([r[4], r[5], r[6], r[7]]);
            if empty == 0 { self.string(name as u64) } else { None }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn finds_classes_and_packages() {
        let home = std::env::var("JAVA_HOME").unwrap_or("/usr/lib/jvm/java-17-openjdk-amd64".into());
        let image = Image::open(&format!("{home}/lib/modules")).unwrap();
        let object = image.find(&[b"/java.base/", b"java/lang/Object", b".class"]).unwrap().unwrap();
        assert_eq!(object[..4], [0xca, 0xfe, 0xba, 0xbe]);
        assert_eq!(image.module_of(b"com/sun/tools/javac").unwrap(), b"jdk.compiler");
        assert!(image.module_of(b"no/such/pkg").is_none());
        assert!(image.find(&[b"/java.base/java/lang/Nothing.class"]).unwrap().is_none());
        assert!(Image::open("/etc/hostname").is_err());
    }

    /// Damage anywhere in the index gives a sentence, or nothing, or some bytes of the file: never a panic.
    #[test]
    fn a_damaged_index_is_no_crash() {
        let home = std::env::var("JAVA_HOME").unwrap_or("/usr/lib/jvm/java-17-openjdk-amd64".into());
        let mut file = vec![0; 8 << 20];
        File::open(format!("{home}/lib/modules")).unwrap().read_exact(&mut file).unwrap();
        let whole = Image::of(Box::leak(file.clone().into_boxed_slice()), "whole").unwrap();
        let (index, data) = (whole.redirect, whole.data);
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % below as u64) as usize
        };
        let (mut refused, mut answered) = (0, 0);
        for round in 0..200 {
            let length = if round % 4 == 0 { data / 4 + random(data) } else { data + 4096 };
            let mut damaged = file[..length.min(file.len())].to_vec();
            for _ in 0..2000 {
                let at = index + random(damaged.len() - index);
                damaged[at] = random(256) as u8;
            }
            if round % 8 == 0 {
                damaged[16 + random(12)] ^= 1 << random(8);
            }
            let Ok(image) = Image::of(Box::leak(damaged.into_boxed_slice()), "damaged") else {
                refused += 1;
                continue;
            };
            for name in
                ["Object", "String", "Thread", "Class", "Integer", "Nothing", "ref/Finalizer", "invoke/MethodHandle"]
            {
                match image.find(&[b"/java.base/java/lang/", name.as_bytes(), b".class"]) {
                    Ok(_) => answered += 1,
                    Err(e) => {
                        assert!(e.contains("image"), "{e}");
                        refused += 1;
                    }
                }
            }
            let _some_module = image.module_of(b"java/util");
        }
        assert!(refused > 20 && answered > 20, "{refused} refused, {answered} answered");
    }
}
