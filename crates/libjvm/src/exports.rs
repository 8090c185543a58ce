//! Exported names whose bodies are not written: each throws an UnsatisfiedLinkError that names it.
//!
//! Invariant: a name stands either here or in `src/jvm/`; the linker refuses both. The JDK's
//! libraries bind every name when they are loaded, so none may be absent.
use crate::env::enter;
use concord_contract::{JResult, Thread};
use concord_runtime::exceptions;

/// Throws if the caller is a Java thread, prints otherwise; the result is 0 in every return type.
#[cold]
fn absent(name: &str, why: &str) -> usize {
    let message = format!("{name}: {why}");
    match Thread::current_opt() {
        Some(th) => {
            let vm = enter(th);
            let _thrown: JResult<()> = exceptions::throw(vm.th, "java/lang/UnsatisfiedLinkError", &message);
        }
        None => eprintln!("{} warning: {message}", concord_base::options::VM_NAME),
    }
    0
}

macro_rules! missing {
    ($why:literal: $($name:ident)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> usize {
            absent(stringify!($name), $why)
        }
    )* };
}

missing! { "this VM has no class data sharing":
    JVM_DumpClassListToFile
    JVM_DumpDynamicArchive
    JVM_LogLambdaFormInvoker
    JVM_LookupLambdaProxyClassFromArchive
    JVM_RegisterLambdaProxyClassForArchiving
    JVM_DefineArchivedModules
}

