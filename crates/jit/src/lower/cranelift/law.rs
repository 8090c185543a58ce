//! The law of the collector, checked on the CLIF: no reference, and nothing computed from one, is
//! used behind a safepoint that it was live across; behind it there is only what was loaded from
//! the slots again.
//!
//! References are the values that `body` made as such, block parameters that receive one, and what
//! integer arithmetic makes of one. Safepoints are the calls with a record (debug tag).
use cranelift_codegen::ir::{BlockArg, Function, Inst, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// # Errors
/// The first violation.
pub fn check(f: &Function, made: &HashSet<Value>) -> Result<(), String> {
    let refs = derived(f, made);
    // Live references before each block, by backward iteration.
    let mut live_in: HashMap<_, HashSet<Value>> = HashMap::new();
    let blocks: Vec<_> = f.layout.blocks().collect();
    let mut changed = true;
    let mut bad = None;
    while changed {
        changed = false;
        for b in blocks.iter().rev() {
            let mut live = HashSet::new();
            for i in f.layout.block_insts(*b) {
                for call in f.dfg.insts[i].branch_destination(&f.dfg.jump_tables, &f.dfg.exception_tables) {
                    let to = call.block(&f.dfg.value_lists);
                    live.extend(live_in.get(&to).into_iter().flatten().copied());
                }
            }
            let mut i = f.layout.last_inst(*b);
            while let Some(inst) = i {
                for r in f.dfg.inst_results(inst) {
                    live.remove(r);
                }
                if is_safepoint(f, inst)
                    && let Some(v) = live.iter().next()
                {
                    bad = Some(format!("{v} is live across {inst} ({})", f.dfg.display_inst(inst)));
                }
                live.extend(uses(f, inst).into_iter().filter(|v| refs.contains(v)));
                i = f.layout.prev_inst(inst);
            }
            f.dfg.block_params(*b).iter().for_each(|p| {
                live.remove(p);
            });
            if live_in.get(b) != Some(&live) {
                live_in.insert(*b, live);
                changed = true;
            }
        }
    }
    bad.map_or(Ok(()), Err)
}

fn is_safepoint(f: &Function, i: Inst) -> bool {
    f.dfg.insts[i].opcode().is_call() && !f.debug_tags.get(i).is_empty()
}

fn uses(f: &Function, i: Inst) -> Vec<Value> {
    f.dfg.inst_values(i).map(|v| f.dfg.resolve_aliases(v)).collect()
}

/// Everything that is a reference or computed from one.
fn derived(f: &Function, made: &HashSet<Value>) -> HashSet<Value> {
    let mut refs: HashSet<Value> = made.iter().map(|v| f.dfg.resolve_aliases(*v)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for b in f.layout.blocks() {
            for i in f.layout.block_insts(b) {
                let data = &f.dfg.insts[i];
                for call in data.branch_destination(&f.dfg.jump_tables, &f.dfg.exception_tables) {
                    let params = f.dfg.block_params(call.block(&f.dfg.value_lists));
                    for (p, a) in params.iter().zip(call.args(&f.dfg.value_lists)) {
                        if let BlockArg::Value(v) = a
                            && refs.contains(&f.dfg.resolve_aliases(v))
                        {
                            changed |= refs.insert(*p);
                        }
                    }
                }
                // Addresses: offsets between two references, and truncated ones, are none.
                let address = matches!(data.opcode(), Opcode::Iadd | Opcode::Ishl | Opcode::Select);
                if address && uses(f, i).iter().any(|v| refs.contains(v)) {
                    changed |= refs.insert(f.dfg.first_result(i));
                }
            }
        }
    }
    refs
}
