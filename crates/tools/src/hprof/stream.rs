//! Where a dump goes: big-endian numbers, records, segments.
//!
//! Invariant: the length in a record's head is the number of bytes that follow it; a sub-record of
//! the heap dump lies in one segment. The first error is kept and returned by [`Stream::finish`].
use super::gzip::Gzip;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 20;
const HEAP_DUMP_SEGMENT: u8 = 0x1c;
const HEAP_DUMP_END: u8 = 0x2c;

/// A new file that only its owner reads: a heap holds secrets.
pub fn create(path: &Path, overwrite: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut o = std::fs::OpenOptions::new();
    o.write(true).mode(0o600);
    if overwrite {
        o.create(true).truncate(true);
    } else {
        o.create_new(true);
    }
    o.open(path)
}

pub enum Sink {
    Plain(File),
    Gzip(Gzip),
}

pub struct Stream {
    sink: Sink,
    /// What has not been written yet; inside the heap dump, one segment's sub-records.
    buffer: Vec<u8>,
    in_heap: bool,
    /// Bytes still to come of a sub-record that is written through, not gathered.
    through: usize,
    written: u64,
    failed: Option<io::Error>,
}

impl Stream {
    pub fn new(sink: Sink) -> Stream {
        Stream { sink, buffer: Vec::with_capacity(BUFFER), in_heap: false, through: 0, written: 0, failed: None }
    }
    fn out(&mut self, bytes: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        let r = match &mut self.sink {
            Sink::Plain(f) => f.write_all(bytes).map(|()| bytes.len() as u64),
            Sink::Gzip(g) => g.write(bytes),
        };
        match r {
            Ok(n) => self.written += n,
            Err(e) => self.failed = Some(e),
        }
    }
    fn flush(&mut self) {
        let bytes = std::mem::take(&mut self.buffer);
        if !bytes.is_empty() {
            if self.in_heap && self.through == 0 {
                self.segment_head(bytes.len());
            }
            self.out(&bytes);
        }
        self.buffer = bytes;
        self.buffer.clear();
    }
    fn segment_head(&mut self, length: usize) {
        let mut head = [0u8; 9];
        head[0] = HEAP_DUMP_SEGMENT;
        head[5..].copy_from_slice(&(length as u32).to_be_bytes());
        self.out(&head);
    }

    pub fn bytes(&mut self, b: &[u8]) {
        self.buffer.extend_from_slice(b);
        if self.through != 0 {
            if self.buffer.len() >= self.through {
                self.flush();
                self.through = 0;
            } else if self.buffer.len() >= BUFFER {
                self.through -= self.buffer.len();
                self.flush();
            }
        } else if !self.in_heap && self.buffer.len() >= BUFFER {
            self.flush();
        }
    }
    pub fn u1(&mut self, v: u8) {
        self.bytes(&[v]);
    }
    pub fn u2(&mut self, v: u16) {
        self.bytes(&v.to_be_bytes());
    }
    pub fn u4(&mut self, v: u32) {
        self.bytes(&v.to_be_bytes());
    }
    pub fn u8(&mut self, v: u64) {
        self.bytes(&v.to_be_bytes());
    }
    /// An identifier.
    pub fn id(&mut self, v: usize) {
        self.u8(v as u64);
    }

    /// The head of a record outside of the heap dump.
    pub fn record(&mut self, tag: u8, length: usize) {
        self.u1(tag);
        self.u4(0);
        self.u4(length as u32);
    }
    /// From here on there are sub-records of the heap dump.
    pub fn begin_heap(&mut self) {
        self.flush();
        self.in_heap = true;
    }
    /// Announces a sub-record of `length` bytes.
    pub fn sub(&mut self, length: usize) {
        if self.buffer.len() + length > BUFFER {
            self.flush();
        }
        if length > BUFFER {
            self.segment_head(length);
            self.through = length;
        }
    }

    /// Ends the dump; the file's size.
    ///
    /// # Errors
    /// The first failure to write.
    pub fn finish(mut self) -> io::Result<u64> {
        self.flush();
        self.in_heap = false;
        self.record(HEAP_DUMP_END, 0);
        self.flush();
        if let Some(e) = self.failed.take() {
            return Err(e);
        }
        match self.sink {
            Sink::Plain(f) => f.sync_data().map(|()| self.written).or_else(|e| {
                // Pipes and devices cannot be synchronised, and need not be.
                if e.raw_os_error() == Some(libc::EINVAL) { Ok(self.written) } else { Err(e) }
            }),
            Sink::Gzip(g) => g.finish().map(|n| self.written + n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn segments_say_how_long_they_are() {
        let path = std::env::temp_dir().join(format!("concord-hprof-{}", std::process::id()));
        let mut s = Stream::new(Sink::Plain(create(&path, false).expect("a new file")));
        assert!(create(&path, false).is_err());
        s.bytes(b"head");
        s.begin_heap();
        for _ in 0..3 {
            s.sub(5);
            s.bytes(b"small");
        }
        let large = vec![7u8; 3 << 20];
        s.sub(1 + large.len());
        s.u1(1);
        s.bytes(&large);
        s.sub(2);
        s.u2(0x1234);
        let size = s.finish().expect("written");
        let all = std::fs::read(&path).expect("read back");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(size, all.len() as u64);
        let mut at = 4;
        let mut lengths = Vec::new();
        while at < all.len() {
            let n = u32::from_be_bytes(all[at + 5..at + 9].try_into().expect("four")) as usize;
            lengths.push((all[at], n));
            at += 9 + n;
        }
        assert_eq!(lengths, [(0x1c, 15), (0x1c, 1 + (3 << 20)), (0x1c, 2), (0x2c, 0)]);
    }
}