missing! { "not implemented in this VM":
    JVM_ActiveProcessorCount
    JVM_AddModuleExports
    JVM_AddModuleExportsToAll
    JVM_AddModuleExportsToAllUnnamed
    JVM_AddReadsModule
    JVM_AreNestMates
    JVM_ArrayCopy
    JVM_AssertionStatusDirectives
    JVM_BeforeHalt
    JVM_CallStackWalk
    JVM_Clone
    JVM_ConstantPoolGetClassAt
    JVM_ConstantPoolGetClassAtIfLoaded
    JVM_ConstantPoolGetClassRefIndexAt
    JVM_ConstantPoolGetDoubleAt
    JVM_ConstantPoolGetFieldAt
    JVM_ConstantPoolGetFieldAtIfLoaded
    JVM_ConstantPoolGetFloatAt
    JVM_ConstantPoolGetIntAt
    JVM_ConstantPoolGetLongAt
    JVM_ConstantPoolGetMemberRefInfoAt
    JVM_ConstantPoolGetMethodAt
    JVM_ConstantPoolGetMethodAtIfLoaded
    JVM_ConstantPoolGetNameAndTypeRefIndexAt
    JVM_ConstantPoolGetNameAndTypeRefInfoAt
    JVM_ConstantPoolGetSize
    JVM_ConstantPoolGetStringAt
    JVM_ConstantPoolGetTagAt
    JVM_ConstantPoolGetUTF8At
    JVM_CurrentThread
    JVM_CurrentTimeMillis
    JVM_DefineClass
    JVM_DefineClassWithSource
    JVM_DefineModule
    JVM_DesiredAssertionStatus
    JVM_DumpAllStacks
    JVM_DumpThreads
    JVM_FillInStackTrace
    JVM_FindClassFromBootLoader
    JVM_FindClassFromCaller
    JVM_FindClassFromClass
    JVM_FindLibraryEntry
    JVM_FindLoadedClass
    JVM_FindPrimitiveClass
    JVM_FreeMemory
    JVM_GC
    JVM_GetAllThreads
    JVM_GetAndClearReferencePendingList
    JVM_GetArrayElement
    JVM_GetArrayLength
    JVM_GetCPClassNameUTF
    JVM_GetCPFieldClassNameUTF
    JVM_GetCPFieldModifiers
    JVM_GetCPFieldNameUTF
    JVM_GetCPFieldSignatureUTF
    JVM_GetCPMethodClassNameUTF
    JVM_GetCPMethodModifiers
    JVM_GetCPMethodNameUTF
    JVM_GetCPMethodSignatureUTF
    JVM_GetCallerClass
    JVM_GetClassAccessFlags
    JVM_GetClassAnnotations
    JVM_GetClassCPEntriesCount
    JVM_GetClassCPTypes
    JVM_GetClassConstantPool
    JVM_GetClassContext
    JVM_GetClassDeclaredConstructors
    JVM_GetClassDeclaredFields
    JVM_GetClassDeclaredMethods
    JVM_GetClassFieldsCount
    JVM_GetClassInterfaces
    JVM_GetClassMethodsCount
    JVM_GetClassModifiers
    JVM_GetClassNameUTF
    JVM_GetClassSignature
    JVM_GetClassSigners
    JVM_GetClassTypeAnnotations
    JVM_GetDeclaredClasses
    JVM_GetDeclaringClass
    JVM_GetEnclosingMethodInfo
    JVM_GetExtendedNPEMessage
    JVM_GetFieldIxModifiers
    JVM_GetFieldTypeAnnotations
    JVM_GetInheritedAccessControlContext
    JVM_GetManagement
    JVM_GetMethodIxArgsSize
    JVM_GetMethodIxByteCode
    JVM_GetMethodIxByteCodeLength
    JVM_GetMethodIxExceptionIndexes
    JVM_GetMethodIxExceptionTableEntry
    JVM_GetMethodIxExceptionTableLength
    JVM_GetMethodIxExceptionsCount
    JVM_GetMethodIxLocalsCount
    JVM_GetMethodIxMaxStack
    JVM_GetMethodIxModifiers
    JVM_GetMethodIxNameUTF
    JVM_GetMethodIxSignatureUTF
    JVM_GetMethodParameters
    JVM_GetMethodTypeAnnotations
    JVM_GetNanoTimeAdjustment
    JVM_GetNestHost
    JVM_GetNestMembers
    JVM_GetPermittedSubclasses
    JVM_GetPrimitiveArrayElement
    JVM_GetProperties
    JVM_GetProtectionDomain
    JVM_GetRandomSeedForDumping
    JVM_GetRecordComponents
    JVM_GetSimpleBinaryName
    JVM_GetStackAccessControlContext
    JVM_GetSystemPackage
    JVM_GetSystemPackages
    JVM_GetTemporaryDirectory
    JVM_GetVmArguments
    JVM_Halt
    JVM_HasReferencePendingList
    JVM_HoldsLock
    JVM_IHashCode
    JVM_InitAgentProperties
    JVM_InitClassName
    JVM_InitStackTraceElement
    JVM_InitStackTraceElementArray
    JVM_InitializeFromArchive
    JVM_InternString
    JVM_Interrupt
    JVM_InvokeMethod
    JVM_IsArrayClass
    JVM_IsCDSDumpingEnabled
    JVM_IsConstructorIx
    JVM_IsDumpingClassList
    JVM_IsHiddenClass
    JVM_IsInterface
    JVM_IsPrimitiveClass
    JVM_IsRecord
    JVM_IsSameClassPackage
    JVM_IsSharingEnabled
    JVM_IsSupportedJNIVersion
    JVM_IsUseContainerSupport
    JVM_IsVMGeneratedMethodIx
    JVM_LatestUserDefinedLoader
    JVM_LoadLibrary
    JVM_LookupDefineClass
    JVM_MaxMemory
    JVM_MaxObjectInspectionAge
    JVM_MonitorNotify
    JVM_MonitorNotifyAll
    JVM_MonitorWait
    JVM_MoreStackWalk
    JVM_NanoTime
    JVM_NativePath
    JVM_NewArray
    JVM_NewInstanceFromConstructor
    JVM_NewMultiArray
    JVM_PhantomReferenceRefersTo
    JVM_RawMonitorCreate
    JVM_RawMonitorDestroy
    JVM_RawMonitorEnter
    JVM_RawMonitorExit
    JVM_ReferenceClear
    JVM_ReferenceRefersTo
    JVM_ReleaseUTF
    JVM_ResumeThread
    JVM_SetArrayElement
    JVM_SetBootLoaderUnnamedModule
    JVM_SetClassSigners
    JVM_SetNativeThreadName
    JVM_SetPrimitiveArrayElement
    JVM_SetThreadPriority
    JVM_Sleep
    JVM_StartThread
    JVM_StopThread
    JVM_SupportsCX8
    JVM_SuspendThread
    JVM_TotalMemory
    JVM_UnloadLibrary
    JVM_WaitForReferencePendingList
    JVM_Yield
}
