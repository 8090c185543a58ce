//! Classes, fields and methods of the class library that the VM knows by name.
//!
//! Invariant: one row per name here, and nowhere else a string that names a Java field of the
//! class library. The tables are filled once at boot; a missing row stops the VM with its name.
use crate::info::{ClassExt, FIELD_INJECTED, FieldInfo};
use crate::loader;
use concord_base::{Symbol, bug};
use concord_contract::{ClassRef, MethodRef, Thread};
use std::sync::OnceLock;

macro_rules! known_classes {
    ($($field:ident = $name:literal;)*) => {
        pub struct KnownClasses { $(pub $field: ClassRef,)* }
        /// Loads all rows, in order.
        pub fn load_classes(th: &Thread) -> Result<(), &'static str> {
            let k = KnownClasses { $($field: load(th, $name).ok_or($name)?,)* };
            CLASSES.set(k).map_err(|_| "known classes loaded twice")
        }
    };
}

known_classes! {
    object = "java/lang/Object";
    serializable = "java/io/Serializable";
    cloneable = "java/lang/Cloneable";
    class = "java/lang/Class";
    string = "java/lang/String";
    class_loader = "java/lang/ClassLoader";
    system = "java/lang/System";
    throwable = "java/lang/Throwable";
    error = "java/lang/Error";
    exception = "java/lang/Exception";
    runtime_exception = "java/lang/RuntimeException";
    thread_death = "java/lang/ThreadDeath";
    out_of_memory_error = "java/lang/OutOfMemoryError";
    stack_overflow_error = "java/lang/StackOverflowError";
    linkage_error = "java/lang/LinkageError";
    virtual_machine_error = "java/lang/VirtualMachineError";
    no_class_def_found_error = "java/lang/NoClassDefFoundError";
    class_not_found_exception = "java/lang/ClassNotFoundException";
    null_pointer_exception = "java/lang/NullPointerException";
    arithmetic_exception = "java/lang/ArithmeticException";
    array_index_exception = "java/lang/ArrayIndexOutOfBoundsException";
    class_cast_exception = "java/lang/ClassCastException";
    array_store_exception = "java/lang/ArrayStoreException";
    illegal_monitor_state = "java/lang/IllegalMonitorStateException";
    illegal_argument = "java/lang/IllegalArgumentException";
    reference = "java/lang/ref/Reference";
    soft_reference = "java/lang/ref/SoftReference";
    weak_reference = "java/lang/ref/WeakReference";
    final_reference = "java/lang/ref/FinalReference";
    phantom_reference = "java/lang/ref/PhantomReference";
    finalizer = "java/lang/ref/Finalizer";
    thread = "java/lang/Thread";
    thread_group = "java/lang/ThreadGroup";
    module = "java/lang/Module";
    accessible_object = "java/lang/reflect/AccessibleObject";
    field = "java/lang/reflect/Field";
    method = "java/lang/reflect/Method";
    constructor = "java/lang/reflect/Constructor";
    parameter = "java/lang/reflect/Parameter";
    record_component = "java/lang/reflect/RecordComponent";
    magic_accessor = "jdk/internal/reflect/MagicAccessorImpl";
    delegating_loader = "jdk/internal/reflect/DelegatingClassLoader";
    constant_pool = "jdk/internal/reflect/ConstantPool";
    method_handle = "java/lang/invoke/MethodHandle";
    direct_method_handle = "java/lang/invoke/DirectMethodHandle";
    var_handle = "java/lang/invoke/VarHandle";
    member_name = "java/lang/invoke/MemberName";
    resolved_method_name = "java/lang/invoke/ResolvedMethodName";
    mh_natives = "java/lang/invoke/MethodHandleNatives";
    lambda_form = "java/lang/invoke/LambdaForm";
    method_type = "java/lang/invoke/MethodType";
    call_site = "java/lang/invoke/CallSite";
    unsafe_constants = "jdk/internal/misc/UnsafeConstants";
    unsafe_ = "jdk/internal/misc/Unsafe";
    reflect_array = "java/lang/reflect/Array";
    stack_trace_element = "java/lang/StackTraceElement";
    stack_walker = "java/lang/StackWalker";
    abstract_stack_walker = "java/lang/StackStreamFactory$AbstractStackWalker";
    stack_frame_info = "java/lang/StackFrameInfo";
    live_stack_frame_info = "java/lang/LiveStackFrameInfo";
    buffer = "java/nio/Buffer";
    box_boolean = "java/lang/Boolean";
    box_char = "java/lang/Character";
    box_float = "java/lang/Float";
    box_double = "java/lang/Double";
    box_byte = "java/lang/Byte";
    box_short = "java/lang/Short";
    box_int = "java/lang/Integer";
    box_long = "java/lang/Long";
    access_control_context = "java/security/AccessControlContext";
    protection_domain = "java/security/ProtectionDomain";
    ownable_synchronizer = "java/util/concurrent/locks/AbstractOwnableSynchronizer";
    assertion_directives = "java/lang/AssertionStatusDirectives";
    builtin_loader = "jdk/internal/loader/BuiltinClassLoader";
    native_libraries = "jdk/internal/loader/NativeLibraries";
    invocation_target_exception = "java/lang/reflect/InvocationTargetException";
    bootstrap_method_error = "java/lang/BootstrapMethodError";
}

