//! What threads are in the middle of: loading a class, defining it, or asking Java for it.
//!
//! Invariant: a row stands for as long as its thread is busy with the name. A thread that comes back to a name that it is busy with has
//! found a circularity (ClassCircularityError); others may wait for the end. No lock is held meanwhile.
use crate::{blocking, exceptions};
use concord_base::Symbol;
use concord_contract::{JResult, Thread};
use std::sync::{Condvar, Mutex};

/// Names and the threads that are busy with them, in one way and for one loader.
#[derive(Default)]
pub struct Busy {
    rows: Mutex<Vec<(Symbol, u64)>>,
    ended: Condvar,
}

/// This thread is busy, until this is dropped.
pub struct Row(&'static Busy, (Symbol, u64));
impl Drop for Row {
    fn drop(&mut self) {
        let mut rows = self.0.rows.lock().expect("busy threads");
        if let Some(i) = rows.iter().rposition(|r| *r == self.1) {
            rows.remove(i);
        }
        drop(rows);
        self.0.ended.notify_all();
    }
}

impl Busy {
    /// Whether this thread is busy with `name`.
    pub fn with(&self, th: &Thread, name: Symbol) -> bool {
        self.rows.lock().expect("busy threads").contains(&(name, th.id.get()))
    }

    /// This thread is busy with `name` from now on.
    ///
    /// # Errors
    /// ClassCircularityError: it is already.
    pub fn begin(&'static self, th: &Thread, name: Symbol) -> JResult<Row> {
        if self.with(th, name) {
            return exceptions::throw(th, "java/lang/ClassCircularityError", &name.as_str());
        }
        let row = (name, th.id.get());
        self.rows.lock().expect("busy threads").push(row);
        Ok(Row(self, row))
    }

    /// As [`begin`](Self::begin), by one thread at a time; None once another one has been busy with it.
    ///
    /// # Errors
    /// ClassCircularityError: this thread is already.
    pub fn alone(&'static self, th: &Thread, name: Symbol) -> JResult<Option<Row>> {
        let row = (name, th.id.get());
        let mut rows = self.rows.lock().expect("busy threads");
        match rows.iter().find(|r| r.0 == name) {
            None => {
                rows.push(row);
                Ok(Some(Row(self, row)))
            }
            Some(first) if *first == row => {
                drop(rows);
                exceptions::throw(th, "java/lang/ClassCircularityError", &name.as_str())
            }
            Some(_) => {
                drop(rows);
                blocking(th, || {
                    let rows = self.rows.lock().expect("busy threads");
                    drop(self.ended.wait_while(rows, |rows| rows.iter().any(|r| r.0 == name)).expect("busy threads"));
                });
                Ok(None)
            }
        }
    }
}
