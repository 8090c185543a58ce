//! Thread, monitors, java.lang.ref.
use super::jvm;
use crate::env::Ref;
use concord_runtime::allocations::by_vm;
use concord_runtime::vm_natives::{object, reference};
use concord_runtime::{exceptions, roots, strings, sync, threads};

jvm! {
    JVM_CurrentThread(th, _c: Ref) -> obj { Ok(threads::current(th)) }
    JVM_StartThread(th, t: Ref) -> void { threads::start(th, t.get()) }
    JVM_StopThread(th, t: Ref, e: Ref) -> void { threads::stop(th, t.get(), e.get()) }
    JVM_SuspendThread(th, t: Ref) -> void {
        let _alive = threads::suspend(th, t.get());
        Ok(())
    }
    JVM_ResumeThread(_th, t: Ref) -> void {
        threads::resume(t.get());
        Ok(())
    }
    JVM_SetThreadPriority(_th, t: Ref, priority: i32) -> void {
        threads::set_priority(t.get(), priority);
        Ok(())
    }
    JVM_Yield(_th, _c: Ref) -> void {
        concord_safepoint::blocked(std::thread::yield_now);
        Ok(())
    }
    JVM_Sleep(th, _c: Ref, millis: i64) -> void { threads::sleep(th, millis) }
    JVM_Interrupt(_th, t: Ref) -> void {
        threads::interrupt(t.get());
        Ok(())
    }
    JVM_HoldsLock(th, _c: Ref, o: Ref) -> z {
        if o.get().is_null() {
            return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
        }
        Ok(sync::holds_lock(th, o.get()))
    }
    JVM_SetNativeThreadName(th, t: Ref, name: Ref) -> void {
        threads::set_native_name(th, t.get(), name.get());
        Ok(())
    }
    JVM_GetAllThreads(th, _c: Ref) -> obj { by_vm(th, || threads::all_thread_objects(th)) }
    JVM_DumpThreads(th, _c: Ref, list: Ref) -> obj { by_vm(th, || threads::dump(th, list.get())) }
    JVM_DumpAllStacks(th, _c: Ref) -> void {
        threads::print::dump_all(th, false);
        Ok(())
    }
    JVM_MonitorWait(th, o: Ref, millis: i64) -> void { sync::wait(th, o.get(), millis) }
    JVM_MonitorNotify(th, o: Ref) -> void { sync::notify(th, o.get()) }
    JVM_MonitorNotifyAll(th, o: Ref) -> void { sync::notify_all(th, o.get()) }
    JVM_IHashCode(th, o: Ref) -> i {
        Ok(if o.get().is_null() { 0 } else { sync::identity_hash(th, o.get()) as i32 })
    }
    JVM_InternString(th, s: Ref) -> obj { by_vm(th, || strings::intern(th, s.get())) }
    JVM_HasReferencePendingList(_th) -> z { Ok(roots::has_pending()) }
    JVM_GetAndClearReferencePendingList(_th) -> obj { Ok(roots::take_pending()) }
    JVM_WaitForReferencePendingList(th) -> void {
        roots::wait_pending(th);
        Ok(())
    }
    JVM_ReferenceRefersTo(_th, r: Ref, o: Ref) -> z { Ok(reference::refers_to(r.get(), o.get())) }
    JVM_PhantomReferenceRefersTo(_th, r: Ref, o: Ref) -> z { Ok(reference::refers_to(r.get(), o.get())) }
    JVM_ReferenceClear(_th, r: Ref) -> void {
        reference::clear(r.get());
        Ok(())
    }
    JVM_NanoTime(_th, _c: Ref) -> j { Ok(object::nano_time()) }
    JVM_CurrentTimeMillis(_th, _c: Ref) -> j { Ok(object::current_millis()) }
    JVM_GetNanoTimeAdjustment(_th, _c: Ref, offset: i64) -> j { Ok(object::nano_time_adjustment(offset)) }
}