macro_rules! known_fields {
    ($($field:ident = $class:ident . $name:literal : $desc:literal;)*) => {
        /// Offsets of instance fields (in the object) and static fields (in the statics object).
        pub struct KnownOffsets { $(pub $field: usize,)* }
        /// Resolves all rows.
        pub fn find_fields() -> Result<(), &'static str> {
            let c = classes();
            let k = KnownOffsets { $($field: offset(c.$class, $name, $desc)
                .ok_or(concat!(stringify!($class), ".", $name))?,)* };
            OFFSETS.set(k).map_err(|_| "known fields resolved twice")
        }
    };
}

known_fields! {
    string_value = string."value": "[B";
    string_coder = string."coder": "B";
    string_hash = string."hash": "I";
    string_hash_is_zero = string."hashIsZero": "Z";
    class_vm = class."klass": "J";
    class_protection_domain = class."protection_domain": "Ljava/lang/Object;";
    class_signers = class."signers": "Ljava/lang/Object;";
    class_name = class."name": "Ljava/lang/String;";
    class_module = class."module": "Ljava/lang/Module;";
    class_loader = class."classLoader": "Ljava/lang/ClassLoader;";
    class_component = class."componentType": "Ljava/lang/Class;";
    class_data = class."classData": "Ljava/lang/Object;";
    class_redefined_count = class."classRedefinedCount": "I";
    loader_data = class_loader."loader_data": "J";
    loader_parent = class_loader."parent": "Ljava/lang/ClassLoader;";
    loader_name = class_loader."name": "Ljava/lang/String;";
    loader_name_and_id = class_loader."nameAndId": "Ljava/lang/String;";
    loader_unnamed_module = class_loader."unnamedModule": "Ljava/lang/Module;";
    loader_parallel_lock_map = class_loader."parallelLockMap": "Ljava/util/concurrent/ConcurrentHashMap;";
    module_name = module."name": "Ljava/lang/String;";
    module_loader = module."loader": "Ljava/lang/ClassLoader;";
    module_entry = module."module_entry": "J";
    thread_eetop = thread."eetop": "J";
    thread_name = thread."name": "Ljava/lang/String;";
    thread_priority = thread."priority": "I";
    thread_daemon = thread."daemon": "Z";
    thread_group = thread."group": "Ljava/lang/ThreadGroup;";
    thread_status = thread."threadStatus": "I";
    thread_tid = thread."tid": "J";
    thread_stack_size = thread."stackSize": "J";
    thread_stillborn = thread."stillborn": "Z";
    thread_interrupted = thread."interrupted": "Z";
    thread_context_loader = thread."contextClassLoader": "Ljava/lang/ClassLoader;";
    thread_access_context = thread."inheritedAccessControlContext": "Ljava/security/AccessControlContext;";
    thread_park_blocker = thread."parkBlocker": "Ljava/lang/Object;";
    group_name = thread_group."name": "Ljava/lang/String;";
    group_parent = thread_group."parent": "Ljava/lang/ThreadGroup;";
    group_max_priority = thread_group."maxPriority": "I";
    throwable_backtrace = throwable."backtrace": "Ljava/lang/Object;";
    throwable_depth = throwable."depth": "I";
    throwable_stack_trace = throwable."stackTrace": "[Ljava/lang/StackTraceElement;";
    throwable_message = throwable."detailMessage": "Ljava/lang/String;";
    throwable_cause = throwable."cause": "Ljava/lang/Throwable;";
    throwable_unassigned_stack = throwable."UNASSIGNED_STACK": "[Ljava/lang/StackTraceElement;";
    ste_class_object = stack_trace_element."declaringClassObject": "Ljava/lang/Class;";
    ste_loader_name = stack_trace_element."classLoaderName": "Ljava/lang/String;";
    ste_module_name = stack_trace_element."moduleName": "Ljava/lang/String;";
    ste_module_version = stack_trace_element."moduleVersion": "Ljava/lang/String;";
    ste_class = stack_trace_element."declaringClass": "Ljava/lang/String;";
    ste_method = stack_trace_element."methodName": "Ljava/lang/String;";
    ste_file = stack_trace_element."fileName": "Ljava/lang/String;";
    ste_line = stack_trace_element."lineNumber": "I";
    sfi_member_name = stack_frame_info."memberName": "Ljava/lang/Object;";
    sfi_bci = stack_frame_info."bci": "I";
    sfi_version = stack_frame_info."version": "S";
    ref_referent = reference."referent": "Ljava/lang/Object;";
    ref_queue = reference."queue": "Ljava/lang/ref/ReferenceQueue;";
    ref_next = reference."next": "Ljava/lang/ref/Reference;";
    ref_discovered = reference."discovered": "Ljava/lang/ref/Reference;";
    soft_timestamp = soft_reference."timestamp": "J";
    soft_clock = soft_reference."clock": "J";
    accessible_override = accessible_object."override": "Z";
    field_clazz = field."clazz": "Ljava/lang/Class;";
    field_slot = field."slot": "I";
    field_name = field."name": "Ljava/lang/String;";
    field_type = field."type": "Ljava/lang/Class;";
    field_modifiers = field."modifiers": "I";
    field_trusted_final = field."trustedFinal": "Z";
    field_signature = field."signature": "Ljava/lang/String;";
    field_annotations = field."annotations": "[B";
    method_clazz = method."clazz": "Ljava/lang/Class;";
    method_slot = method."slot": "I";
    method_name = method."name": "Ljava/lang/String;";
    method_return = method."returnType": "Ljava/lang/Class;";
    method_params = method."parameterTypes": "[Ljava/lang/Class;";
    method_exceptions = method."exceptionTypes": "[Ljava/lang/Class;";
    method_modifiers = method."modifiers": "I";
    method_signature = method."signature": "Ljava/lang/String;";
    method_annotations = method."annotations": "[B";
    method_param_annotations = method."parameterAnnotations": "[B";
    method_annotation_default = method."annotationDefault": "[B";
    ctor_clazz = constructor."clazz": "Ljava/lang/Class;";
    ctor_slot = constructor."slot": "I";
    ctor_params = constructor."parameterTypes": "[Ljava/lang/Class;";
    ctor_exceptions = constructor."exceptionTypes": "[Ljava/lang/Class;";
    ctor_modifiers = constructor."modifiers": "I";
    ctor_signature = constructor."signature": "Ljava/lang/String;";
    ctor_annotations = constructor."annotations": "[B";
    ctor_param_annotations = constructor."parameterAnnotations": "[B";
    param_name = parameter."name": "Ljava/lang/String;";
    param_modifiers = parameter."modifiers": "I";
    param_executable = parameter."executable": "Ljava/lang/reflect/Executable;";
    param_index = parameter."index": "I";
    rc_clazz = record_component."clazz": "Ljava/lang/Class;";
    rc_name = record_component."name": "Ljava/lang/String;";
    rc_type = record_component."type": "Ljava/lang/Class;";
    rc_signature = record_component."signature": "Ljava/lang/String;";
    rc_annotations = record_component."annotations": "[B";
    rc_type_annotations = record_component."typeAnnotations": "[B";
    rc_accessor = record_component."accessor": "Ljava/lang/reflect/Method;";
    cp_oop = constant_pool."constantPoolOop": "Ljava/lang/Object;";
    mh_type = method_handle."type": "Ljava/lang/invoke/MethodType;";
    mh_form = method_handle."form": "Ljava/lang/invoke/LambdaForm;";
    dmh_member = direct_method_handle."member": "Ljava/lang/invoke/MemberName;";
    form_vmentry = lambda_form."vmentry": "Ljava/lang/invoke/MemberName;";
    mn_clazz = member_name."clazz": "Ljava/lang/Class;";
    mn_name = member_name."name": "Ljava/lang/String;";
    mn_type = member_name."type": "Ljava/lang/Object;";
    mn_flags = member_name."flags": "I";
    mn_method = member_name."method": "Ljava/lang/invoke/ResolvedMethodName;";
    mn_vmindex = member_name."vmindex": "J";
    rmn_holder = resolved_method_name."vmholder": "Ljava/lang/Object;";
    rmn_target = resolved_method_name."vmtarget": "J";
    mt_rtype = method_type."rtype": "Ljava/lang/Class;";
    mt_ptypes = method_type."ptypes": "[Ljava/lang/Class;";
    cs_target = call_site."target": "Ljava/lang/invoke/MethodHandle;";
    cs_number = call_site."vmnumber": "I";
    cs_changes = call_site."vmchanges": "I";
    buffer_limit = buffer."limit": "I";
    box_boolean_value = box_boolean."value": "Z";
    box_char_value = box_char."value": "C";
    box_float_value = box_float."value": "F";
    box_double_value = box_double."value": "D";
    box_byte_value = box_byte."value": "B";
    box_short_value = box_short."value": "S";
    box_int_value = box_int."value": "I";
    box_long_value = box_long."value": "J";
    acc_context = access_control_context."context": "[Ljava/security/ProtectionDomain;";
    acc_privileged_context = access_control_context."privilegedContext": "Ljava/security/AccessControlContext;";
    acc_is_privileged = access_control_context."isPrivileged": "Z";
    acc_is_authorized = access_control_context."isAuthorized": "Z";
    owner_thread = ownable_synchronizer."exclusiveOwnerThread": "Ljava/lang/Thread;";
    directives_classes = assertion_directives."classes": "[Ljava/lang/String;";
    directives_class_enabled = assertion_directives."classEnabled": "[Z";
    directives_packages = assertion_directives."packages": "[Ljava/lang/String;";
    directives_package_enabled = assertion_directives."packageEnabled": "[Z";
    directives_default = assertion_directives."deflt": "Z";
}

