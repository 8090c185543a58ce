//! Owns the writing of class files, for tests and fixtures: what is asked for is written, legal
//! or not, since much of what tests need is illegal. Only the format's own limits (65535 of
//! anything, offsets of 16 bits) are enforced, by panicking: a fixture that breaks them is wrong.
//!
//! ```
//! use concord_classfile::{access, asm::ClassBuilder, opcodes::op};
//! let mut c = ClassBuilder::new("Hello", "java/lang/Object");
//! c.method(access::PUBLIC | access::STATIC, "answer", "()I", |code| {
//!     code.limits(1, 0);
//!     code.op(op::BIPUSH).u1(42).op(op::IRETURN);
//! });
//! let bytes = c.finish();
//! assert!(concord_classfile::parse(&bytes, &Default::default()).is_ok());
//! ```

mod code;

pub use code::{Code, Label, V};

use std::collections::HashMap;

/// The constant pool under construction: equal entries share an index.
#[derive(Default)]
pub struct Pool {
    bytes: Vec<u8>,
    count: u16,
    known: HashMap<Vec<u8>, u16>,
}

impl Pool {
    fn add(&mut self, entry: Vec<u8>) -> u16 {
        if let Some(&i) = self.known.get(&entry) {
            return i;
        }
        let index = self.count + 1;
        // long and double take two indices.
        self.count = index.checked_add(u16::from(matches!(entry[0], 5 | 6))).expect("constant pool is full");
        self.bytes.extend(&entry);
        self.known.insert(entry, index);
        index
    }
    fn add2(&mut self, tag: u8, a: u16, b: u16) -> u16 {
        self.add([&[tag][..], &a.to_be_bytes(), &b.to_be_bytes()].concat())
    }
    fn add1(&mut self, tag: u8, a: u16) -> u16 {
        self.add([&[tag][..], &a.to_be_bytes()].concat())
    }
    pub fn utf8(&mut self, text: &str) -> u16 {
        let text = crate::mutf8::from_str(text);
        let len = u16::try_from(text.len()).expect("Utf8 constant is too long");
        self.add([&[1][..], &len.to_be_bytes(), &text].concat())
    }
    pub fn int(&mut self, v: i32) -> u16 {
        self.add([&[3][..], &v.to_be_bytes()].concat())
    }
    pub fn float(&mut self, v: f32) -> u16 {
        self.add([&[4][..], &v.to_bits().to_be_bytes()].concat())
    }
    pub fn long(&mut self, v: i64) -> u16 {
        self.add([&[5][..], &v.to_be_bytes()].concat())
    }
    pub fn double(&mut self, v: f64) -> u16 {
        self.add([&[6][..], &v.to_bits().to_be_bytes()].concat())
    }
    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.add1(7, name)
    }
    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.add1(8, text)
    }
    pub fn method_type(&mut self, desc: &str) -> u16 {
        let desc = self.utf8(desc);
        self.add1(16, desc)
    }
    pub fn name_and_type(&mut self, name: &str, desc: &str) -> u16 {
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        self.add2(12, name, desc)
    }
    fn member(&mut self, tag: u8, class: &str, name: &str, desc: &str) -> u16 {
        let (class, nat) = (self.class(class), self.name_and_type(name, desc));
        self.add2(tag, class, nat)
    }
    pub fn field(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(9, class, name, desc)
    }
    pub fn method(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(10, class, name, desc)
    }
    pub fn interface_method(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(11, class, name, desc)
    }
    /// `reference` is the index of a field or method entry.
    pub fn method_handle(&mut self, kind: u8, reference: u16) -> u16 {
        self.add([&[15, kind][..], &reference.to_be_bytes()].concat())
    }
    pub fn dynamic(&mut self, bootstrap: u16, name: &str, desc: &str) -> u16 {
        let nat = self.name_and_type(name, desc);
        self.add2(17, bootstrap, nat)
    }
    pub fn invoke_dynamic(&mut self, bootstrap: u16, name: &str, desc: &str) -> u16 {
        let nat = self.name_and_type(name, desc);
        self.add2(18, bootstrap, nat)
    }
}

/// A table of items with a count in front.
#[derive(Default)]
struct Counted {
    count: u16,
    bytes: Vec<u8>,
}

impl Counted {
    fn push(&mut self, item: &[u8]) {
        self.count = self.count.checked_add(1).expect("table is full");
        self.bytes.extend(item);
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.count.to_be_bytes());
        out.extend(&self.bytes);
    }
}

