//! Owns the shape of a parsed class. Everything borrows from the class file's bytes; indices are
//! constant pool indices that were checked to refer to the kind their comment names, and 0 means
//! absent only where it says so. Attributes that nobody reads at run time keep their raw body.

use crate::be::{BeU16s, LineNumbers, LocalVariables};
use crate::pool::ConstantPool;

/// Access and property flags of JVMS 4.1, 4.5, 4.6.
pub mod access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    /// On a class.
    pub const SUPER: u16 = 0x0020;
    /// On a method.
    pub const SYNCHRONIZED: u16 = 0x0020;
    /// On a field.
    pub const VOLATILE: u16 = 0x0040;
    /// On a method.
    pub const BRIDGE: u16 = 0x0040;
    /// On a field.
    pub const TRANSIENT: u16 = 0x0080;
    /// On a method.
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
    /// On a class file that describes a module.
    pub const MODULE: u16 = 0x8000;
    /// On a MethodParameters row.
    pub const MANDATED: u16 = 0x8000;

    /// Flags that mean something on a class; a parsed class keeps no other.
    pub const CLASS_FLAGS: u16 = PUBLIC | FINAL | SUPER | INTERFACE | ABSTRACT | ANNOTATION | ENUM | SYNTHETIC;
    /// Flags that mean something on a field.
    pub const FIELD_FLAGS: u16 =
        PUBLIC | PRIVATE | PROTECTED | STATIC | FINAL | VOLATILE | TRANSIENT | ENUM | SYNTHETIC;
    /// Flags that mean something on a method.
    pub const METHOD_FLAGS: u16 = PUBLIC
        | PRIVATE
        | PROTECTED
        | STATIC
        | FINAL
        | SYNCHRONIZED
        | BRIDGE
        | VARARGS
        | NATIVE
        | ABSTRACT
        | STRICT
        | SYNTHETIC;
}

/// A set of the annotations that change what the VM does. Set only when the options allow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VmAnnotations(pub u16);

impl VmAnnotations {
    pub const FORCE_INLINE: VmAnnotations = VmAnnotations(1 << 0);
    pub const DONT_INLINE: VmAnnotations = VmAnnotations(1 << 1);
    /// Frames are dropped from stack traces.
    pub const HIDDEN: VmAnnotations = VmAnnotations(1 << 2);
    pub const INTRINSIC_CANDIDATE: VmAnnotations = VmAnnotations(1 << 3);
    pub const LAMBDA_FORM_COMPILED: VmAnnotations = VmAnnotations(1 << 4);
    pub const CALLER_SENSITIVE: VmAnnotations = VmAnnotations(1 << 5);
    pub const RESERVED_STACK_ACCESS: VmAnnotations = VmAnnotations(1 << 6);
    pub const POLYMORPHIC_SIGNATURE: VmAnnotations = VmAnnotations(1 << 7);
    pub const SCOPED: VmAnnotations = VmAnnotations(1 << 8);
    pub const STABLE: VmAnnotations = VmAnnotations(1 << 9);
    pub const CONTENDED: VmAnnotations = VmAnnotations(1 << 10);
    pub const VALUE_BASED: VmAnnotations = VmAnnotations(1 << 11);
    /// Code or field that keeps the Java memory model; any class may say so.
    pub const RELAXED: VmAnnotations = VmAnnotations(1 << 12);

    #[inline]
    pub const fn contains(self, other: VmAnnotations) -> bool {
        self.0 & other.0 == other.0
    }
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    pub(crate) fn insert(&mut self, other: VmAnnotations) {
        self.0 |= other.0;
    }
}

/// Raw bodies of the annotation attributes, as `Class.getRawAnnotations` hands them to Java.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations<'a> {
    /// RuntimeVisibleAnnotations
    pub visible: Option<&'a [u8]>,
    /// RuntimeVisibleTypeAnnotations
    pub visible_types: Option<&'a [u8]>,
    /// Those of `visible` that the VM honours.
    pub vm: VmAnnotations,
    /// Group of a `@Contended` field: index of a Utf8, 0 for the anonymous group.
    pub contended_group: u16,
}

/// A parsed class file.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    pub bytes: &'a [u8],
    pub minor: u16,
    pub major: u16,
    pub constants: ConstantPool<'a>,
    /// Only [`access::CLASS_FLAGS`], and `MODULE` where a module descriptor was asked for.
    pub access_flags: u16,
    /// Class
    pub this_class: u16,
    /// Class; 0 for `java/lang/Object` and module descriptors.
    pub super_class: u16,
    /// Class
    pub interfaces: Vec<u16>,
    pub fields: Vec<FieldInfo<'a>>,
    pub methods: Vec<MethodInfo<'a>>,
    /// Utf8
    pub source_file: Option<u16>,
    pub source_debug_extension: Option<&'a [u8]>,
    pub inner_classes: Vec<InnerClass>,
    /// Class, and NameAndType or 0.
    pub enclosing_method: Option<(u16, u16)>,
    /// Class
    pub nest_host: Option<u16>,
    /// Class
    pub nest_members: BeU16s<'a>,
    /// Present exactly when the class has a Record attribute.
    pub record: Option<Vec<RecordComponent<'a>>>,
    /// Class; present exactly when the class is sealed.
    pub permitted_subclasses: Option<BeU16s<'a>>,
    pub bootstrap_methods: Vec<BootstrapMethod<'a>>,
    /// Utf8
    pub signature: Option<u16>,
    pub annotations: Annotations<'a>,
    pub deprecated: bool,
    /// By the attribute or the access flag.
    pub synthetic: bool,
}

