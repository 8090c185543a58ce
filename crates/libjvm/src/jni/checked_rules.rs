//! What `-Xcheck:jni` checks of each JNI function.
//!
//! Invariant: every function of the table has a [`Function`] here, in the table's order, made of its
//! name: the specification's names say what the arguments are.
use super::table::NAMES;
use concord_contract::BasicType;
use concord_runtime::handles::HandleKind;
use std::sync::OnceLock;

/// What is checked of a function's arguments; numbers count from the one behind the environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    Nothing,
    /// These are references, or null.
    Objects(&'static [usize]),
    /// The first is a class; a primitive type's too if so.
    Class(bool),
    /// The first two are.
    TwoClasses,
    /// The second is a class, the first a reference.
    ObjectAndClass,
    FindClass,
    /// Object, method.
    Call,
    /// Object, class, method.
    CallNonvirtual,
    /// Class, method.
    CallStatic,
    /// Object, field of the type.
    Field(BasicType),
    /// Class, field of the type.
    StaticField(BasicType),
    String,
    Array,
    ObjectArray,
    PrimitiveArray,
    ArrayOf(BasicType),
    Throw,
    ThrowNew,
    Delete(HandleKind),
    Capacity,
}

/// A function of the table, as checked.
pub struct Function {
    pub name: &'static str,
    pub rule: Rule,
    /// May be called while an exception is pending.
    pub exception_allowed: bool,
    pub critical_allowed: bool,
    /// Asks for the exception, or makes asking unnecessary.
    pub asks: bool,
    /// The exception must be asked for afterwards.
    pub to_be_asked: bool,
}

fn type_in(name: &str) -> Option<BasicType> {
    const TYPES: [(&str, BasicType); 9] = [
        ("Boolean", BasicType::Boolean),
        ("Byte", BasicType::Byte),
        ("Char", BasicType::Char),
        ("Short", BasicType::Short),
        ("Int", BasicType::Int),
        ("Long", BasicType::Long),
        ("Float", BasicType::Float),
        ("Double", BasicType::Double),
        ("Object", BasicType::Object),
    ];
    TYPES.iter().find(|t| name.contains(t.0)).map(|t| t.1)
}

fn rule_of(name: &str) -> Rule {
    match name {
        "FindClass" => Rule::FindClass,
        "GetSuperclass" | "GetModule" => Rule::Class(true),
        "AllocObject" | "GetMethodID" | "GetStaticMethodID" | "GetFieldID" | "GetStaticFieldID"
        | "ToReflectedField" | "ToReflectedMethod" => Rule::Class(false),
        "IsAssignableFrom" => Rule::TwoClasses,
        "IsInstanceOf" => Rule::ObjectAndClass,
        "NewObject" | "NewObjectV" | "NewObjectA" => Rule::CallStatic,
        "Throw" => Rule::Throw,
        "ThrowNew" => Rule::ThrowNew,
        "PushLocalFrame" | "EnsureLocalCapacity" => Rule::Capacity,
        "DeleteLocalRef" => Rule::Delete(HandleKind::Local),
        "DeleteGlobalRef" => Rule::Delete(HandleKind::Global),
        "DeleteWeakGlobalRef" => Rule::Delete(HandleKind::Weak),
        "GetObjectClass"
        | "NewGlobalRef"
        | "NewLocalRef"
        | "NewWeakGlobalRef"
        | "MonitorEnter"
        | "MonitorExit"
        | "GetObjectRefType"
        | "FromReflectedMethod"
        | "FromReflectedField" => Rule::Objects(&[0]),
        "IsSameObject" => Rule::Objects(&[0, 1]),
        "DefineClass" => Rule::Objects(&[1]),
        "GetArrayLength" => Rule::Array,
        "GetObjectArrayElement" | "SetObjectArrayElement" => Rule::ObjectArray,
        "GetPrimitiveArrayCritical" | "ReleasePrimitiveArrayCritical" => Rule::PrimitiveArray,
        _ if name.starts_with("NewString") || name.starts_with("NewDirect") => Rule::Nothing,
        "NewObjectArray" => Rule::ObjectAndClass,
        _ if name.contains("String") => Rule::String,
        _ if name.starts_with("CallNonvirtual") => Rule::CallNonvirtual,
        _ if name.starts_with("CallStatic") => Rule::CallStatic,
        _ if name.starts_with("Call") => Rule::Call,
        _ if name.ends_with("ArrayElements") || name.ends_with("ArrayRegion") => {
            type_in(name).map_or(Rule::Nothing, Rule::ArrayOf)
        }
        _ if name.ends_with("Field") && name.contains("Static") => {
            type_in(name).map_or(Rule::Nothing, Rule::StaticField)
        }
        _ if name.ends_with("Field") => type_in(name).map_or(Rule::Nothing, Rule::Field),
        _ => Rule::Nothing,
    }
}

/// All functions, in the order of the table.
pub fn functions() -> &'static [Function] {
    static ALL: OnceLock<Vec<Function>> = OnceLock::new();
    ALL.get_or_init(|| {
        let function = |name: &&'static str| {
            let asks = matches!(
                *name,
                "ExceptionOccurred" | "ExceptionDescribe" | "ExceptionClear" | "ExceptionCheck" | "FatalError"
            );
            let critical_allowed = name.ends_with("Critical");
            let releases = name.starts_with("Release") || name.starts_with("Delete");
            let others = matches!(*name, "PushLocalFrame" | "PopLocalFrame" | "IsSameObject" | "MonitorExit");
            Function {
                name,
                rule: rule_of(name),
                exception_allowed: asks && *name != "FatalError" || releases || others,
                critical_allowed,
                asks,
                to_be_asked: name.starts_with("Call"),
            }
        };
        NAMES.iter().map(function).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_with_a_reference_has_a_rule() {
        let without = |n: &&str| !n.starts_with("New") && !n.starts_with("Exception");
        let left: Vec<_> =
            functions().iter().filter(|f| f.rule == Rule::Nothing).map(|f| f.name).filter(without).collect();
        let expected = [
            "GetVersion",
            "FatalError",
            "PopLocalFrame",
            "RegisterNatives",
            "UnregisterNatives",
            "GetJavaVM",
            "GetDirectBufferAddress",
            "GetDirectBufferCapacity",
        ];
        assert_eq!(left, expected);
    }
}
