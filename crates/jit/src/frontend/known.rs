//! Which methods of the class library the compiler knows, and as what; [`super::intrinsics`] translates them.
//!
//! Invariant: only methods of the boot loader's classes are known, and none with `-XX:-ConcordIntrinsics`.
use super::unsafe_access::{self, Memory};
use crate::ir::{BinOp, UnOp};
use concord_contract::class::flags;
use concord_contract::method::MethodRef;
use concord_contract::rows::{self, Row, class_kind};

/// What a known method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Unary(UnOp),
    Binary(BinOp),
    GetClass,
    /// A bit of what a class is ([`class_kind`]).
    ClassKind(u32),
    CurrentThread,
    ArrayCopy,
    /// `Arrays.fill`, of an array or of a range of it.
    Fill,
    /// `char`s in an array of bytes, read and written.
    GetChar,
    PutChar,
    /// Fences: only the full one is an instruction of the machine; that of loads is one for passes.
    FullFence,
    LoadFence,
    NoFence,
    /// Whether the code knows the object.
    IsConstant,
    Memory(Memory),
    AllocateInstance,
    /// `Unsafe.allocateUninitializedArray`, where it is seen to be of bytes.
    NewBytes,
    /// A routine that never stops the thread. Its reference arguments are not null.
    Routine(Row),
    /// The same; it may refuse, and then the method is called. A method that gives an object gives its last argument.
    MayRefuse(Row),
    /// The same, and null is an argument like others.
    TakesNull(Row),
    /// A row at which the thread may stop.
    Stops(Row),
    /// `Array.newArray`.
    NewArray,
    /// `MethodHandleImpl.profileBoolean`, which is for code that is not compiled.
    Profile,
}

pub(super) fn known(m: MethodRef) -> Option<Known> {
    use Known::*;
    if !m.class.has_flag(flags::BOOT) || !concord_base::options::get().flags.concord_intrinsics {
        return None;
    }
    let name = m.name.as_bytes();
    let text = m.descriptor.as_bytes();
    Some(match m.class.name.as_bytes() {
        b"java/lang/Object" => match name {
            b"getClass" => GetClass,
            b"clone" => Stops(Row::Clone),
            b"hashCode" => TakesNull(Row::IdentityHash),
            _ => return None,
        },
        b"java/lang/Class" => match name {
            b"isInstance" => TakesNull(Row::IsInstance),
            b"isAssignableFrom" => Routine(Row::IsAssignableFrom),
            b"getModifiers" => Routine(Row::Modifiers),
            b"isArray" => ClassKind(class_kind::ARRAY),
            b"isInterface" => ClassKind(class_kind::INTERFACE),
            b"isPrimitive" => ClassKind(class_kind::PRIMITIVE),
            b"isHidden" => ClassKind(class_kind::HIDDEN),
            _ => return None,
        },
        b"java/lang/Thread" if name == b"currentThread" => CurrentThread,
        b"java/lang/System" => match name {
            b"arraycopy" => ArrayCopy,
            b"identityHashCode" => TakesNull(Row::IdentityHash),
            b"nanoTime" => Routine(Row::NanoTime),
            b"currentTimeMillis" => Routine(Row::CurrentMillis),
            _ => return None,
        },
        b"java/lang/reflect/Array" if name == b"newArray" => NewArray,
        b"java/lang/Math" | b"java/lang/StrictMath" => {
            return math(name, text).or_else(|| rows::math(m).map(Routine));
        }
        b"java/lang/Float" => match name {
            b"floatToRawIntBits" => Unary(UnOp::FloatBits),
            b"intBitsToFloat" => Unary(UnOp::BitsFloat),
            _ => return None,
        },
        b"java/lang/Double" => match name {
            b"doubleToRawLongBits" => Unary(UnOp::DoubleBits),
            b"longBitsToDouble" => Unary(UnOp::BitsDouble),
            _ => return None,
        },
        b"java/lang/Integer" | b"java/lang/Long" if m.is_static() => match name {
            b"numberOfLeadingZeros" => Unary(UnOp::LeadingZeros),
            b"numberOfTrailingZeros" => Unary(UnOp::TrailingZeros),
            b"bitCount" => Unary(UnOp::BitCount),
            b"reverseBytes" => Unary(UnOp::ReverseBytes),
            _ => return None,
        },
        b"java/lang/StringLatin1" => match (name, text) {
            (b"equals", _) => Routine(Row::BytesEqual),
            (b"compareTo", b"([B[B)I") => Routine(Row::CompareLatin1),
            (b"hashCode", _) => Routine(Row::HashLatin1),
            (b"indexOf", b"([BII)I") => Routine(Row::IndexOfChar),
            (b"indexOf", b"([BI[BII)I") => MayRefuse(Row::IndexOfLatin1),
            (b"inflate", b"([BI[BII)V") => MayRefuse(Row::InflateToBytes),
            (b"inflate", b"([BI[CII)V") => MayRefuse(Row::InflateToChars),
            _ => return None,
        },
        b"java/lang/StringUTF16" => match (name, text) {
            (b"getChar", b"([BI)C") => GetChar,
            (b"putChar", b"([BII)V") => PutChar,
            (b"equals", _) => Routine(Row::BytesEqual),
            (b"compareTo", b"([B[B)I") => Routine(Row::CompareUtf16),
            (b"indexOfChar", b"([BIII)I") => MayRefuse(Row::IndexOfCharUtf16),
            (b"indexOfUnsafe", b"([BI[BII)I") => MayRefuse(Row::IndexOfUtf16),
            (b"indexOfLatin1Unsafe", b"([BI[BII)I") => MayRefuse(Row::IndexOfLatin1InUtf16),
            (b"compress", b"([BI[BII)I") => MayRefuse(Row::CompressBytes),
            (b"compress", b"([CI[BII)I") => MayRefuse(Row::CompressChars),
            _ => return None,
        },
        b"java/lang/StringCoding" if name == b"hasNegatives" => MayRefuse(Row::HasNegatives),
        b"java/util/Arrays" => return arrays(name, text),
        b"jdk/internal/util/ArraysSupport" if name == b"vectorizedMismatch" => TakesNull(Row::Mismatch),
        b"java/util/zip/CRC32" if name == b"updateBytes0" => Routine(Row::Crc32),
        b"java/util/zip/CRC32C" if name == b"updateBytes" => Routine(Row::Crc32c),
        b"java/math/BigInteger" => match name {
            b"implMontgomeryMultiply" => MayRefuse(Row::MontgomeryMultiply),
            b"implMontgomerySquare" => MayRefuse(Row::MontgomerySquare),
            _ => return None,
        },
        class if class.starts_with(b"com/sun/crypto/") || class.starts_with(b"sun/security/") => {
            return cryptography(class, name);
        }
        b"java/lang/invoke/MethodHandleImpl" => match name {
            b"isCompileConstant" => IsConstant,
            b"profileBoolean" => Profile,
            _ => return None,
        },
        b"jdk/internal/misc/Unsafe" => match name {
            b"fullFence" => FullFence,
            b"loadFence" => LoadFence,
            b"storeFence" | b"writebackPreSync0" => NoFence,
            b"allocateInstance" => AllocateInstance,
            b"allocateUninitializedArray" => NewBytes,
            b"writeback0" => Routine(Row::Writeback),
            b"writebackPostSync0" => Routine(Row::WritebackSync),
            _ => Memory(unsafe_access::known(m)?),
        },
        _ => return None,
    })
}

