//! What the operating system knows about the calling thread's stack.

/// Lowest and highest address of the calling thread's native stack.
pub fn native_stack() -> (usize, usize) {
    // SAFETY: the attribute object is initialised by pthread_getattr_np, read, and destroyed.
    unsafe {
        let mut attr: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attr) != 0 {
            concord_base::bug!("cannot find the bounds of a native stack");
        }
        let (mut low, mut size) = (std::ptr::null_mut(), 0);
        let failed = libc::pthread_attr_getstack(&attr, &mut low, &mut size);
        libc::pthread_attr_destroy(&mut attr);
        if failed != 0 {
            concord_base::bug!("cannot find the bounds of a native stack");
        }
        (low as usize, low as usize + size)
    }
}
