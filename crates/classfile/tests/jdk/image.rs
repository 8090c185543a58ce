//! Owns the class files of the JDK's image: extracted once per test run, read into memory,
//! removed from the disk again.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub struct ImageClass {
    pub module: String,
    /// Path below the module, as `java/lang/Object.class`.
    pub path: String,
    pub bytes: Vec<u8>,
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

fn collect(module: &str, root: &Path, dir: &Path, out: &mut Vec<ImageClass>) {
    for entry in std::fs::read_dir(dir).expect("extracted directory is readable") {
        let path = entry.expect("extracted entry is readable").path();
        if path.is_dir() {
            collect(module, root, &path, out);
        } else if path.extension().is_some_and(|e| e == "class") {
            out.push(ImageClass {
                module: module.to_string(),
                path: path.strip_prefix(root).expect("below its root").to_string_lossy().into_owned(),
                bytes: std::fs::read(&path).expect("extracted class is readable"),
            });
        }
    }
}

/// All classes of the image, module descriptors included.
pub fn classes() -> &'static [ImageClass] {
    static CLASSES: OnceLock<Vec<ImageClass>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let home = java_home();
        let dir = std::env::temp_dir().join(format!("concord-classfile-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("temporary directory");
        let status = Command::new(home.join("bin/jimage"))
            .arg("extract")
            .arg("--dir")
            .arg(&dir)
            .arg(home.join("lib/modules"))
            .status()
            .expect("jimage runs");
        assert!(status.success(), "jimage extract: {status}");
        let mut out = Vec::new();
        for module in std::fs::read_dir(&dir).expect("extracted image") {
            let path = module.expect("extracted module").path();
            if path.is_dir() {
                let name = path.file_name().expect("a module has a name").to_string_lossy().into_owned();
                collect(&name, &path, &path, &mut out);
            }
        }
        std::fs::remove_dir_all(&dir).expect("temporary directory is removable");
        out
    })
}
