//! What the VM chooses when it was not told: heap sizes from the machine's memory.
//!
//! Invariant: runs once, behind the parser; it only touches flags whose origin is still `Default`.
use super::flags::{self, Origin};
use super::{OptionError, Options};

/// Without -Xmx the heap is at most this: larger ones need address tables that cost every start.
const DEFAULT_HEAP_LIMIT: u64 = 4 << 30;
/// Up to this the heap is MinRAMPercentage of the memory.
const LARGEST_SMALL_HEAP: u64 = 126 << 20;
const SMALLEST_HEAP: u64 = 2 << 20;

fn limit_file(path: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    text.trim().parse().ok().filter(|v| *v < 1 << 60)
}

/// The files with the limits of the group that `groups` (`/proc/self/cgroup`) names, and of the root: that is
/// where a process in a container sees its own group.
fn limit_files(groups: &str) -> Vec<String> {
    let mut files = Vec::new();
    for (kind, mount, file) in
        [("", "/sys/fs/cgroup", "memory.max"), ("memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes")]
    {
        files.push(format!("{mount}/{file}"));
        let own = groups.lines().filter_map(|l| {
            let mut parts = l.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            (controllers.split(',').any(|c| c == kind) && path != "/").then_some(path)
        });
        files.extend(own.map(|path| format!("{mount}{path}/{file}")));
    }
    files
}

/// The machine's memory in bytes, or the container's limit if that is lower.
pub fn physical_memory(container: bool) -> u64 {
    // SAFETY: sysconf has no preconditions.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let mut memory = if pages > 0 && size > 0 { pages as u64 * size as u64 } else { 1 << 30 };
    if container {
        let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        for file in limit_files(&groups) {
            if let Some(limit) = limit_file(&file) {
                memory = memory.min(limit);
            }
        }
    }
    memory
}

fn chosen(o: &mut Options, name: &str) {
    if let Some(i) = flags::find(name) {
        o.origins[i] = Origin::Ergonomic;
    }
}

/// Compiled code reaches all of the area by 32-bit displacements.
const LARGEST_CODE_CACHE: u64 = 2 << 30;

/// In HotSpot's words.
fn check_code_cache(f: &flags::Flags) -> Result<(), OptionError> {
    let (reserved, initial) = (f.reserved_code_cache_size, f.initial_code_cache_size);
    if reserved < initial {
        let text = "Must be at least InitialCodeCacheSize";
        return Err(OptionError::Usage(format!(
            "Invalid ReservedCodeCacheSize: {}K. {text}={}K.",
            reserved >> 10,
            initial >> 10
        )));
    }
    if reserved > LARGEST_CODE_CACHE {
        let (is, most) = (reserved >> 20, LARGEST_CODE_CACHE >> 20);
        return Err(OptionError::Usage(format!("Invalid ReservedCodeCacheSize={is}M. Must be at most {most}M.")));
    }
    Ok(())
}

/// Everywhere they are not the default: where memory is in pieces the kernel may take a second to make them. By default the heap
/// asks for some, for what has grown old.
fn check_pages(o: &mut Options) {
    let there = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
        .is_ok_and(|modes| !modes.contains("[never]"));
    if o.flags.use_transparent_huge_pages && !there {
        o.flags.use_transparent_huge_pages = false;
        o.warnings.push("TransparentHugePages is not supported by the operating system".into());
    }
}

pub(super) fn choose(o: &mut Options) -> Result<(), OptionError> {
    let f = &o.flags;
    check_code_cache(f)?;
    let memory = match f.max_ram {
        0 => physical_memory(f.use_container_support),
        limit => limit.min(physical_memory(f.use_container_support)),
    };
    let part = |percent: f64| ((memory as f64 * percent / 100.0) as u64 & !0xfffff).max(SMALLEST_HEAP * 4);
    let (max_default, initial_default) = (o.is_default("MaxHeapSize"), o.is_default("InitialHeapSize"));
    if max_default {
        let asked = !o.is_default("MaxRAMPercentage");
        let limit = if asked { u64::MAX } else { DEFAULT_HEAP_LIMIT };
        let f = &mut o.flags;
        // Half of a small memory, a quarter of a large one, but never less than the largest small heap.
        let small = part(f.min_ram_percentage);
        let size = if small < LARGEST_SMALL_HEAP { small } else { part(f.max_ram_percentage).max(LARGEST_SMALL_HEAP) };
        f.max_heap_size = size.min(limit).max(f.initial_heap_size).max(f.min_heap_size);
        chosen(o, "MaxHeapSize");
    }
    let f = &mut o.flags;
    if f.max_heap_size < SMALLEST_HEAP {
        return Err(OptionError::Init("Too small maximum heap".into()));
    }
    if initial_default || f.initial_heap_size == 0 {
        f.initial_heap_size = part(f.initial_ram_percentage).max(f.min_heap_size).min(f.max_heap_size);
        chosen(o, "InitialHeapSize");
    }
    if o.is_default("SoftMaxHeapSize") {
        o.flags.soft_max_heap_size = o.flags.max_heap_size;
        chosen(o, "SoftMaxHeapSize");
    }
    check_pages(o);
    let f = &mut o.flags;
    if f.initial_heap_size < 1 << 20 {
        return Err(OptionError::Init("Too small initial heap".into()));
    }
    if f.initial_heap_size > f.max_heap_size {
        return Err(OptionError::Init("Initial heap size set to a larger value than the maximum heap size".into()));
    }
    if f.min_heap_size > f.max_heap_size {
        return Err(OptionError::Init("Incompatible minimum and maximum heap sizes specified".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::limit_files;

    #[test]
    fn limits_of_the_own_group_and_of_the_root() {
        let unified = limit_files("0::/system.slice/app.service\n");
        assert!(unified.contains(&"/sys/fs/cgroup/system.slice/app.service/memory.max".to_string()));
        assert!(unified.contains(&"/sys/fs/cgroup/memory.max".to_string()));
        let split = limit_files("5:cpu,cpuacct:/a\n4:memory:/b:c\n0::/\n");
        assert!(split.contains(&"/sys/fs/cgroup/memory/b:c/memory.limit_in_bytes".to_string()));
        assert_eq!(split.len(), 3);
    }
}