macro_rules! known_methods {
    ($($field:ident = $class:ident . $name:literal $desc:literal;)*) => {
        pub struct KnownMethods { $(pub $field: MethodRef,)* }
        /// Resolves all rows.
        pub fn find_methods() -> Result<(), &'static str> {
            let c = classes();
            let k = KnownMethods { $($field: c.$class
                .declared_method(Symbol::from($name), Symbol::from($desc))
                .ok_or(concat!(stringify!($class), ".", $name, $desc))?,)* };
            METHODS.set(k).map_err(|_| "known methods resolved twice")
        }
    };
}

known_methods! {
    loader_load_class = class_loader."loadClass" "(Ljava/lang/String;)Ljava/lang/Class;";
    loader_add_class = class_loader."addClass" "(Ljava/lang/Class;)V";
    loader_find_native = class_loader."findNative" "(Ljava/lang/ClassLoader;Ljava/lang/String;)J";
    object_finalize = object."finalize" "()V";
    object_clone = object."clone" "()Ljava/lang/Object;";
    unsafe_allocate_instance = unsafe_."allocateInstance" "(Ljava/lang/Class;)Ljava/lang/Object;";
    unsafe_throw_no_such_method = unsafe_."throwNoSuchMethodError" "()V";
    array_new_array = reflect_array."newArray" "(Ljava/lang/Class;I)Ljava/lang/Object;";
    finalizer_register = finalizer."register" "(Ljava/lang/Object;)V";
    find_method_handle_type = mh_natives."findMethodHandleType" "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
    link_method_handle_constant = mh_natives."linkMethodHandleConstant" "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;";
    link_call_site = mh_natives."linkCallSite" "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;";
    link_method = mh_natives."linkMethod" "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;";
    link_dynamic_constant = mh_natives."linkDynamicConstant" "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    thread_run = thread."run" "()V";
    thread_exit = thread."exit" "()V";
    thread_dispatch_uncaught = thread."dispatchUncaughtException" "(Ljava/lang/Throwable;)V";
    group_add = thread_group."add" "(Ljava/lang/Thread;)V";
    do_stack_walk = abstract_stack_walker."doStackWalk" "(JIIII)Ljava/lang/Object;";
}