fn math(name: &[u8], text: &[u8]) -> Option<Known> {
    use Known::*;
    // Without SSE4.1 rounding is a call of a function that is not there.
    let rounds = std::arch::is_x86_feature_detected!("sse4.1");
    Some(match name {
        b"sqrt" => Unary(UnOp::Sqrt),
        b"abs" => Unary(UnOp::Abs),
        b"floor" if rounds => Unary(UnOp::Floor),
        b"ceil" if rounds => Unary(UnOp::Ceil),
        b"rint" if rounds => Unary(UnOp::Rint),
        b"min" => Binary(BinOp::Min),
        b"max" => Binary(BinOp::Max),
        b"multiplyHigh" => Binary(BinOp::MulHigh),
        b"fma" if text == b"(FFF)F" => Routine(Row::FmaFloat),
        b"fma" => Routine(Row::FmaDouble),
        _ => return None,
    })
}

fn cryptography(class: &[u8], name: &[u8]) -> Option<Known> {
    Some(Known::MayRefuse(match (class, name) {
        (b"com/sun/crypto/provider/AESCrypt", b"implEncryptBlock") => Row::AesEncryptBlock,
        (b"com/sun/crypto/provider/AESCrypt", b"implDecryptBlock") => Row::AesDecryptBlock,
        (b"com/sun/crypto/provider/CipherBlockChaining", b"implEncrypt") => Row::ChainEncrypt,
        (b"com/sun/crypto/provider/CipherBlockChaining", b"implDecrypt") => Row::ChainDecrypt,
        (b"com/sun/crypto/provider/CounterMode", b"implCrypt") => Row::CounterCrypt,
        (b"com/sun/crypto/provider/GHASH", b"processBlocks") => Row::GhashBlocks,
        (b"sun/security/provider/MD5", b"implCompress0") => Row::Md5Block,
        (b"sun/security/provider/SHA", b"implCompress0") => Row::Sha1Block,
        (b"sun/security/provider/SHA2", b"implCompress0") => Row::Sha256Block,
        (b"sun/security/provider/SHA5", b"implCompress0") => Row::Sha512Block,
        _ => return None,
    }))
}

fn arrays(name: &[u8], text: &[u8]) -> Option<Known> {
    let references = text.starts_with(b"([L");
    Some(match name {
        b"fill" if !references => Known::Fill,
        b"equals" => match text {
            // Floating point numbers may be equal though their bits are not.
            b"([Z[Z)Z" | b"([B[B)Z" | b"([C[C)Z" | b"([S[S)Z" | b"([I[I)Z" | b"([J[J)Z" => {
                Known::TakesNull(Row::ArraysEqual)
            }
            _ => return None,
        },
        _ => return None,
    })
}
