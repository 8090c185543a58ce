//! The JNI function table: 4 reserved slots and 230 functions in the order of the specification.
use super::{
    arrays::*, calls::*, classes::*, exceptions::*, fields::*, misc::*, reflection::*, refs::*, strings::*, variadic::*,
};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Slots of the table.
pub const SLOTS: usize = 234;

/// The table as foreign code reads it. Agents may put functions of their own in it, which hold for all threads.
#[repr(C)]
pub struct Table([AtomicPtr<()>; SLOTS]);

macro_rules! table {
    ($($f:ident,)*) => {
        /// The only instance: every thread block's first word points here.
        pub static TABLE: Table = Table([
            AtomicPtr::new(std::ptr::null_mut()), AtomicPtr::new(std::ptr::null_mut()),
            AtomicPtr::new(std::ptr::null_mut()), AtomicPtr::new(std::ptr::null_mut()),
            $(AtomicPtr::new($f as *const () as *mut ()),)*
        ]);
        /// The functions' names, behind the reserved slots.
        pub const NAMES: &[&str] = &[$(stringify!($f)),*];
    };
}

table! {
    GetVersion, DefineClass, FindClass, FromReflectedMethod, FromReflectedField, ToReflectedMethod,
    GetSuperclass, IsAssignableFrom, ToReflectedField, Throw, ThrowNew, ExceptionOccurred,
    ExceptionDescribe, ExceptionClear, FatalError, PushLocalFrame, PopLocalFrame, NewGlobalRef,
    DeleteGlobalRef, DeleteLocalRef, IsSameObject, NewLocalRef, EnsureLocalCapacity, AllocObject,
    NewObject, NewObjectV, NewObjectA, GetObjectClass, IsInstanceOf, GetMethodID, CallObjectMethod,
    CallObjectMethodV, CallObjectMethodA, CallBooleanMethod, CallBooleanMethodV, CallBooleanMethodA,
    CallByteMethod, CallByteMethodV, CallByteMethodA, CallCharMethod, CallCharMethodV,
    CallCharMethodA, CallShortMethod, CallShortMethodV, CallShortMethodA, CallIntMethod,
    CallIntMethodV, CallIntMethodA, CallLongMethod, CallLongMethodV, CallLongMethodA,
    CallFloatMethod, CallFloatMethodV, CallFloatMethodA, CallDoubleMethod, CallDoubleMethodV,
    CallDoubleMethodA, CallVoidMethod, CallVoidMethodV, CallVoidMethodA, CallNonvirtualObjectMethod,
    CallNonvirtualObjectMethodV, CallNonvirtualObjectMethodA, CallNonvirtualBooleanMethod,
    CallNonvirtualBooleanMethodV, CallNonvirtualBooleanMethodA, CallNonvirtualByteMethod,
    CallNonvirtualByteMethodV, CallNonvirtualByteMethodA, CallNonvirtualCharMethod,
    CallNonvirtualCharMethodV, CallNonvirtualCharMethodA, CallNonvirtualShortMethod,
    CallNonvirtualShortMethodV, CallNonvirtualShortMethodA, CallNonvirtualIntMethod,
    CallNonvirtualIntMethodV, CallNonvirtualIntMethodA, CallNonvirtualLongMethod,
    CallNonvirtualLongMethodV, CallNonvirtualLongMethodA, CallNonvirtualFloatMethod,
    CallNonvirtualFloatMethodV, CallNonvirtualFloatMethodA, CallNonvirtualDoubleMethod,
    CallNonvirtualDoubleMethodV, CallNonvirtualDoubleMethodA, CallNonvirtualVoidMethod,
    CallNonvirtualVoidMethodV, CallNonvirtualVoidMethodA, GetFieldID, GetObjectField,
    GetBooleanField, GetByteField, GetCharField, GetShortField, GetIntField, GetLongField,
    GetFloatField, GetDoubleField, SetObjectField, SetBooleanField, SetByteField, SetCharField,
    SetShortField, SetIntField, SetLongField, SetFloatField, SetDoubleField, GetStaticMethodID,
    CallStaticObjectMethod, CallStaticObjectMethodV, CallStaticObjectMethodA,
    CallStaticBooleanMethod, CallStaticBooleanMethodV, CallStaticBooleanMethodA,
    CallStaticByteMethod, CallStaticByteMethodV, CallStaticByteMethodA, CallStaticCharMethod,
    CallStaticCharMethodV, CallStaticCharMethodA, CallStaticShortMethod, CallStaticShortMethodV,
    CallStaticShortMethodA, CallStaticIntMethod, CallStaticIntMethodV, CallStaticIntMethodA,
    CallStaticLongMethod, CallStaticLongMethodV, CallStaticLongMethodA, CallStaticFloatMethod,
    CallStaticFloatMethodV, CallStaticFloatMethodA, CallStaticDoubleMethod, CallStaticDoubleMethodV,
    CallStaticDoubleMethodA, CallStaticVoidMethod, CallStaticVoidMethodV, CallStaticVoidMethodA,
    GetStaticFieldID, GetStaticObjectField, GetStaticBooleanField, GetStaticByteField,
    GetStaticCharField, GetStaticShortField, GetStaticIntField, GetStaticLongField,
    GetStaticFloatField, GetStaticDoubleField, SetStaticObjectField, SetStaticBooleanField,
    SetStaticByteField, SetStaticCharField, SetStaticShortField, SetStaticIntField,
    SetStaticLongField, SetStaticFloatField, SetStaticDoubleField, NewString, GetStringLength,
    GetStringChars, ReleaseStringChars, NewStringUTF, GetStringUTFLength, GetStringUTFChars,
    ReleaseStringUTFChars, GetArrayLength, NewObjectArray, GetObjectArrayElement,
    SetObjectArrayElement, NewBooleanArray, NewByteArray, NewCharArray, NewShortArray, NewIntArray,
    NewLongArray, NewFloatArray, NewDoubleArray, GetBooleanArrayElements, GetByteArrayElements,
    GetCharArrayElements, GetShortArrayElements, GetIntArrayElements, GetLongArrayElements,
    GetFloatArrayElements, GetDoubleArrayElements, ReleaseBooleanArrayElements,
    ReleaseByteArrayElements, ReleaseCharArrayElements, ReleaseShortArrayElements,
    ReleaseIntArrayElements, ReleaseLongArrayElements, ReleaseFloatArrayElements,
    ReleaseDoubleArrayElements, GetBooleanArrayRegion, GetByteArrayRegion, GetCharArrayRegion,
    GetShortArrayRegion, GetIntArrayRegion, GetLongArrayRegion, GetFloatArrayRegion,
    GetDoubleArrayRegion, SetBooleanArrayRegion, SetByteArrayRegion, SetCharArrayRegion,
    SetShortArrayRegion, SetIntArrayRegion, SetLongArrayRegion, SetFloatArrayRegion,
    SetDoubleArrayRegion, RegisterNatives, UnregisterNatives, MonitorEnter, MonitorExit, GetJavaVM,
    GetStringRegion, GetStringUTFRegion, GetPrimitiveArrayCritical, ReleasePrimitiveArrayCritical,
    GetStringCritical, ReleaseStringCritical, NewWeakGlobalRef, DeleteWeakGlobalRef, ExceptionCheck,
    NewDirectByteBuffer, GetDirectBufferAddress, GetDirectBufferCapacity, GetObjectRefType,
    GetModule,
}