/// Builds one class file.
pub struct ClassBuilder {
    pub major: u16,
    pub minor: u16,
    pub access: u16,
    pub pool: Pool,
    name: String,
    super_name: Option<String>,
    interfaces: Vec<String>,
    fields: Counted,
    methods: Counted,
    attributes: Counted,
    bootstraps: Counted,
}

fn attribute(pool: &mut Pool, name: &str, body: &[u8]) -> Vec<u8> {
    let len = u32::try_from(body.len()).expect("attribute is too long");
    [&pool.utf8(name).to_be_bytes()[..], &len.to_be_bytes(), body].concat()
}

impl ClassBuilder {
    /// A public class of version 61.
    pub fn new(name: &str, super_name: &str) -> Self {
        ClassBuilder {
            major: 61,
            minor: 0,
            access: crate::access::PUBLIC | crate::access::SUPER,
            pool: Pool::default(),
            name: name.to_string(),
            super_name: (!super_name.is_empty()).then(|| super_name.to_string()),
            interfaces: Vec::new(),
            fields: Counted::default(),
            methods: Counted::default(),
            attributes: Counted::default(),
            bootstraps: Counted::default(),
        }
    }

    pub fn interface(&mut self, name: &str) -> &mut Self {
        self.interfaces.push(name.to_string());
        self
    }

    pub fn field(&mut self, access: u16, name: &str, desc: &str) -> &mut Self {
        let (name, desc) = (self.pool.utf8(name), self.pool.utf8(desc));
        self.fields.push(&[access, name, desc, 0].map(u16::to_be_bytes).concat());
        self
    }

    /// A method without code.
    pub fn bodyless(&mut self, access: u16, name: &str, desc: &str) -> &mut Self {
        let (name, desc) = (self.pool.utf8(name), self.pool.utf8(desc));
        self.methods.push(&[access, name, desc, 0].map(u16::to_be_bytes).concat());
        self
    }

    /// A method whose code `write` writes.
    pub fn method(&mut self, access: u16, name: &str, desc: &str, write: impl FnOnce(&mut Code<'_>)) -> &mut Self {
        let head = [access, self.pool.utf8(name), self.pool.utf8(desc), 1].map(u16::to_be_bytes).concat();
        let mut code = Code::new(&mut self.pool);
        write(&mut code);
        let body = code.finish();
        let attribute = attribute(&mut self.pool, "Code", &body);
        self.methods.push(&[head, attribute].concat());
        self
    }

    /// The constructor that only calls the superclass's.
    pub fn default_constructor(&mut self) -> &mut Self {
        use crate::opcodes::op;
        let super_name = self.super_name.clone().expect("a constructor calls that of a superclass");
        self.method(crate::access::PUBLIC, "<init>", "()V", |code| {
            code.limits(1, 1);
            code.op(op::ALOAD_0).method(op::INVOKESPECIAL, &super_name, "<init>", "()V").op(op::RETURN);
        })
    }

    /// Adds a bootstrap method: `handle` and `args` are pool indices. Returns its number.
    pub fn bootstrap(&mut self, handle: u16, args: &[u16]) -> u16 {
        let mut row = handle.to_be_bytes().to_vec();
        row.extend((args.len() as u16).to_be_bytes());
        args.iter().for_each(|a| row.extend(a.to_be_bytes()));
        self.bootstraps.push(&row);
        self.bootstraps.count - 1
    }

    /// Any other attribute of the class.
    pub fn attribute(&mut self, name: &str, body: &[u8]) -> &mut Self {
        let bytes = attribute(&mut self.pool, name, body);
        self.attributes.push(&bytes);
        self
    }

    pub fn finish(mut self) -> Vec<u8> {
        if self.bootstraps.count > 0 {
            let mut body = Vec::new();
            self.bootstraps.write(&mut body);
            self.attribute("BootstrapMethods", &body);
        }
        let this = self.pool.class(&self.name);
        let superclass = self.super_name.as_deref().map_or(0, |n| self.pool.class(n));
        let interfaces: Vec<u16> = self.interfaces.iter().map(|n| self.pool.class(n)).collect();
        let mut out = 0xcafe_babe_u32.to_be_bytes().to_vec();
        out.extend([self.minor, self.major, self.pool.count + 1].map(u16::to_be_bytes).concat());
        out.extend(&self.pool.bytes);
        out.extend([self.access, this, superclass, interfaces.len() as u16].map(u16::to_be_bytes).concat());
        interfaces.iter().for_each(|i| out.extend(i.to_be_bytes()));
        self.fields.write(&mut out);
        self.methods.write(&mut out);
        self.attributes.write(&mut out);
        out
    }
}
