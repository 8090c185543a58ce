//! The file in memory that describes one piece of code to a debugger: an ELF64 object with the
//! code's place, its name, and how to unwind it.
//!
//! Invariant: all addresses are absolute; the code itself is not in the file. Unwinding follows the
//! frame pointer, which all code in the area keeps: the caller's is at `[rbp]`, the return address
//! behind it. In the first two instructions, which make that so, the rules are their own.
//! ```text
//! header | .eh_frame | .symtab | .strtab | .shstrtab | section headers
//! ```

/// Little-endian output.
#[derive(Default)]
struct Out(Vec<u8>);
impl Out {
    fn u8(&mut self, all: &[u8]) {
        self.0.extend_from_slice(all);
    }
    fn u16(&mut self, n: u16) {
        self.u8(&n.to_le_bytes());
    }
    fn u32(&mut self, n: u32) {
        self.u8(&n.to_le_bytes());
    }
    fn u64(&mut self, n: u64) {
        self.u8(&n.to_le_bytes());
    }
    /// Fills up to a multiple of 8 bytes.
    fn align(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
    }
}

/// DWARF's numbers of registers, and of the operations used here (DWARF 5, section 7.24).
mod dw {
    pub const RBP: u8 = 6;
    pub const RSP: u8 = 7;
    pub const RETURN_ADDRESS: u8 = 16;
    pub const NOP: u8 = 0;
    pub const ADVANCE: u8 = 0x40;
    pub const OFFSET: u8 = 0x80;
    pub const DEF_CFA: u8 = 0x0c;
    pub const DEF_CFA_REGISTER: u8 = 0x0d;
    pub const DEF_CFA_OFFSET: u8 = 0x0e;
}

/// Call-frame information of code that begins with `push rbp` (1 byte) and `mov rbp, rsp` (3 bytes).
fn frames(start: usize, bytes: usize) -> Vec<u8> {
    let mut f = Out::default();
    // Common part: version 1, no augmentation, code in bytes, data in -8.
    let mut common = vec![0, 0, 0, 0, 1, 0, 1, 0x78, dw::RETURN_ADDRESS];
    common.extend([dw::DEF_CFA, dw::RSP, 8, dw::OFFSET | dw::RETURN_ADDRESS, 1]);
    record(&mut f, common);
    // This code's: distance to the common part, place, length, rules.
    let distance = f.0.len() as u32 + 4;
    let mut own = Out::default();
    own.u32(distance);
    own.u64(start as u64);
    own.u64(bytes as u64);
    own.u8(&[dw::ADVANCE | 1, dw::DEF_CFA_OFFSET, 16, dw::OFFSET | dw::RBP, 2]);
    own.u8(&[dw::ADVANCE | 3, dw::DEF_CFA_REGISTER, dw::RBP]);
    record(&mut f, own.0);
    f.u32(0);
    f.0
}
/// A record with its length in front, padded.
fn record(out: &mut Out, mut content: Vec<u8>) {
    content.resize((content.len() + 4).next_multiple_of(8) - 4, dw::NOP);
    out.u32(content.len() as u32);
    out.u8(&content);
}

const PROGBITS: u32 = 1;
const SYMTAB: u32 = 2;
const STRTAB: u32 = 3;
const NOBITS: u32 = 8;
const ALLOC: u64 = 2;
const ALLOC_EXEC: u64 = 6;
const NAMES: &[u8] = b"\0.text\0.eh_frame\0.symtab\0.strtab\0.shstrtab\0";
const HEADER: u64 = 64;

#[derive(Clone, Copy)]
struct Section {
    name: &'static [u8],
    ty: u32,
    flags: u64,
    address: u64,
    offset: u64,
    size: u64,
    /// Section header of the strings, and number of the first global symbol: of `.symtab`.
    link: (u32, u32),
    entry: u64,
}

/// The file for code of a function with this name.
pub fn file(name: &str, start: usize, bytes: usize) -> Vec<u8> {
    let mut body = Out::default();
    let mut sections = vec![Section {
        name: b"\0.text",
        ty: NOBITS,
        flags: ALLOC_EXEC,
        address: start as u64,
        offset: HEADER,
        size: bytes as u64,
        link: (0, 0),
        entry: 0,
    }];
    let mut symbols = Out::default();
    symbols.u8(&[0; 24]);
    // Name, global function, default visibility, in section 1, at its begin.
    symbols.u32(1);
    symbols.u8(&[0x12, 0]);
    symbols.u16(1);
    symbols.u64(0);
    symbols.u64(bytes as u64);
    let strings = [b"\0", name.as_bytes(), b"\0"].concat();
    let no_entry = Section { name: b"", ty: STRTAB, flags: 0, address: 0, offset: 0, size: 0, link: (0, 0), entry: 0 };
    let parts = [
        (Section { name: b"\0.eh_frame", ty: PROGBITS, flags: ALLOC, ..no_entry }, frames(start, bytes)),
        (Section { name: b"\0.symtab", ty: SYMTAB, link: (4, 1), entry: 24, ..no_entry }, symbols.0),
        (Section { name: b"\0.strtab", ..no_entry }, strings),
        (Section { name: b"\0.shstrtab", ..no_entry }, NAMES.to_vec()),
    ];
    for (section, content) in parts {
        sections.push(Section { offset: HEADER + body.0.len() as u64, size: content.len() as u64, ..section });
        body.u8(&content);
        body.align();
    }
    let mut f = Out::default();
    // 64 bits, little-endian, version 1; relocatable, x86-64, version 1.
    f.u8(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    f.u16(1);
    f.u16(62);
    f.u32(1);
    f.u64(0);
    f.u64(0);
    f.u64(HEADER + body.0.len() as u64);
    f.u32(0);
    f.u16(HEADER as u16);
    f.u16(0);
    f.u16(0);
    f.u16(64);
    f.u16(sections.len() as u16 + 1);
    f.u16(sections.len() as u16);
    f.u8(&body.0);
    f.u8(&[0; 64]);
    for s in &sections {
        let at = NAMES.windows(s.name.len()).position(|w| w == s.name).map_or(0, |i| i + 1);
        f.u32(at as u32);
        f.u32(s.ty);
        for n in [s.flags, s.address, s.offset, s.size] {
            f.u64(n);
        }
        f.u32(s.link.0);
        f.u32(s.link.1);
        f.u64(8);
        f.u64(s.entry);
    }
    f.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Another program reads in it what was meant.
    #[test]
    fn readelf_understands_it() {
        let name = std::env::temp_dir().join(format!("concord-elf-{}", std::process::id()));
        std::fs::write(&name, file("a.B::c", 0x7f00_1000, 320)).unwrap();
        let out = Command::new("readelf").args(["-hSsW", "--debug-dump=frames"]).arg(&name).output().unwrap();
        std::fs::remove_file(&name).unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.stderr.is_empty(), "{}\n{text}", String::from_utf8_lossy(&out.stderr));
        let has = |words: &str| {
            let squeezed = text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "));
            assert!(squeezed.into_iter().any(|l| l.contains(words)), "no {words:?} in\n{text}");
        };
        has("Machine: Advanced Micro Devices X86-64");
        has(".text NOBITS 000000007f001000 000040 000140 00 AX");
        has("0000000000000000 320 FUNC GLOBAL DEFAULT 1 a.B::c");
        has("pc=000000007f001000..000000007f001140");
        has("DW_CFA_def_cfa_register: r6 (rbp)");
        has("DW_CFA_offset: r16 (rip) at cfa-8");
        has("DW_CFA_offset: r6 (rbp) at cfa-16");
    }
}
