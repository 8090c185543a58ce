//! Owns the order of parsing and of checking: the first fault that HotSpot reports is the fault
//! that is reported here, in the same words. Structure (lengths, indices, kinds of constants) is
//! checked for every class; what concerns only meaning (names, descriptors, modifiers,
//! duplicates) is skipped for trusted classes, as HotSpot does for those of the boot loader.

mod annotations;
mod class_attrs;
mod code;
mod constants;
mod fields;
mod methods;
mod modifiers;

use crate::be::{BeU16s, Reader};
use crate::descriptor::Malformed;
use crate::error::{ErrorKind, FormatError, Res, format_error};
use crate::model::{ClassFile, access};
use crate::mutf8;
use crate::pool::ConstantPool;

/// First class file version that Java 17 does not know.
const NEXT_MAJOR: u16 = 62;
const OBJECT: &[u8] = b"java/lang/Object";

/// How much to check and for whom.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'n> {
    /// The class comes from the boot loader: only structure is checked.
    pub trusted: bool,
    /// Recognise the VM's annotations; implied by `trusted`.
    pub vm_annotations: bool,
    /// Recognise `@Contended` in any class.
    pub contended: bool,
    /// Name that the loader asked for, with slashes. The class must have it.
    pub name: Option<&'n [u8]>,
    /// `--enable-preview`
    pub enable_preview: bool,
    /// Accept `module-info`, which is no class: for tools, never for a loader.
    pub module_info: bool,
}

/// Parses one class file.
pub fn parse<'a>(bytes: &'a [u8], opts: &ParseOptions<'_>) -> Result<ClassFile<'a>, FormatError> {
    begin(bytes, opts)?.finish()
}

/// Parses a class file as far as its superinterfaces. Who loads supertypes in between is deep in recursion: nothing of
/// the parser belongs into that frame.
#[inline(never)]
pub fn begin<'a, 'o>(bytes: &'a [u8], opts: &'o ParseOptions<'o>) -> Result<Box<Begun<'a, 'o>>, FormatError> {
    let mut parser = Parser {
        r: Reader::new(bytes),
        opts,
        own_name: None,
        major: 0,
        verify: !opts.trusted,
        heed: match (opts.trusted || opts.vm_annotations, opts.contended) {
            (true, _) => annotations::Heed::All,
            (false, true) => annotations::Heed::Contended,
            (false, false) => annotations::Heed::Any,
        },
        pool: ConstantPool::default(),
        max_bootstrap: None,
        invisible: 0,
    };
    let head = parser.head().map_err(|e| *e)?;
    Ok(Box::new(Begun { parser, bytes, head }))
}

/// A class file that was read as far as its superinterfaces: HotSpot loads each as soon as it has read its name.
///
/// Invariant: what was read so far is sound; a fault behind it is told by the call that comes to it.
pub struct Begun<'a, 'o> {
    parser: Parser<'a, 'o>,
    bytes: &'a [u8],
    head: Head<'a>,
}

impl<'a> Begun<'a, '_> {
    pub fn name(&self) -> &'a [u8] {
        self.head.name
    }
    /// Name of the next superinterface.
    ///
    /// # Errors
    /// The fault before it.
    #[inline(never)]
    pub fn next_interface(&mut self) -> Result<Option<&'a [u8]>, FormatError> {
        let Begun { parser, head, .. } = self;
        if head.interfaces_left == 0 {
            return Ok(None);
        }
        head.interfaces_left -= 1;
        let i = parser.interface().map_err(|e| *e)?;
        head.interfaces.push(i);
        Ok(Some(parser.pool.class_name(i)))
    }
    /// Parses the rest.
    ///
    /// # Errors
    /// The first fault.
    #[inline(never)]
    #[expect(clippy::boxed_local, reason = "unboxed it would lie in the caller's frame")]
    pub fn finish(mut self: Box<Self>) -> Result<ClassFile<'a>, FormatError> {
        while self.next_interface()?.is_some() {}
        let Begun { mut parser, bytes, head } = *self;
        parser.rest(bytes, head).map_err(|e| *e)
    }
}

/// What stands before the fields.
struct Head<'a> {
    name: &'a [u8],
    minor: u16,
    flags: u16,
    this_class: u16,
    super_class: u16,
    interfaces: Vec<u16>,
    interfaces_left: u16,
}

struct Parser<'a, 'o> {
    r: Reader<'a>,
    opts: &'o ParseOptions<'o>,
    /// Known once `this_class` was read.
    own_name: Option<&'a [u8]>,
    major: u16,
    verify: bool,
    heed: annotations::Heed,
    pool: ConstantPool<'a>,
    /// Greatest bootstrap method index that a constant names.
    max_bootstrap: Option<u16>,
    /// Which attributes of invisible annotations the current member has had, as bits.
    invisible: u8,
}

