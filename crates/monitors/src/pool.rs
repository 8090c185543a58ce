//! The record pool. Invariant owned here: record memory is reserved once and stays record memory
//! (type-stable); a page goes back to the kernel only while the world is stopped, and comes back
//! as zeros, which read as records that nobody can take (C31, G1).
//!
//! Records live in 4 KiB pages of 64. Threads take and give back batches; a free record is on one
//! thread's private list or on the pool's. G9: running out of records is fatal, as running out of
//! native memory for a monitor is in any Java VM; the reservation is 2^26 records where the
//! address space allows it.

use crate::record::{FREE, Record};
use crate::sync::Mutex;

#[cfg(not(any(loom, shuttle)))]
mod shape {
    pub(super) const PAGE_RECORDS: u32 = 64;
    /// Records handed to a thread at once.
    pub(super) const BATCH: u32 = 8;
}
#[cfg(any(loom, shuttle))]
mod shape {
    pub(super) const PAGE_RECORDS: u32 = 4;
    pub(super) const BATCH: u32 = 2;
}
use shape::{BATCH, PAGE_RECORDS};

/// Bytes of a record, as lock words count them.
pub(crate) const RECORD_BYTES: u32 = 64;
/// A private list longer than this gives half of it back (G11).
pub(crate) const PRIVATE_MAX: u32 = 32;
/// Pages that a trim leaves resident: 64 KiB.
const TRIM_PAGES: u32 = 16;

pub(crate) struct Pool {
    memory: Memory,
    records: u32,
    free: Mutex<FreeRecords>,
}

struct FreeRecords {
    /// Head of the list of free records, as a byte offset; 0 at the end.
    head: u32,
    /// Never used records of the newest page.
    fresh: std::ops::Range<u32>,
    /// One bit per page that has been handed out and not been given back to the kernel.
    in_use: Vec<u64>,
    pages_in_use: u32,
    /// No page below this one is unused.
    first_unused: u32,
}

impl Pool {
    /// Reserve address space for `wanted` records, or as many as the system grants.
    pub(crate) fn reserve(wanted: u32) -> Result<Pool, String> {
        let (memory, records) = Memory::reserve(wanted)?;
        let pages = records / PAGE_RECORDS;
        Ok(Pool {
            memory,
            records,
            free: Mutex::new(FreeRecords {
                head: 0,
                fresh: 0..0,
                in_use: vec![0; pages.div_ceil(64) as usize],
                pages_in_use: 0,
                first_unused: 0,
            }),
        })
    }

    pub(crate) fn base(&self) -> *const Record {
        self.memory.base()
    }

    /// The record at a byte offset.
    #[inline(always)]
    pub(crate) fn record(&self, offset: u32) -> &Record {
        debug_assert!(offset / RECORD_BYTES < self.records, "a lock word names record {offset:#x} beyond the table");
        // SAFETY: the table is mapped for as long as the pool lives and every bit pattern in it,
        // zero included, is a record.
        unsafe { &*self.base().add((offset / RECORD_BYTES) as usize) }
    }

    /// Take a batch of records; each is passed to `give` as a byte offset.
    pub(crate) fn take_batch(&self, mut give: impl FnMut(u32)) {
        let mut free = self.free.lock().expect("nothing panics with the pool lock held");
        for _ in 0..BATCH {
            if free.head != 0 {
                let offset = free.head;
                free.head = self.record(offset).next_free();
                give(offset);
                continue;
            }
            if free.fresh.is_empty() {
                let page = free.take_page(self.records / PAGE_RECORDS);
                // Offset 0 means "none", so record 0 is never handed out.
                free.fresh = (page * PAGE_RECORDS).max(1)..(page + 1) * PAGE_RECORDS;
            }
            let index = free.fresh.start;
            free.fresh.start += 1;
            give(index * RECORD_BYTES);
        }
    }

    /// Put a list of free records, linked through `next_free` and ending in 0, into the pool.
    pub(crate) fn give_back(&self, first: u32) {
        let mut free = self.free.lock().expect("nothing panics with the pool lock held");
        let mut at = first;
        while at != 0 {
            let record = self.record(at);
            let next = record.next_free();
            record.store_release_owner(FREE);
            record.set_next_free(free.head);
            free.head = at;
            at = next;
        }
    }