impl Table {
    pub fn address(&self) -> *const () {
        self.0.as_ptr().cast()
    }
    /// The functions by slot.
    pub fn functions(&self) -> [*mut (); SLOTS] {
        std::array::from_fn(|i| self.0[i].load(Ordering::Relaxed))
    }
    /// Replaces the functions behind the reserved slots.
    pub fn replace(&self, functions: &[*mut (); SLOTS]) {
        for (slot, f) in self.0.iter().zip(functions).skip(SLOTS - NAMES.len()) {
            slot.store(*f, Ordering::Relaxed);
        }
    }
    /// Where the function of a slot is found.
    pub fn slot(&self, i: usize) -> u64 {
        (&raw const self.0[i]) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn slots_are_where_jni_h_has_them() {
        // Positions from the specification's table.
        for (slot, name) in [
            (4, "GetVersion"),
            (6, "FindClass"),
            (33, "GetMethodID"),
            (34, "CallObjectMethod"),
            (94, "GetFieldID"),
            (113, "GetStaticMethodID"),
            (167, "NewStringUTF"),
            (215, "RegisterNatives"),
            (219, "GetJavaVM"),
            (228, "ExceptionCheck"),
            (232, "GetObjectRefType"),
            (233, "GetModule"),
        ] {
            assert_eq!(NAMES[slot - 4], name);
        }
        assert!(TABLE.functions()[4..].iter().all(|f| !f.is_null()));
    }
}