impl<'a> Parser<'a, '_> {
    /// The class's name for messages.
    fn class_name(&self) -> String {
        match self.own_name.or(self.opts.name) {
            Some(n) => mutf8::to_string(n),
            None => "<Unknown>".to_string(),
        }
    }

    /// `<what> in class file <name>`
    #[cold]
    fn fail<T>(&self, what: &str) -> Res<T> {
        format_error(format!("{what} in class file {}", self.class_name()))
    }

    #[cold]
    fn fail_kind<T>(&self, kind: ErrorKind, message: String) -> Res<T> {
        Err(Box::new(FormatError { kind, message }))
    }

    #[inline(always)]
    fn check(&self, ok: bool, what: impl FnOnce() -> String) -> Res<()> {
        if ok { Ok(()) } else { self.fail(&what()) }
    }

    #[inline]
    fn is_utf8(&self, i: u16) -> bool {
        self.pool.try_utf8(i).is_some()
    }

    #[inline]
    fn is_class(&self, i: u16) -> bool {
        self.pool.try_class_name(i).is_some()
    }

    /// Descriptors and names follow the looser rules of version 49 and later.
    fn modern_names(&self) -> bool {
        self.major >= 49
    }

    #[cold]
    fn illegal_signature<T>(&self, what: &str, name: &[u8], desc: &[u8]) -> Res<T> {
        format_error(format!(
            "{what} \"{}\" in class {} has illegal signature \"{}\"",
            mutf8::to_string(name),
            self.class_name(),
            mutf8::to_string(desc)
        ))
    }

    #[cold]
    fn malformed<T>(&self, why: Malformed, what: &str, name: &[u8], desc: &[u8]) -> Res<T> {
        match why {
            Malformed::Syntax => self.illegal_signature(what, name, desc),
            Malformed::Dimensions => self.fail("Array type descriptor has more than 255 dimensions"),
            Malformed::ClassName => self.fail("Class name is empty or contains illegal character in descriptor"),
        }
    }

    fn check_field_descriptor(&self, name: &[u8], desc: &[u8]) -> Res<()> {
        match crate::descriptor::check_field(desc, self.modern_names()) {
            Ok(()) => Ok(()),
            Err(why) => self.malformed(why, "Field", name, desc),
        }
    }

    /// Returns the slots of the parameters.
    fn check_method_descriptor(&self, name: &[u8], desc: &[u8]) -> Res<usize> {
        // Class initializers take nothing from version 51 on.
        if name == b"<clinit>" && self.major >= 51 && desc != b"()V" {
            return self.illegal_signature("Method", name, desc);
        }
        match crate::descriptor::check_method(desc, self.modern_names(), name.first() == Some(&b'<')) {
            Ok(slots) => Ok(slots),
            Err(why) => self.malformed(why, "Method", name, desc),
        }
    }

    fn check_version(&self, major: u16, minor: u16) -> Res<()> {
        const LATEST: u16 = NEXT_MAJOR - 1;
        let name = || self.class_name();
        let fault = if major < 45 {
            format!("{} (class file version {major}.{minor}) was compiled with an invalid major version", name())
        } else if major > LATEST {
            format!(
                "{} has been compiled by a more recent version of the Java Runtime (class file version {major}.{minor}), \
                 this version of the Java Runtime only recognizes class file versions up to {LATEST}.0",
                name()
            )
        } else if major < 56 || minor == 0 {
            return Ok(());
        } else if minor != 65535 {
            format!(
                "{} (class file version {major}.{minor}) was compiled with an invalid non-zero minor version",
                name()
            )
        } else if major != LATEST {
            format!(
                "{} (class file version {major}.{minor}) was compiled with preview features that are unsupported. \
                 This version of the Java Runtime only recognizes preview features for class file version {LATEST}.65535",
                name()
            )
        } else if !self.opts.enable_preview {
            format!(
                "Preview features are not enabled for {} (class file version {major}.{minor}). Try running with '--enable-preview'",
                name()
            )
        } else {
            return Ok(());
        };
        self.fail_kind(ErrorKind::UnsupportedVersion, fault)
    }

    fn head(&mut self) -> Res<Head<'a>> {
        self.r.need(8)?;
        let magic = self.r.u4()?;
        self.check(magic == 0xcafe_babe, || format!("Incompatible magic value {magic}"))?;
        let minor = self.r.u2()?;
        self.major = self.r.u2()?;
        self.check_version(self.major, minor)?;

        let bad_tag = self.constants()?;

        self.r.need(8)?;
        let raw_flags = self.r.u2()?;
        let is_module = raw_flags & access::MODULE != 0 && self.major >= 53;
        let mut flags = raw_flags & access::CLASS_FLAGS;
        if self.major < 50 && flags & access::INTERFACE != 0 {
            flags |= access::ABSTRACT;
        }
        if is_module && self.opts.module_info {
            flags |= access::MODULE;
        } else {
            self.check_class_modifiers(flags, is_module)?;
            if let Some(tag) = bad_tag {
                return self.fail(&format!("Unknown constant tag {tag}"));
            }
        }

        let this_class = self.r.u2()?;
        let Some(name) = self.pool.try_class_name(this_class) else {
            return self.fail(&format!("Invalid this class index {this_class} in constant pool"));
        };
        self.check(name.first() != Some(&b'['), || "Bad class name".to_string())?;
        self.own_name = Some(name);
        if let Some(wanted) = self.opts.name
            && wanted != name
        {
            return self.fail_kind(
                ErrorKind::NoClassDef,
                format!("{} (wrong name: {})", mutf8::to_string(wanted), mutf8::to_string(name)),
            );
        }

        let super_class = self.r.u2()?;
        self.check_super_class(super_class, name, flags)?;
        let interfaces_left = self.r.u2()?;
        let interfaces = Vec::with_capacity(usize::from(interfaces_left).min(self.r.remaining() / 2));
        Ok(Head { name, minor, flags, this_class, super_class, interfaces, interfaces_left })
    }

    fn rest(&mut self, bytes: &'a [u8], head: Head<'a>) -> Res<ClassFile<'a>> {
        let Head { minor, flags, this_class, super_class, interfaces, .. } = head;
        self.check_repeated_interfaces(&interfaces)?;
        let fields = self.fields(flags)?;
        let methods = self.methods(flags)?;

        let mut class = ClassFile {
            bytes,
            minor,
            major: self.major,
            constants: ConstantPool::default(),
            access_flags: flags,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            source_file: None,
            source_debug_extension: None,
            inner_classes: Vec::new(),
            enclosing_method: None,
            nest_host: None,
            nest_members: BeU16s::default(),
            record: None,
            permitted_subclasses: None,
            bootstrap_methods: Vec::new(),
            signature: None,
            annotations: Default::default(),
            deprecated: false,
            synthetic: flags & access::SYNTHETIC != 0,
        };
        self.class_attributes(&mut class)?;
        if self.r.remaining() != 0 {
            return format_error(format!("Extra bytes at the end of class file {}", self.class_name()));
        }
        self.check_interface_super(&class)?;
        class.constants = std::mem::take(&mut self.pool);
        Ok(class)
    }

    fn check_super_class(&self, index: u16, name: &[u8], flags: u16) -> Res<()> {
        if index == 0 {
            let none_needed = name == OBJECT || flags & access::MODULE != 0;
            return self.check(none_needed, || "Invalid superclass index 0".to_string());
        }
        let Some(super_name) = self.pool.try_class_name(index) else {
            return self.fail(&format!("Invalid superclass index {index}"));
        };
        self.check(!self.verify || super_name.first() != Some(&b'['), || "Bad superclass name".to_string())
    }

    fn check_interface_super(&self, class: &ClassFile) -> Res<()> {
        if self.own_name == Some(OBJECT) && !class.interfaces.is_empty() {
            return self.fail("java.lang.Object cannot implement an interface");
        }
        let ok = class.access_flags & access::INTERFACE == 0
            || class.super_class == 0
            || self.pool.class_name(class.super_class) == OBJECT;
        self.check(ok, || "Interfaces must have java.lang.Object as superclass".to_string())
    }

    fn interface(&mut self) -> Res<u16> {
        let i = self.r.u2()?;
        let Some(name) = self.pool.try_class_name(i) else {
            return self.fail(&format!("Interface name has bad constant pool index {i}"));
        };
        self.check(name.first() != Some(&b'['), || "Bad interface name".to_string())?;
        Ok(i)
    }

    fn check_repeated_interfaces(&self, list: &[u16]) -> Res<()> {
        if self.verify
            && let Some(at) = first_duplicate(list.len(), |k| (self.pool.class_name(list[k]), &[]))
        {
            let name = mutf8::to_string(self.pool.class_name(list[at]));
            return self.fail(&format!("Duplicate interface name \"{name}\""));
        }
        Ok(())
    }
}

/// Position of the first element whose key occurred before it. Quadratic only for short lists.
fn first_duplicate<'k>(count: usize, key: impl Fn(usize) -> (&'k [u8], &'k [u8])) -> Option<usize> {
    if count <= 8 {
        return (1..count).find(|&i| (0..i).any(|j| key(i) == key(j)));
    }
    let hash = |i: usize| {
        let (a, b) = key(i);
        let step = |h: u64, &b: &u8| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
        b.iter().fold(a.iter().fold(0xcbf2_9ce4_8422_2325, step) ^ 0xff, step)
    };
    let mut order: Vec<(u64, usize)> = (0..count).map(|i| (hash(i), i)).collect();
    order.sort_unstable();
    let mut first = None;
    for group in order.chunk_by(|x, y| x.0 == y.0).filter(|g| g.len() > 1) {
        for (n, &(_, i)) in group.iter().enumerate() {
            if group[..n].iter().any(|&(_, j)| key(i) == key(j)) {
                first = Some(first.map_or(i, |f: usize| f.min(i)));
            }
        }
    }
    first
}