static CLASSES: OnceLock<KnownClasses> = OnceLock::new();
static OFFSETS: OnceLock<KnownOffsets> = OnceLock::new();
static METHODS: OnceLock<KnownMethods> = OnceLock::new();

/// Fields that HotSpot's classes have and class files lack: (class, name, descriptor).
pub const INJECTED: &[(&str, &str, &str)] = &[
    ("java/lang/Class", "klass", "J"),
    ("java/lang/Class", "protection_domain", "Ljava/lang/Object;"),
    ("java/lang/Class", "signers", "Ljava/lang/Object;"),
    ("java/lang/ClassLoader", "loader_data", "J"),
    ("java/lang/invoke/ResolvedMethodName", "vmholder", "Ljava/lang/Object;"),
    ("java/lang/invoke/ResolvedMethodName", "vmtarget", "J"),
    ("java/lang/invoke/MemberName", "vmindex", "J"),
    ("java/lang/invoke/CallSite", "vmnumber", "I"),
    ("java/lang/invoke/CallSite", "vmchanges", "I"),
    ("java/lang/StackFrameInfo", "version", "S"),
    ("java/lang/Module", "module_entry", "J"),
];

fn load(th: &Thread, name: &str) -> Option<ClassRef> {
    loader::find_boot(th, Symbol::from(name)).ok().flatten()
}

fn offset(class: ClassRef, name: &str, desc: &str) -> Option<usize> {
    let (name, desc) = (Symbol::from(name), Symbol::from(desc));
    let all: &[FieldInfo] = class.declared_fields();
    let f = all.iter().find(|f| f.name == name && f.descriptor == desc)?;
    debug_assert!(f.flags & FIELD_INJECTED == 0 || !f.is_static());
    Some(f.offset() as usize)
}

/// The classes known by name.
#[inline]
pub fn classes() -> &'static KnownClasses {
    match CLASSES.get() {
        Some(c) => c,
        None => bug!("a known class was asked for before they were loaded"),
    }
}
/// Whether [`classes`] may be asked.
pub fn ready() -> bool {
    CLASSES.get().is_some() && OFFSETS.get().is_some()
}
#[inline]
pub fn offsets() -> &'static KnownOffsets {
    match OFFSETS.get() {
        Some(c) => c,
        None => bug!("a known field was asked for before they were resolved"),
    }
}
#[inline]
pub fn methods() -> &'static KnownMethods {
    match METHODS.get() {
        Some(c) => c,
        None => bug!("a known method was asked for before they were resolved"),
    }
}
