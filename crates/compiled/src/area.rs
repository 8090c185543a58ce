//! The memory of machine code.
//!
//! Invariant: no page is writable and executable. The area is one memory file mapped twice: where
//! code runs, and where it is written. What was handed out is written once, before its address is
//! published.
use std::ops::Range;
use std::sync::Mutex;
use std::sync::OnceLock;

/// Everything is aligned to this.
pub const ALIGN: usize = 32;

struct Space {
    /// Free ranges of offsets, ascending.
    free: Vec<Range<usize>>,
    used: usize,
    most_used: usize,
    /// As `most_used`, since [`Area::reset_peak`].
    peak: usize,
    /// End of what was ever handed out.
    high: usize,
}

/// The code area.
pub struct Area {
    run: usize,
    write: usize,
    size: usize,
    space: Mutex<Space>,
}

static AREA: OnceLock<Area> = OnceLock::new();

/// Reserves the area of `size` bytes; once.
///
/// # Errors
/// What the system says.
pub fn init(size: usize) -> std::io::Result<()> {
    if AREA.set(Area::reserve(size)?).is_err() {
        concord_base::bug!("the code area is made twice");
    }
    Ok(())
}

/// The area; None while nothing is compiled.
pub fn get() -> Option<&'static Area> {
    AREA.get()
}

/// Where code of `size` bytes would lie near this library, out of the way of what the system puts below it.
fn wish(size: usize) -> usize {
    (wish as *const () as usize).saturating_sub((1 << 30) + size) & !0xffff
}

impl Area {
    /// Address space for `size` bytes, all of it free.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn reserve(size: usize) -> std::io::Result<Area> {
        let size = size.next_multiple_of(1 << 16);
        // SAFETY: system calls with valid arguments, checked; the two mappings belong to this module.
        let (run, write) = unsafe {
            let fd = libc::memfd_create(c"concord-code".as_ptr(), libc::MFD_CLOEXEC);
            if fd < 0 {
                return Err(std::io::Error::last_os_error());
            }
            let map = |hint: usize, prot| {
                libc::mmap(hint as *mut _, size, prot, libc::MAP_SHARED | libc::MAP_NORESERVE, fd, 0)
            };
            let made = libc::ftruncate(fd, size as libc::off_t) == 0;
            let (run, write) = if made {
                (map(wish(size), libc::PROT_READ | libc::PROT_EXEC), map(0, libc::PROT_READ | libc::PROT_WRITE))
            } else {
                (libc::MAP_FAILED, libc::MAP_FAILED)
            };
            let error = std::io::Error::last_os_error();
            libc::close(fd);
            if run == libc::MAP_FAILED || write == libc::MAP_FAILED {
                return Err(error);
            }
            (run as usize, write as usize)
        };
        let whole = 0..size;
        let space = Mutex::new(Space { free: vec![whole], used: 0, most_used: 0, peak: 0, high: 0 });
        Ok(Area { run, write, size, space })
    }
    /// Whether a displacement of 32 bits leads to the address from any instruction of the area.
    pub fn is_near(&self, address: usize) -> bool {
        let is_near = |end: usize| i32::try_from(address.wrapping_sub(end) as i64).is_ok();
        is_near(self.run) && is_near(self.run + self.size)
    }
    /// The offset of an address in the area.
    #[inline]
    pub fn offset_of(&self, pc: usize) -> Option<usize> {
        let o = pc.wrapping_sub(self.run);
        (o < self.size).then_some(o)
    }
    pub fn size(&self) -> usize {
        self.size
    }
    pub fn address_of(&self, offset: usize) -> usize {
        self.run + offset
    }
    /// Takes memory for `bytes`; its offset. None when the area is full.
    pub fn take(&self, bytes: usize) -> Option<usize> {
        let bytes = bytes.next_multiple_of(ALIGN);
        let mut s = self.space.lock().expect("code area");
        let i = s.free.iter().position(|r| r.len() >= bytes)?;
        let at = s.free[i].start;
        s.free[i].start += bytes;
        if s.free[i].is_empty() {
            s.free.remove(i);
        }
        s.used += bytes;
        s.most_used = s.most_used.max(s.used);
        s.peak = s.peak.max(s.used);
        s.high = s.high.max(at + bytes);
        Some(at)
    }
    /// Gives memory back that nothing can run any more.
    pub fn give_back(&self, offset: usize, bytes: usize) {
        let end = offset + bytes.next_multiple_of(ALIGN);
        let mut s = self.space.lock().expect("code area");
        s.used -= end - offset;
        let i = s.free.partition_point(|r| r.start < offset);
        s.free.insert(i, offset..end);
        if i + 1 < s.free.len() && s.free[i].end == s.free[i + 1].start {
            s.free[i].end = s.free[i + 1].end;
            s.free.remove(i + 1);
        }
        if i > 0 && s.free[i - 1].end == s.free[i].start {
            s.free[i - 1].end = s.free[i].end;
            s.free.remove(i);
        }
    }
    /// Bytes that are handed out.
    pub fn used(&self) -> usize {
        self.space.lock().expect("code area").used
    }
    /// Most bytes that were handed out at one time.
    pub fn most_used(&self) -> usize {
        self.space.lock().expect("code area").most_used
    }
    /// The same since the last [`Area::reset_peak`].
    pub fn peak(&self) -> usize {
        self.space.lock().expect("code area").peak
    }
    /// The peak begins again at what is handed out now.
    pub fn reset_peak(&self) {
        let mut s = self.space.lock().expect("code area");
        s.peak = s.used;
    }
    /// The end of what was ever handed out, as an offset.
    pub fn high(&self) -> usize {
        self.space.lock().expect("code area").high
    }
    /// Writes code into memory that was taken and not published yet.
    pub fn write(&self, offset: usize, code: &[u8]) {
        assert!(offset + code.len() <= self.size);
        // SAFETY: within the writable mapping, in a piece that only the caller knows.
        unsafe { std::ptr::copy_nonoverlapping(code.as_ptr(), (self.write + offset) as *mut u8, code.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_written_run_and_given_back() {
        let a = Area::reserve(1 << 20).unwrap();
        // mov eax, 42; ret
        let code = [0xb8, 42, 0, 0, 0, 0xc3];
        let at = a.take(code.len()).unwrap();
        a.write(at, &code);
        // SAFETY: the bytes are a function of this type.
        let f: extern "sysv64" fn() -> i32 = unsafe { std::mem::transmute(a.address_of(at)) };
        assert_eq!(f(), 42);
        let used = a.used();
        let (b, c) = (a.take(100).unwrap(), a.take(1).unwrap());
        assert_eq!(a.used(), used + 128 + ALIGN);
        a.give_back(b, 100);
        a.give_back(c, 1);
        a.give_back(at, code.len());
        assert_eq!((a.used(), a.peak(), a.high()), (0, used + 128 + ALIGN, used + 128 + ALIGN));
        a.reset_peak();
        assert_eq!((a.peak(), a.most_used()), (0, used + 128 + ALIGN));
        assert_eq!((a.used(), a.take(1 << 20)), (0, Some(0)));
        assert_eq!(a.take(1), None);
    }
}