impl<'a> ClassFile<'a> {
    /// Binary name with slashes.
    pub fn name(&self) -> &'a [u8] {
        self.constants.class_name(self.this_class)
    }
    /// Gives the class another name: the one constant by which it names itself has it from now on. Other constants
    /// and descriptors with the old name mean whatever class has that. False if the pool is full.
    pub fn rename(&mut self, name: &'a [u8]) -> bool {
        let entries = &mut self.constants.entries;
        let Ok(n) = u16::try_from(entries.len()) else { return false };
        if n == u16::MAX {
            return false;
        }
        entries.push(crate::Constant::Utf8(name));
        entries[usize::from(self.this_class)] = crate::Constant::Class(n);
        true
    }
    /// Name of the superclass; `None` for `java/lang/Object`.
    pub fn super_name(&self) -> Option<&'a [u8]> {
        (self.super_class != 0).then(|| self.constants.class_name(self.super_class))
    }
    pub fn is_interface(&self) -> bool {
        self.access_flags & access::INTERFACE != 0
    }
    /// The method of that name and descriptor.
    pub fn method(&self, name: &[u8], desc: &[u8]) -> Option<&MethodInfo<'a>> {
        self.methods.iter().find(|m| self.constants.utf8(m.name) == name && self.constants.utf8(m.desc) == desc)
    }
    /// The field of that name and descriptor.
    pub fn field(&self, name: &[u8], desc: &[u8]) -> Option<&FieldInfo<'a>> {
        self.fields.iter().find(|f| self.constants.utf8(f.name) == name && self.constants.utf8(f.desc) == desc)
    }
}

#[derive(Clone, Debug)]
pub struct FieldInfo<'a> {
    /// Only [`access::FIELD_FLAGS`].
    pub access: u16,
    /// Utf8
    pub name: u16,
    /// Utf8
    pub desc: u16,
    /// Integer, Float, Long, Double or String, of the field's kind; for static fields only.
    pub constant_value: Option<u16>,
    /// Utf8
    pub signature: Option<u16>,
    pub annotations: Annotations<'a>,
    pub deprecated: bool,
    pub synthetic: bool,
}

#[derive(Clone, Debug)]
pub struct MethodInfo<'a> {
    /// Only [`access::METHOD_FLAGS`]; of `<clinit>` only what the VM heeds.
    pub access: u16,
    /// Utf8
    pub name: u16,
    /// Utf8
    pub desc: u16,
    /// Absent exactly for native and abstract methods.
    pub code: Option<CodeInfo<'a>>,
    /// Class: the declared exceptions.
    pub exceptions: BeU16s<'a>,
    /// Utf8
    pub signature: Option<u16>,
    pub annotations: Annotations<'a>,
    /// RuntimeVisibleParameterAnnotations, raw.
    pub parameter_annotations: Option<&'a [u8]>,
    /// AnnotationDefault, raw.
    pub annotation_default: Option<&'a [u8]>,
    pub method_parameters: Option<Vec<MethodParameter>>,
    pub deprecated: bool,
    pub synthetic: bool,
}

impl MethodInfo<'_> {
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

/// A row of MethodParameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodParameter {
    /// Utf8, or 0 for none.
    pub name: u16,
    pub flags: u16,
}

#[derive(Clone, Debug)]
pub struct CodeInfo<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    /// 1 to 65535 bytes.
    pub code: &'a [u8],
    pub exception_table: Vec<ExceptionEntry>,
    pub line_numbers: LineNumbers<'a>,
    pub local_variables: LocalVariables<'a>,
    /// LocalVariableTypeTable: rows whose `desc` is a signature.
    pub local_variable_types: LocalVariables<'a>,
    /// Body of StackMapTable, its count included.
    pub stack_map_table: Option<&'a [u8]>,
    /// RuntimeVisibleTypeAnnotations of the code, raw.
    pub type_annotations: Option<&'a [u8]>,
}

/// A row of the exception table: `start <= pc < end` goes to `handler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionEntry {
    pub start: u16,
    pub end: u16,
    pub handler: u16,
    /// Class, or 0 for any throwable.
    pub catch_type: u16,
}

/// A row of InnerClasses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerClass {
    /// Class
    pub inner: u16,
    /// Class, or 0.
    pub outer: u16,
    /// Utf8, or 0 for an anonymous class.
    pub name: u16,
    pub access: u16,
}

#[derive(Clone, Debug)]
pub struct RecordComponent<'a> {
    /// Utf8
    pub name: u16,
    /// Utf8
    pub desc: u16,
    /// Utf8
    pub signature: Option<u16>,
    pub annotations: Annotations<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct BootstrapMethod<'a> {
    /// MethodHandle
    pub method_ref: u16,
    /// Loadable constants.
    pub args: BeU16s<'a>,
}
