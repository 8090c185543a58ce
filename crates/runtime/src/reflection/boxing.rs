//! Primitive values as Java boxes them.
//!
//! Invariant: `bits` of a [`Value`] is normalised to its type: int-like types sign- or
//! zero-extended to 32 bits, float and double as their bits.
use crate::{known, object};
use concord_contract::{BasicType, ClassRef, JResult, Obj, Thread};

/// A primitive value with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub ty: BasicType,
    bits: u64,
}

impl Value {
    /// From a raw slot of a call or result.
    pub fn of_slot(ty: BasicType, slot: u64) -> Value {
        let bits = match ty {
            BasicType::Boolean => slot & 1,
            BasicType::Byte => slot as i8 as i32 as u32 as u64,
            BasicType::Short => slot as i16 as i32 as u32 as u64,
            BasicType::Char => u64::from(slot as u16),
            BasicType::Int | BasicType::Float => u64::from(slot as u32),
            _ => slot,
        };
        Value { ty, bits }
    }
    /// As a raw slot.
    pub fn slot(self) -> u64 {
        self.bits
    }
    /// Reads a field or element.
    pub fn load(ty: BasicType, o: Obj, at: usize) -> Value {
        let raw = match ty.heap_shift() {
            0 => u64::from(o.get_u8(at)),
            1 => u64::from(o.get_u16(at)),
            2 => u64::from(o.get_u32(at)),
            _ => o.get_u64(at),
        };
        Value::of_slot(ty, raw)
    }
    /// Writes a field or element of the value's type.
    pub fn store(self, o: Obj, at: usize) {
        match self.ty.heap_shift() {
            0 => o.put_u8(at, self.bits as u8),
            1 => o.put_u16(at, self.bits as u16),
            2 => o.put_u32(at, self.bits as u32),
            _ => o.put_u64(at, self.bits),
        }
    }
    /// The value converted to `to` by identity or a widening primitive conversion (JLS 5.1.2);
    /// None if there is no such conversion.
    pub fn widen(self, to: BasicType) -> Option<Value> {
        use BasicType::*;
        if self.ty == to {
            return Some(self);
        }
        let int = self.bits as u32 as i32;
        let long = if self.ty == Long { self.bits as i64 } else { i64::from(int) };
        let float = f32::from_bits(self.bits as u32);
        let bits = match (self.ty, to) {
            (Byte, Short | Int) | (Short | Char, Int) => self.bits,
            (Byte | Short | Char | Int, Long) => long as u64,
            (Byte | Short | Char | Int | Long, Float) => u64::from((long as f32).to_bits()),
            (Byte | Short | Char | Int | Long, Double) => (long as f64).to_bits(),
            (Float, Double) => f64::from(float).to_bits(),
            _ => return None,
        };
        Some(Value { ty: to, bits })
    }
}

/// The class of boxes, and where they have their value.
fn box_class(ty: BasicType) -> (ClassRef, usize) {
    let (k, o) = (known::classes(), known::offsets());
    match ty {
        BasicType::Boolean => (k.box_boolean, o.box_boolean_value),
        BasicType::Char => (k.box_char, o.box_char_value),
        BasicType::Float => (k.box_float, o.box_float_value),
        BasicType::Double => (k.box_double, o.box_double_value),
        BasicType::Byte => (k.box_byte, o.box_byte_value),
        BasicType::Short => (k.box_short, o.box_short_value),
        BasicType::Int => (k.box_int, o.box_int_value),
        BasicType::Long => (k.box_long, o.box_long_value),
        BasicType::Object | BasicType::Void => concord_base::bug!("no box for {ty:?}"),
    }
}

/// A new box, as in HotSpot: `valueOf` and its caches are asked by Java code only.
///
/// # Errors
/// OutOfMemoryError.
pub fn box_value(th: &Thread, v: Value) -> JResult<Obj> {
    let (class, at) = box_class(v.ty);
    let o = object::new_local(th, class)?;
    v.store(o, at);
    Ok(o)
}

/// The value in a box; None if `o` is not one of the eight.
pub fn unbox(o: Obj) -> Option<Value> {
    use BasicType::*;
    if o.is_null() {
        return None;
    }
    let class = o.class();
    let ty = [Boolean, Char, Float, Double, Byte, Short, Int, Long]
        .into_iter()
        .find(|t| std::ptr::eq(box_class(*t).0, class))?;
    Some(Value::load(ty, o, box_class(ty).1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use BasicType::*;
    #[test]
    fn widening_follows_the_language() {
        let b = Value::of_slot(Byte, 0xff);
        assert_eq!(b.widen(Int).unwrap().slot(), 0xffff_ffff);
        assert_eq!(b.widen(Long).unwrap().slot(), u64::MAX);
        assert_eq!(f64::from_bits(b.widen(Double).unwrap().slot()), -1.0);
        assert_eq!(b.widen(Char), None);
        assert_eq!(Value::of_slot(Char, 0xffff).widen(Int).unwrap().slot(), 0xffff);
        assert_eq!(Value::of_slot(Int, 7).widen(Short), None);
        assert_eq!(Value::of_slot(Boolean, 1).widen(Int), None);
        assert_eq!(f32::from_bits(Value::of_slot(Long, 3).widen(Float).unwrap().slot() as u32), 3.0);
        assert_eq!(Value::of_slot(Double, 0).widen(Float), None);
    }
}