    /// Every record that has ever been handed out and whose page is still there.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(u32, &Record)) {
        let free = self.free.lock().expect("nothing panics with the pool lock held");
        free.for_each_page(|page| {
            for index in page * PAGE_RECORDS..(page + 1) * PAGE_RECORDS {
                visit(index * RECORD_BYTES, self.record(index * RECORD_BYTES));
            }
        });
    }

    /// Offsets of the records on the pool's list.
    pub(crate) fn listed(&self) -> Vec<u32> {
        let free = self.free.lock().expect("nothing panics with the pool lock held");
        let mut offsets = Vec::new();
        let mut at = free.head;
        while at != 0 {
            offsets.push(at);
            at = self.record(at).next_free();
        }
        offsets
    }

    /// Bytes of record memory in use.
    pub(crate) fn bytes_in_use(&self) -> u64 {
        let free = self.free.lock().expect("nothing panics with the pool lock held");
        u64::from(free.pages_in_use) * u64::from(PAGE_RECORDS * RECORD_BYTES)
    }

    /// Whether a trim would find anything worth giving back.
    pub(crate) fn worth_trimming(&self) -> bool {
        self.free.lock().expect("nothing panics with the pool lock held").pages_in_use > TRIM_PAGES
    }

    /// Rebuild the pool's list from all free records, densest pages first, and give pages without
    /// an attached record back to the kernel.
    ///
    /// # Safety
    /// The world is stopped and every private list has been emptied.
    pub(crate) unsafe fn trim(&self) {
        let mut free = self.free.lock().expect("nothing panics with the pool lock held");
        free.head = 0;
        free.fresh = 0..0;
        let mut pages = Vec::new();
        free.for_each_page(|page| pages.push(page));
        let mut idle: Vec<std::ops::Range<u32>> = Vec::new();
        // Backwards, so that the list ends up with the lowest offsets first.
        for &page in pages.iter().rev() {
            let indices = page * PAGE_RECORDS..(page + 1) * PAGE_RECORDS;
            if indices.clone().all(|i| self.record(i * RECORD_BYTES).is_idle()) {
                free.in_use[page as usize / 64] &= !(1 << (page % 64));
                free.pages_in_use -= 1;
                free.first_unused = free.first_unused.min(page);
                match idle.last_mut() {
                    Some(run) if run.start == page + 1 => run.start = page,
                    _ => idle.push(page..page + 1),
                }
                continue;
            }
            for index in indices.rev() {
                let offset = index * RECORD_BYTES;
                let record = self.record(offset);
                if index != 0 && record.is_free() {
                    record.store_release_owner(FREE);
                    record.set_next_free(free.head);
                    free.head = offset;
                }
            }
        }
        for run in idle {
            self.memory.discard(run.start * PAGE_RECORDS..run.end * PAGE_RECORDS);
        }
    }
}

impl FreeRecords {
    fn take_page(&mut self, pages: u32) -> u32 {
        let start = self.first_unused as usize / 64;
        for (i, word) in self.in_use.iter_mut().enumerate().skip(start) {
            let page = i as u32 * 64 + word.trailing_ones();
            if *word != u64::MAX && page < pages {
                *word |= 1 << (page % 64);
                self.pages_in_use += 1;
                self.first_unused = page + 1;
                return page;
            }
        }
        fatal(&format!("out of monitor records: {} are in use", pages * PAGE_RECORDS))
    }

    fn for_each_page(&self, mut visit: impl FnMut(u32)) {
        let mut left = self.pages_in_use;
        for (i, &word) in self.in_use.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                visit(i as u32 * 64 + bits.trailing_zeros());
                bits &= bits - 1;
                left -= 1;
            }
            if left == 0 {
                return;
            }
        }
    }
}

/// Stop the process: a monitor operation has no way to report this to Java.
#[cold]
pub(crate) fn fatal(why: &str) -> ! {
    eprintln!("fatal error in the monitor room: {why}");
    std::process::abort()
}

#[cfg(not(any(loom, shuttle)))]
use mapped::Memory;
#[cfg(not(any(loom, shuttle)))]
mod mapped {
    use super::{PAGE_RECORDS, RECORD_BYTES, Record};

    /// Fewer records than this are not worth starting with.
    const LEAST: u32 = 1 << 14;

    /// An anonymous mapping that is never moved and never shrinks.
    pub(super) struct Memory {
        base: *mut Record,
        bytes: usize,
    }

    // SAFETY: the mapping belongs to no thread, and records are made of atomics and guarded cells.
    unsafe impl Send for Memory {}
    // SAFETY: as above.
    unsafe impl Sync for Memory {}

