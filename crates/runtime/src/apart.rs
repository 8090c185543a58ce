//! Fields that are kept apart from others because they were found to be contended (`-remix:offline`).
//!
//! Invariant: what the file names is laid out as `@Contended` fields are, each in a group of its own, from the class's
//! definition on. Classes of `java.lang` and its packages are laid out as they always are (so does REMIX).
//!
//! A line of the file: the class's name, a tab, names of its fields with tabs between (PLDI 2016, section 4.4, by the
//! format of the authors' log). [`HEADER`] stands for the object's lock word: then the class is laid out as a `@Contended`
//! one, with padding in front of and behind its own fields. What lies in front of an object is not moved.
use concord_base::options::{Options, Remix};
use concord_base::{Symbol, vm_log};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::OnceLock;

/// What no field can be called (JVMS 4.2.2).
pub const HEADER: &str = "[header]";

/// Names of fields by the names of classes, as `Class.getName` gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart(BTreeMap<String, BTreeSet<String>>);

impl Apart {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn classes(&self) -> usize {
        self.0.len()
    }
    /// Whether the file can say it and the VM does it: hidden classes have another name in each run.
    pub fn takes(class: &str, field: &str) -> bool {
        !is_fixed(class) && is_class(class) && is_field(field)
    }
    /// What is not taken is left out.
    pub fn add(&mut self, class: &str, field: &str) {
        if Apart::takes(class, field) {
            self.0.entry(class.into()).or_default().insert(field.into());
        }
    }
    pub fn merge(&mut self, other: &Apart) {
        for (class, fields) in &other.0 {
            self.0.entry(class.clone()).or_default().extend(fields.iter().cloned());
        }
    }
    pub fn text(&self) -> String {
        let lines = self.0.iter().map(|(class, fields)| {
            let fields: String = fields.iter().map(|f| format!("\t{f}")).collect();
            format!("{class}{fields}\n")
        });
        lines.collect()
    }
    /// # Errors
    /// The first line that is none, by its number.
    pub fn parse(text: &str) -> Result<Apart, String> {
        let mut all = Apart::default();
        for (n, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty()) {
            let mut words = line.split('\t');
            let class = words.next().unwrap_or_default();
            let fields: Vec<&str> = words.collect();
            if !is_class(class) || fields.is_empty() {
                return Err(format!("line {}: a class and its fields are expected, with tabs between", n + 1));
            }
            if let Some(f) = fields.iter().find(|f| !is_field(f)) {
                return Err(format!("line {}: '{f}' is no field's name", n + 1));
            }
            let known = all.0.entry(class.into()).or_default();
            known.extend(fields.into_iter().map(String::from));
        }
        Ok(all)
    }
    /// Adds it to what the file has. Who reads the file at any time finds all of the old or of the new; who else adds to a file
    /// of the same folder waits, another process, too.
    ///
    /// # Errors
    /// The file with what the system says.
    pub fn add_to(&self, path: &str) -> Result<(), String> {
        let of = |e: std::io::Error| format!("{path}: {e}");
        let folder = match Path::new(path).parent() {
            Some(p) if !p.as_os_str().is_empty() => p,
            _ => Path::new("."),
        };
        let held = File::open(folder).map_err(of)?;
        // The lock goes with `held`.
        held.lock().map_err(of)?;
        let mut all = Apart::read(path, true)?;
        all.merge(self);
        let new = format!("{path}.{}", std::process::id());
        std::fs::write(&new, all.text()).and_then(|()| std::fs::rename(&new, path)).map_err(of)
    }
    /// Reads a file; nothing if there is none and there `may` be none.
    ///
    /// # Errors
    /// The file with what the system says of it, or the line that is wrong.
    pub fn read(path: &str, may_be_none: bool) -> Result<Apart, String> {
        match std::fs::read_to_string(path) {
            Ok(text) => Apart::parse(&text).map_err(|e| format!("{path}, {e}")),
            Err(e) if may_be_none && e.kind() == ErrorKind::NotFound => Ok(Apart::default()),
            Err(e) => Err(format!("{path}: {e}")),
        }
    }
}

/// Whether this may be a class's name here; names may have spaces (JVMS 4.2).
fn is_class(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '[', ';']) && !name.contains(char::is_control)
}
fn is_field(name: &str) -> bool {
    name == HEADER || !name.is_empty() && !name.contains(['.', ';', '[', '/']) && !name.contains(char::is_control)
}

/// Whether the class is laid out as always: the VM itself counts on some of these.
fn is_fixed(class: &str) -> bool {
    class.starts_with("java.lang.")
}

static APART: OnceLock<Apart> = OnceLock::new();

