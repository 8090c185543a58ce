//! Owns the constant pool: after the parse every index stored in an entry refers to an entry of
//! the kind that the format demands, so that the getters here answer without an error path. A
//! getter that is asked for an index of the wrong kind is a bug of the caller and panics with
//! the index; code that reads indices out of unverified bytecode asks [`ConstantPool::get`].

/// One entry. Names follow JVMS 4.4; numbers keep their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant<'a> {
    /// Index 0 and the index behind a long or double.
    Unused,
    Utf8(&'a [u8]),
    Integer(i32),
    /// Bits of the float.
    Float(u32),
    Long(i64),
    /// Bits of the double.
    Double(u64),
    /// Utf8 index of the name.
    Class(u16),
    /// Utf8 index.
    String(u16),
    Field {
        class: u16,
        nat: u16,
    },
    Method {
        class: u16,
        nat: u16,
    },
    InterfaceMethod {
        class: u16,
        nat: u16,
    },
    NameAndType {
        name: u16,
        desc: u16,
    },
    MethodHandle {
        kind: u8,
        reference: u16,
    },
    /// Utf8 index of the descriptor.
    MethodType(u16),
    Dynamic {
        bsm: u16,
        nat: u16,
    },
    InvokeDynamic {
        bsm: u16,
        nat: u16,
    },
    Module(u16),
    Package(u16),
}

impl Constant<'_> {
    /// Tag byte of the format, 0 for an unused entry.
    pub const fn tag(&self) -> u8 {
        match self {
            Constant::Unused => 0,
            Constant::Utf8(_) => 1,
            Constant::Integer(_) => 3,
            Constant::Float(_) => 4,
            Constant::Long(_) => 5,
            Constant::Double(_) => 6,
            Constant::Class(_) => 7,
            Constant::String(_) => 8,
            Constant::Field { .. } => 9,
            Constant::Method { .. } => 10,
            Constant::InterfaceMethod { .. } => 11,
            Constant::NameAndType { .. } => 12,
            Constant::MethodHandle { .. } => 15,
            Constant::MethodType(_) => 16,
            Constant::Dynamic { .. } => 17,
            Constant::InvokeDynamic { .. } => 18,
            Constant::Module(_) => 19,
            Constant::Package(_) => 20,
        }
    }
}

/// Name and descriptor, already looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameAndType<'a> {
    pub name: &'a [u8],
    pub desc: &'a [u8],
}

/// The entries of one class, indexed as in the file: entry 0 is [`Constant::Unused`].
#[derive(Clone, Debug, Default)]
pub struct ConstantPool<'a> {
    pub(crate) entries: Vec<Constant<'a>>,
}

#[cold]
#[inline(never)]
fn wrong_kind(i: u16, wanted: &str, found: Option<&Constant>) -> ! {
    panic!("constant pool entry {i} is not a {wanted} but {found:?}")
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident($this:ident, $what:literal) -> $ty:ty { $($pat:pat => $val:expr),+ })*) => {
        $($(#[$doc])*
        #[inline]
        pub fn $name(&self, i: u16) -> $ty {
            let $this = self;
            match $this.entries.get(usize::from(i)) {
                $(Some(&$pat) => $val,)+
                other => wrong_kind(i, $what, other),
            }
        })*
    };
}

impl<'a> ConstantPool<'a> {
    /// Number of entries, entry 0 included: `constant_pool_count` of the file.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// The entry, or `None` beyond the end.
    #[inline]
    pub fn get(&self, i: u16) -> Option<&Constant<'a>> {
        self.entries.get(usize::from(i))
    }
    /// All entries with their index.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Constant<'a>)> {
        self.entries.iter().enumerate().map(|(i, c)| (i as u16, c))
    }
    /// The Utf8 at `i` or `None` for another kind.
    #[inline]
    pub fn try_utf8(&self, i: u16) -> Option<&'a [u8]> {
        match self.get(i) {
            Some(&Constant::Utf8(s)) => Some(s),
            _ => None,
        }
    }
    /// The name of the Class at `i` or `None` for another kind.
    #[inline]
    pub fn try_class_name(&self, i: u16) -> Option<&'a [u8]> {
        match self.get(i) {
            Some(&Constant::Class(n)) => self.try_utf8(n),
            _ => None,
        }
    }
    getters! {
        /// Modified UTF-8 bytes.
        utf8(pool, "Utf8") -> &'a [u8] { Constant::Utf8(s) => s }
        /// Name of a Class entry: `java/lang/Object`, or an array's descriptor.
        class_name(pool, "Class") -> &'a [u8] { Constant::Class(n) => pool.utf8(n) }
        /// Value of a String entry.
        string(pool, "String") -> &'a [u8] { Constant::String(n) => pool.utf8(n) }
        /// Name of a Module entry.
        module_name(pool, "Module") -> &'a [u8] { Constant::Module(n) => pool.utf8(n) }
        /// Name of a Package entry.
        package_name(pool, "Package") -> &'a [u8] { Constant::Package(n) => pool.utf8(n) }
        /// Descriptor of a MethodType entry.
        method_type(pool, "MethodType") -> &'a [u8] { Constant::MethodType(n) => pool.utf8(n) }
        /// Kind and reference index of a MethodHandle entry.
        method_handle(pool, "MethodHandle") -> (u8, u16) { Constant::MethodHandle { kind, reference } => (kind, reference) }
        /// Class index of a Field, Method or InterfaceMethod entry.
        member_class(pool, "member reference") -> u16 {
            Constant::Field { class, .. } | Constant::Method { class, .. } | Constant::InterfaceMethod { class, .. } => class
        }
        /// NameAndType index of a member reference, Dynamic or InvokeDynamic entry.
        nat_index(pool, "reference with a name and type") -> u16 {
            Constant::Field { nat, .. } | Constant::Method { nat, .. } | Constant::InterfaceMethod { nat, .. }
            | Constant::Dynamic { nat, .. } | Constant::InvokeDynamic { nat, .. } => nat
        }
        /// Bootstrap method index of a Dynamic or InvokeDynamic entry.
        bootstrap_index(pool, "Dynamic or InvokeDynamic") -> u16 {
            Constant::Dynamic { bsm, .. } | Constant::InvokeDynamic { bsm, .. } => bsm
        }
        /// Name and descriptor of a NameAndType entry.
        name_and_type(pool, "NameAndType") -> NameAndType<'a> {
            Constant::NameAndType { name, desc } => NameAndType { name: pool.utf8(name), desc: pool.utf8(desc) }
        }
    }
    /// Class name, name and descriptor of a Field, Method or InterfaceMethod entry.
    pub fn member(&self, i: u16) -> (&'a [u8], NameAndType<'a>) {
        (self.class_name(self.member_class(i)), self.name_and_type(self.nat_index(i)))
    }
    /// Name and descriptor of a member reference, Dynamic or InvokeDynamic entry.
    pub fn ref_name_and_type(&self, i: u16) -> NameAndType<'a> {
        self.name_and_type(self.nat_index(i))
    }
}