    impl Memory {
        pub(super) fn reserve(wanted: u32) -> Result<(Memory, u32), String> {
            let mut records = wanted.next_multiple_of(PAGE_RECORDS).clamp(PAGE_RECORDS, 1 << 26);
            loop {
                let bytes = records as usize * RECORD_BYTES as usize;
                // SAFETY: a new private mapping at an address of the kernel's choice.
                let at = unsafe {
                    libc::mmap(
                        std::ptr::null_mut(),
                        bytes,
                        libc::PROT_READ | libc::PROT_WRITE,
                        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                        -1,
                        0,
                    )
                };
                if at != libc::MAP_FAILED {
                    // One huge page for a handful of records would cost 2 MiB of resident memory;
                    // a kernel without huge pages refuses, which changes nothing.
                    // SAFETY: advice about the mapping just made.
                    unsafe { libc::madvise(at, bytes, libc::MADV_NOHUGEPAGE) };
                    return Ok((Memory { base: at.cast(), bytes }, records));
                }
                if records <= LEAST {
                    let why = std::io::Error::last_os_error();
                    return Err(format!("cannot reserve {bytes} bytes of address space for monitor records: {why}"));
                }
                // An address space limit: any smaller table works as well.
                records = (records / 4).max(LEAST);
            }
        }

        #[inline(always)]
        pub(super) fn base(&self) -> *const Record {
            self.base
        }

        /// Give the memory of these records back; they read as zeros from here on.
        pub(super) fn discard(&self, indices: std::ops::Range<u32>) {
            let bytes = indices.len() * RECORD_BYTES as usize;
            // SAFETY: the range lies in the mapping; its records are idle while the world is
            // stopped, so nothing in them is needed, and zeros are records too.
            let failed =
                unsafe { libc::madvise(self.base.add(indices.start as usize).cast(), bytes, libc::MADV_DONTNEED) };
            if failed != 0 {
                super::fatal(&format!("madvise on record memory: {}", std::io::Error::last_os_error()));
            }
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: the pool is going away, so nobody holds a record.
            unsafe { libc::munmap(self.base.cast(), self.bytes) };
        }
    }
}

#[cfg(any(loom, shuttle))]
use boxed::Memory;
#[cfg(any(loom, shuttle))]
mod boxed {
    use super::{PAGE_RECORDS, Record};

    pub(super) struct Memory(Box<[Record]>);

    impl Memory {
        pub(super) fn reserve(wanted: u32) -> Result<(Memory, u32), String> {
            let records = wanted.next_multiple_of(PAGE_RECORDS).max(PAGE_RECORDS);
            Ok((Memory((0..records).map(|_| Record::new_zeroed()).collect()), records))
        }

        pub(super) fn base(&self) -> *const Record {
            self.0.as_ptr()
        }

        /// Records under a checker own checker objects: idle ones stay as they are.
        pub(super) fn discard(&self, indices: std::ops::Range<u32>) {
            for record in &self.0[indices.start as usize..indices.end as usize] {
                record.store_release_owner(super::FREE);
            }
        }
    }
}

#[cfg(all(test, not(loom), not(shuttle)))]
mod tests {
    use super::*;

    fn take(pool: &Pool, batches: usize) -> Vec<u32> {
        let mut all = Vec::new();
        for _ in 0..batches {
            pool.take_batch(|offset| all.push(offset));
        }
        all
    }

    #[test]
    fn records_are_distinct_aligned_and_never_zero() {
        let pool = Pool::reserve(1 << 16).expect("address space");
        let mut all = take(&pool, 100);
        assert_eq!(all.len(), 800);
        assert!(all.iter().all(|&o| o != 0 && o % RECORD_BYTES == 0));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 800);
        assert!(std::ptr::from_ref(pool.record(all[0])).is_aligned());
    }

    #[test]
    fn what_is_given_back_is_taken_again() {
        let pool = Pool::reserve(1 << 16).expect("address space");
        let first = take(&pool, 1);
        for pair in first.windows(2) {
            pool.record(pair[0]).set_next_free(pair[1]);
        }
        pool.record(first[7]).set_next_free(0);
        pool.give_back(first[0]);
        let mut again = take(&pool, 1);
        again.sort_unstable();
        assert_eq!(again, first);
    }

    #[test]
    fn idle_pages_go_back_and_can_be_used_again() {
        let pool = Pool::reserve(1 << 16).expect("address space");
        let held = take(&pool, 1000);
        let kept = held[4321];
        pool.record(kept).set_obj(0x1000);
        pool.record(kept).store_release_owner(crate::record::UNOWNED);
        let before = pool.bytes_in_use();
        assert!(before >= 8000 * 64);
        // SAFETY: one thread, no private list.
        unsafe { pool.trim() };
        assert_eq!(pool.bytes_in_use(), 4096);
        assert_eq!(pool.record(kept).obj(), 0x1000);
        assert_eq!(pool.record(held[0]).load_relaxed_owner(), FREE);
        let again = take(&pool, 1000);
        assert!(!again.contains(&kept));
    }
}
