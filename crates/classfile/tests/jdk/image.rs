//! Owns the class files of the JDK's run-time image, read straight from `lib/modules`.
//!
//! The file: a header of seven words in the machine's byte order; two tables of one word per
//! resource (the second holds offsets of locations); locations; strings; then the resources. A
//! location is a run of attributes: a byte `kind << 3 | length - 1`, then a big-endian number.

use std::path::PathBuf;
use std::sync::OnceLock;

pub struct ImageClass {
    pub module: String,
    /// Path below the module, as `java/lang/Object.class`.
    pub path: String,
    pub bytes: &'static [u8],
}

pub fn java_home() -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| PathBuf::from("/usr/lib/jvm/java-17-openjdk-amd64"));
    assert!(
        home.join("lib/modules").is_file(),
        "no JDK 17 at {}: install openjdk-17-jdk-headless or set JAVA_HOME",
        home.display()
    );
    home
}

const MAGIC: u32 = 0xcafe_dada;
const HEADER: usize = 28;

/// Attributes of one location: offsets into the strings, offset and sizes of the content.
fn location(bytes: &[u8]) -> [u64; 8] {
    let mut attributes = [0; 8];
    let mut at = 0;
    while bytes[at] >> 3 != 0 {
        let (kind, length) = (usize::from(bytes[at] >> 3), usize::from(bytes[at] & 7) + 1);
        attributes[kind] = bytes[at + 1..][..length].iter().fold(0, |n, &b| n << 8 | u64::from(b));
        at += 1 + length;
    }
    attributes
}

fn read_image() -> Vec<ImageClass> {
    let file: &'static [u8] = std::fs::read(java_home().join("lib/modules")).expect("readable image").leak();
    let word = |at: usize| u32::from_ne_bytes(*file[at..].first_chunk().expect("within the image"));
    assert_eq!(word(0), MAGIC, "not a run-time image");
    let [table, locations, strings] = [16, 20, 24].map(|at| word(at) as usize);
    let offsets = HEADER + 4 * table;
    let locations_at = HEADER + 8 * table;
    let strings_at = locations_at + locations;
    let content = strings_at + strings;
    let string = |at: u64| {
        let text = &file[strings_at + at as usize..];
        let end = text.iter().position(|&b| b == 0).expect("terminated string");
        String::from_utf8_lossy(&text[..end]).into_owned()
    };
    let mut classes = Vec::new();
    for n in 0..table {
        let [_, module, parent, base, extension, offset, compressed, size] =
            location(&file[locations_at + word(offsets + 4 * n) as usize..]);
        if string(extension) != "class" {
            continue;
        }
        assert_eq!(compressed, 0, "the image's classes are compressed");
        let (parent, base) = (string(parent), string(base));
        let path = if parent.is_empty() { format!("{base}.class") } else { format!("{parent}/{base}.class") };
        let bytes = &file[content + offset as usize..][..size as usize];
        classes.push(ImageClass { module: string(module), path, bytes });
    }
    classes
}

/// All classes of the image, module descriptors included.
pub fn classes() -> &'static [ImageClass] {
    static CLASSES: OnceLock<Vec<ImageClass>> = OnceLock::new();
    CLASSES.get_or_init(read_image)
}
