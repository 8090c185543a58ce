//! Layouts that change all the time, for tests (`-XX:ConcordZealRelayout`).
//!
//! Invariant: it asks for what a repair asks for, with classes and fields by chance.
use crate::detector;
use concord_base::vm_log;
use concord_contract::class::flags;
use concord_contract::{ClassRef, ClassState};
use concord_runtime::info::{ClassExt, FieldInfo};
use concord_runtime::relayout::{self, Done, Refused};
use concord_runtime::{loader, names};
use std::sync::Mutex;
use std::time::Duration;

/// Layouts given, and refusals for now and for good.
static DONE: Mutex<[u64; 3]> = Mutex::new([0; 3]);

/// Begins to change a layout every so many milliseconds.
///
/// # Errors
/// The system gives no thread.
pub fn start(ms: u64) -> Result<(), String> {
    let begun = std::thread::Builder::new().name("Relayout".into()).spawn(move || {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        while !concord_safepoint::is_over() {
            std::thread::sleep(Duration::from_millis(ms));
            let Some(class) = some_class(&mut random) else { continue };
            let n = match change(class, &mut random) {
                Ok(_) => 0,
                Err(Refused::Now(_)) => 1,
                Err(Refused::Always(_)) => 2,
            };
            if let Ok(mut done) = DONE.lock() {
                done[n] += 1;
            }
        }
    });
    begun.map(|_| ()).map_err(|e| format!("cannot start a thread: {e}"))
}

/// What was done, for the log at the end.
pub fn tell() {
    if let Ok(d) = DONE.lock() {
        vm_log!(Remix, Info, "{} layouts by zeal, {} refused for now, {} for good", d[0], d[1], d[2]);
    }
}

fn change(class: ClassRef, random: &mut Random) -> Result<Done, Refused> {
    let all = class.declared_fields();
    let chosen: Vec<&'static FieldInfo> = all.iter().filter(|_| random.below(3) == 0).collect();
    let (statics, instances): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|f| f.is_static());
    let answer = match random.below(3) == 0 && all.iter().any(FieldInfo::is_static) {
        true => relayout::statics(class, &statics, &detector::before_relayout),
        false => relayout::instances(class, &instances, random.below(4) == 0, &detector::before_relayout),
    };
    vm_log!(Remix, Debug, "{}: {answer:?}", names::readable(class));
    answer
}

/// One of the classes that may be given another layout.
fn some_class(random: &mut Random) -> Option<ClassRef> {
    if concord_safepoint::is_over() {
        return None;
    }
    let mut all = Vec::new();
    concord_safepoint::stop_the_world("Contention", |_stopped| {
        loader::all_classes(&mut |c| {
            let stays =
                c.flags.load(std::sync::atomic::Ordering::Relaxed) & (flags::UNLOADABLE | flags::BOOT | flags::HIDDEN);
            if c.is_instance_class() && stays == 0 && c.state() >= ClassState::Linked {
                all.push(c);
            }
        });
    });
    let n = all.len() as u64;
    (n > 0).then(|| all[random.below(n) as usize])
}

/// Xorshift: the same sequence in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}