/// Reads the file of `-remix:offline`; before the first class is defined.
///
/// # Errors
/// For the user.
pub fn install(o: &Options) -> Result<(), String> {
    if o.remix != Some(Remix::Offline) {
        return Ok(());
    }
    let Some(path) = o.flags.remix_file.as_deref() else {
        return Err("-remix:offline needs -XX:REMIXFile=<file>, which -remix:detect writes".into());
    };
    let mut all = Apart::read(path, false)?;
    all.0.retain(|class, _| {
        let fixed = is_fixed(class);
        if fixed {
            vm_log!(Remix, Warning, "{path}: the fields of {class} stay where they are");
        }
        !fixed
    });
    if APART.set(all).is_err() {
        return Err("-remix:offline was read twice".into());
    }
    Ok(())
}

/// What is kept apart in one class.
#[derive(Clone, Copy, Debug)]
pub struct OfClass(Option<&'static BTreeSet<String>>);

pub fn of(class: Symbol) -> OfClass {
    OfClass(APART.get().and_then(|all| all.0.get(&class.as_str().replace('/', "."))))
}

impl OfClass {
    pub fn has(&self, field: Symbol) -> bool {
        self.0.is_some_and(|fields| fields.contains(&*field.as_str()))
    }
    /// The object as a whole.
    pub fn whole(&self) -> bool {
        self.0.is_some_and(|fields| fields.contains(HEADER))
    }
    /// Says what of the class, which has these fields, is kept apart, and what it does not have.
    pub fn log(&self, class: Symbol, fields: impl Iterator<Item = Symbol>) {
        let Some(wanted) = self.0 else { return };
        let has: BTreeSet<String> = fields.map(|f| f.to_string()).collect();
        let name = class.as_str().replace('/', ".");
        for f in wanted {
            if f == HEADER {
                vm_log!(Remix, Info, "{name} is kept apart");
            } else if has.contains(f) {
                vm_log!(Remix, Info, "{name}::{f} is kept apart");
            } else {
                vm_log!(Remix, Warning, "{name} has no field {f}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let mut a = Apart::default();
        a.add("p.A$B", "x");
        a.add("p.A$B", HEADER);
        a.add("q.C", "y");
        a.add("java.lang.Thread", "eetop");
        assert_eq!(a.text(), "p.A$B\t[header]\tx\nq.C\ty\n");
        assert_eq!(Apart::parse(&a.text()), Ok(a.clone()));
        let mut b = Apart::default();
        b.add("q.C", "z");
        b.merge(&a);
        assert_eq!(b.text(), "p.A$B\t[header]\tx\nq.C\ty\tz\n");
        assert_eq!(Apart::parse("p.A\tx\n\np.A\ty\n").map(|a| a.text()), Ok("p.A\tx\ty\n".into()));
    }
    #[test]
    fn what_is_written_can_be_read() {
        let names =
            ["a", "p.A", "byte[]", "[header]", "a b", "a\tb", "a\nb", "", "a/b", "a;b", "java.lang.Thread", "p.A$1"];
        let mut all = Apart::default();
        for class in names {
            for field in names {
                all.add(class, field);
                assert_eq!(Apart::parse(&all.text()), Ok(all.clone()), "{class:?} {field:?}");
            }
        }
        assert_eq!(all.classes(), 4, "{all:?}");
    }
    #[test]
    fn what_is_no_line_is_named() {
        for (text, word) in [
            ("p.A\n", "line 1: a class"),
            ("p.A\tx\n\tx\n", "line 2: a class"),
            ("p/A\tx\n", "line 1: a class"),
            ("p.A x\n", "line 1: a class"),
            ("p.A[]\tx\n", "line 1: a class"),
            ("p.A\tx\t\n", "line 1: '' is no"),
            ("p.A\tx\tp.y\n", "line 1: 'p.y' is no"),
        ] {
            let e = Apart::parse(text).expect_err(text);
            assert!(e.contains(word), "{text:?}: {e}");
        }
    }
    #[test]
    fn who_adds_at_the_same_time_loses_nothing() {
        let folder = std::env::temp_dir().join(format!("concord-apart-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("all.txt").display().to_string();
        std::thread::scope(|s| {
            for i in 0..8 {
                let path = &path;
                s.spawn(move || {
                    let mut one = Apart::default();
                    one.add("p.A", &format!("f{i}"));
                    one.add_to(path).expect("added");
                });
            }
        });
        let text = std::fs::read_to_string(&path).expect("the file");
        assert_eq!(text, "p.A\tf0\tf1\tf2\tf3\tf4\tf5\tf6\tf7\n");
        assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1);
        std::fs::remove_dir_all(&folder).expect("removed");
        assert!(Apart::default().add_to(&path).is_err_and(|e| e.starts_with(&path)));
    }
    #[test]
    fn no_file_may_be_none() {
        let path = std::env::temp_dir().join(format!("concord-no-such-file-{}", std::process::id()));
        let path = path.display().to_string();
        assert_eq!(Apart::read(&path, true), Ok(Apart::default()));
        let e = Apart::read(&path, false).expect_err("no file");
        assert!(e.starts_with(&path), "{e}");
    }
}
