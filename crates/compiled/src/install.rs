//! Installing compiled code.
//!
//! Invariant: code is published (by release stores of the method's entries) only while everything
//! it depends on holds, under one lock that whoever ends a dependency takes as well.
use crate::registry::{REGISTRY, holds, registry};
use crate::{area, gdb, i2c, near, osr, table};
use concord_base::bug;
use concord_base::event_log;
use concord_contract::MethodRef;
use concord_contract::code_table::{Adapter, Installed};
use concord_contract::compiled::{CompileRequest, CompiledCode, RelocKind, RelocTarget, VirtualObject};
use concord_runtime::ClassExt;
use concord_runtime::events::{self, Event, Stub};
use std::sync::atomic::{AtomicU64, Ordering};

/// What happened, for statistics.
#[derive(Default)]
pub struct Counters {
    pub installed: AtomicU64,
    pub installed_osr: AtomicU64,
    pub bytes: AtomicU64,
    pub invalidated: AtomicU64,
    pub refused: AtomicU64,
    pub freed: AtomicU64,
}
pub static COUNTERS: Counters = Counters {
    installed: AtomicU64::new(0),
    installed_osr: AtomicU64::new(0),
    bytes: AtomicU64::new(0),
    invalidated: AtomicU64::new(0),
    refused: AtomicU64::new(0),
    freed: AtomicU64::new(0),
};

/// Why finished code is not used.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// What it relies on has changed meanwhile.
    Dependency,
    AreaFull,
}

/// Writes the code to the area and publishes it.
///
/// # Errors
/// Why not.
pub fn install(request: &CompileRequest, mut code: CompiledCode) -> Result<(), Refused> {
    let m = request.method;
    let Some(area) = area::get() else { bug!("code is installed before the code area exists") };
    let Some(i2c) = i2c::entry(m) else { return Err(Refused::AreaFull) };
    let size = code.bytes.len();
    let Some(at) = area.take(size) else { return Err(Refused::AreaFull) };
    let start = area.address_of(at);
    relocate(&mut code, start, m);
    code.states.iter_mut().flat_map(|s| &mut s.objects).for_each(only_own_fields);
    area.write(at, &code.bytes);
    let installed: &'static Installed = Box::leak(Box::new(Installed::new(
        m,
        (request.osr_bci, code.osr_monitors),
        request.id,
        start,
        start + size,
        code.frame_span,
        (code.calls.into_boxed_slice(), code.way_out),
        code.places.into_boxed_slice(),
        code.states.into_boxed_slice(),
        code.inlined.into_boxed_slice(),
    )));
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    if !code.dependencies.iter().all(holds) {
        drop(guard);
        area.give_back(at, size);
        COUNTERS.refused.fetch_add(1, Ordering::Relaxed);
        return Err(Refused::Dependency);
    }
    table::add_method(installed, at);
    r.enter(installed, &code.dependencies, &code.classes);
    match request.osr_bci {
        Some(bci) => {
            osr::publish(m, bci, installed);
            COUNTERS.installed_osr.fetch_add(1, Ordering::Relaxed);
        }
        None => {
            m.compiled.store(start as *mut (), Ordering::Release);
            concord_interpreter::entry::install_compiled(m, i2c);
        }
    }
    COUNTERS.installed.fetch_add(1, Ordering::Relaxed);
    COUNTERS.bytes.fetch_add(size as u64, Ordering::Relaxed);
    crate::print::perf_map(installed);
    if let Some(text) = code.listing {
        crate::print::listing(installed, &text);
    }
    gdb::register(|| crate::print::name(installed), start, size);
    let text = format!("nmethod {} 0x{start:016x} code [0x{start:016x}, 0x{:016x}]", request.id, start + size);
    event_log::note(event_log::Kind::Compilation, 0, text);
    if let Some(l) = events::listener(Event::CompiledMethodLoad) {
        l.code_came(installed);
    }
    Ok(())
}

/// Writes an adapter to the area; its address, or None when the area is full.
pub fn install_adapter(name: String, adapter: Adapter, code: &[u8]) -> Option<usize> {
    let Some(area) = area::get() else { bug!("an adapter is made before the code area exists") };
    let at = area.take(code.len())?;
    area.write(at, code);
    let stub = Stub { name, start: area.address_of(at), bytes: code.len() };
    gdb::register(|| stub.name.clone(), stub.start, stub.bytes);
    crate::print::perf_map_entry(stub.start, stub.bytes, || stub.name.clone());
    if let Some(l) = events::listener(Event::DynamicCode) {
        l.stub_came(&stub);
    }
    let start = stub.start;
    table::add_adapter(adapter, stub, at);
    Some(start)
}

/// Code that no object of the class reaches, behind a test for another one, may touch fields that it does not have.
fn only_own_fields(o: &mut VirtualObject) {
    let class = o.class;
    o.fields.retain(|(offset, ty, _)| {
        let supers = std::iter::successors(Some(class), |c| c.super_class);
        let mut fields = supers.flat_map(|c| c.info().fields.iter());
        fields.any(|f| !f.is_static() && f.offset() == *offset && f.ty == *ty)
    });
}

fn relocate(code: &mut CompiledCode, start: usize, m: MethodRef) {
    for r in &code.relocs {
        let target = match r.target {
            RelocTarget::Row(row) => match near::address(row) {
                Some(a) => a,
                None => bug!("code of {m:?} names the row {} without address", row.info().name),
            },
            RelocTarget::Code(offset) => start + offset as usize,
        };
        let value = target as i64 + r.addend;
        let at = r.offset as usize;
        match r.kind {
            RelocKind::Abs8 => code.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes()),
            RelocKind::Rel4 => match i32::try_from(value - (start + at) as i64) {
                Ok(d) => code.bytes[at..at + 4].copy_from_slice(&d.to_le_bytes()),
                Err(_) => bug!("code of {m:?} reaches for {target:#x}, too far from {start:#x}"),
            },
        }
    }
}
