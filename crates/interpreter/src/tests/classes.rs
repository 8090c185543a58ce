//! A class-file reader just large enough for what `javac` makes of the test programs.
use concord_contract::BasicType;

#[derive(Clone, Debug)]
pub enum Constant {
    None,
    Utf8(String),
    Int(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class(u16),
    Text,
    NameAndType(u16, u16),
    /// Field, method, or interface method: class, name and type.
    Member(u16, u16),
}

#[derive(Clone, Debug)]
pub struct Member {
    pub flags: u16,
    pub name: String,
    pub descriptor: String,
    pub code: Option<Body>,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: Vec<u8>,
    pub exceptions: Vec<[u16; 4]>,
}

#[derive(Clone, Debug)]
pub struct ClassFile {
    pub flags: u16,
    pub name: String,
    pub super_name: Option<String>,
    pub interfaces: Vec<String>,
    pub fields: Vec<Member>,
    pub methods: Vec<Member>,
    pub constants: Vec<Constant>,
}

struct Reader<'a>(&'a [u8], usize);
impl Reader<'_> {
    fn take(&mut self, n: usize) -> &[u8] {
        self.1 += n;
        &self.0[self.1 - n..self.1]
    }
    fn u1(&mut self) -> u8 {
        self.take(1)[0]
    }
    fn u2(&mut self) -> u16 {
        u16::from_be_bytes(self.take(2).try_into().unwrap())
    }
    fn u4(&mut self) -> u32 {
        u32::from_be_bytes(self.take(4).try_into().unwrap())
    }
    fn u8(&mut self) -> u64 {
        (self.u4() as u64) << 32 | self.u4() as u64
    }
}

impl ClassFile {
    pub fn utf8(&self, i: u16) -> &str {
        match &self.constants[i as usize] {
            Constant::Utf8(s) => s,
            c => panic!("{c:?} is no name"),
        }
    }
    pub fn class_name(&self, i: u16) -> &str {
        match self.constants[i as usize] {
            Constant::Class(n) => self.utf8(n),
            ref c => panic!("{c:?} is no class"),
        }
    }
    /// (class, name, descriptor)
    pub fn member(&self, i: u16) -> (&str, &str, &str) {
        match self.constants[i as usize] {
            Constant::Member(c, nt) => match self.constants[nt as usize] {
                Constant::NameAndType(n, d) => (self.class_name(c), self.utf8(n), self.utf8(d)),
                ref c => panic!("{c:?} is no name and type"),
            },
            ref c => panic!("{c:?} is no member"),
        }
    }
    pub fn parse(bytes: &[u8]) -> ClassFile {
        let mut r = Reader(bytes, 8);
        let n = r.u2();
        let mut constants = vec![Constant::None];
        while constants.len() < n as usize {
            let c = match r.u1() {
                1 => {
                    let n = r.u2() as usize;
                    Constant::Utf8(String::from_utf8_lossy(r.take(n)).into_owned())
                }
                3 => Constant::Int(r.u4() as i32),
                4 => Constant::Float(r.u4()),
                5 => Constant::Long(r.u8() as i64),
                6 => Constant::Double(r.u8()),
                7 => Constant::Class(r.u2()),
                8 => {
                    r.u2();
                    Constant::Text
                }
                9..=11 => Constant::Member(r.u2(), r.u2()),
                12 => Constant::NameAndType(r.u2(), r.u2()),
                15 => {
                    r.u1();
                    r.u2();
                    Constant::None
                }
                16 | 19 | 20 => {
                    r.u2();
                    Constant::None
                }
                17 | 18 => {
                    r.u4();
                    Constant::None
                }
                t => panic!("constant tag {t} in a test program"),
            };
            let wide = matches!(c, Constant::Long(_) | Constant::Double(_));
            constants.push(c);
            if wide {
                constants.push(Constant::None);
            }
        }
        let mut c = ClassFile {
            flags: r.u2(),
            name: String::new(),
            super_name: None,
            interfaces: vec![],
            fields: vec![],
            methods: vec![],
            constants,
        };
        c.name = c.class_name(r.u2()).to_string();
        let s = r.u2();
        c.super_name = (s != 0).then(|| c.class_name(s).to_string());
        for _ in 0..r.u2() {
            let i = r.u2();
            let name = c.class_name(i).to_string();
            c.interfaces.push(name);
        }
        c.fields = (0..r.u2()).map(|_| c.read_member(&mut r)).collect();
        c.methods = (0..r.u2()).map(|_| c.read_member(&mut r)).collect();
        c
    }
    fn read_member(&self, r: &mut Reader) -> Member {
        let mut m = Member {
            flags: r.u2(),
            name: self.utf8(r.u2()).to_string(),
            descriptor: self.utf8(r.u2()).to_string(),
            code: None,
        };
        for _ in 0..r.u2() {
            let name = self.utf8(r.u2());
            let len = r.u4() as usize;
            let end = r.1 + len;
            if name == "Code" {
                let (max_stack, max_locals) = (r.u2(), r.u2());
                let n = r.u4() as usize;
                let bytes = r.take(n).to_vec();
                let exceptions = (0..r.u2()).map(|_| [r.u2(), r.u2(), r.u2(), r.u2()]).collect();
                m.code = Some(Body { max_stack, max_locals, bytes, exceptions });
            }
            r.1 = end;
        }
        m
    }
}

/// (argument types, return type) of a method descriptor.
pub fn signature(d: &str) -> (Vec<BasicType>, BasicType) {
    let b = d.as_bytes();
    let (mut i, mut args) = (1, vec![]);
    while b[i] != b')' {
        args.push(BasicType::from_descriptor_char(b[i]).unwrap());
        while b[i] == b'[' {
            i += 1;
        }
        i = if b[i] == b'L' { i + d[i..].find(';').unwrap() + 1 } else { i + 1 };
    }
    (args, BasicType::from_descriptor_char(b[i + 1]).unwrap())
}
