//! Constants, locals, and the pure stack instructions.
use crate::dispatch::{Context, Next, Next::Fall};
use crate::stack::Stack;
use crate::value::{Ref, Value};

#[inline(always)]
unsafe fn load<T: Value>(k: &mut Stack, c: &Context, n: usize) -> Next {
    // SAFETY: verified code: local `n` holds a T.
    unsafe { k.push(T::read(c.local(n))) };
    Fall
}
#[inline(always)]
unsafe fn store<T: Value>(k: &mut Stack, c: &Context, n: usize) -> Next {
    // SAFETY: verified code: a T is on top, local `n` is in the frame.
    unsafe { *c.local(n) = k.pop::<T>().bits() };
    Fall
}
/// Two operand words as one 64-bit constant.
#[inline(always)]
fn wide(c: &Context) -> u64 {
    c.word(1) as u64 | (c.word(2) as u64) << 32
}

bytecodes! {
    0 nop Nop 1 NONE |k, c| { Fall }
    1 aconst_null AConstNull 1 NONE |k, c| { k.push(Ref(0)); Fall }
    2 iconst_m1 IConstM1 1 NONE |k, c| { k.push(-1i32); Fall }
    3 iconst_0 IConst0 1 NONE |k, c| { k.push(0i32); Fall }
    4 iconst_1 IConst1 1 NONE |k, c| { k.push(1i32); Fall }
    5 iconst_2 IConst2 1 NONE |k, c| { k.push(2i32); Fall }
    6 iconst_3 IConst3 1 NONE |k, c| { k.push(3i32); Fall }
    7 iconst_4 IConst4 1 NONE |k, c| { k.push(4i32); Fall }
    8 iconst_5 IConst5 1 NONE |k, c| { k.push(5i32); Fall }
    9 lconst_0 LConst0 1 NONE |k, c| { k.push(0i64); Fall }
    10 lconst_1 LConst1 1 NONE |k, c| { k.push(1i64); Fall }
    11 fconst_0 FConst0 1 NONE |k, c| { k.push(0f32); Fall }
    12 fconst_1 FConst1 1 NONE |k, c| { k.push(1f32); Fall }
    13 fconst_2 FConst2 1 NONE |k, c| { k.push(2f32); Fall }
    14 dconst_0 DConst0 1 NONE |k, c| { k.push(0f64); Fall }
    15 dconst_1 DConst1 1 NONE |k, c| { k.push(1f64); Fall }
    17 sipush SiPush 1 NONE |k, c| { k.push(c.signed()); Fall }

    21 iload ILoad 1 NONE |k, c| { load::<i32>(k, c, c.operand()) }
    22 lload LLoad 1 NONE |k, c| { load::<i64>(k, c, c.operand()) }
    24 dload DLoad 1 NONE |k, c| { load::<f64>(k, c, c.operand()) }
    25 aload ALoad 1 NONE |k, c| { load::<Ref>(k, c, c.operand()) }
    26 iload_0 ILoad0 1 NONE |k, c| { load::<i32>(k, c, 0) }
    27 iload_1 ILoad1 1 NONE |k, c| { load::<i32>(k, c, 1) }
    28 iload_2 ILoad2 1 NONE |k, c| { load::<i32>(k, c, 2) }
    29 iload_3 ILoad3 1 NONE |k, c| { load::<i32>(k, c, 3) }
    30 lload_0 LLoad0 1 NONE |k, c| { load::<i64>(k, c, 0) }
    31 lload_1 LLoad1 1 NONE |k, c| { load::<i64>(k, c, 1) }
    32 lload_2 LLoad2 1 NONE |k, c| { load::<i64>(k, c, 2) }
    33 lload_3 LLoad3 1 NONE |k, c| { load::<i64>(k, c, 3) }
    38 dload_0 DLoad0 1 NONE |k, c| { load::<f64>(k, c, 0) }
    39 dload_1 DLoad1 1 NONE |k, c| { load::<f64>(k, c, 1) }
    40 dload_2 DLoad2 1 NONE |k, c| { load::<f64>(k, c, 2) }
    41 dload_3 DLoad3 1 NONE |k, c| { load::<f64>(k, c, 3) }
    42 aload_0 ALoad0 1 NONE |k, c| { load::<Ref>(k, c, 0) }
    43 aload_1 ALoad1 1 NONE |k, c| { load::<Ref>(k, c, 1) }
    44 aload_2 ALoad2 1 NONE |k, c| { load::<Ref>(k, c, 2) }
    45 aload_3 ALoad3 1 NONE |k, c| { load::<Ref>(k, c, 3) }

    54 istore IStore 1 ONE |k, c| { store::<i32>(k, c, c.operand()) }
    55 lstore LStore 1 LONG |k, c| { store::<i64>(k, c, c.operand()) }
    57 dstore DStore 1 DOUBLE |k, c| { store::<f64>(k, c, c.operand()) }
    58 astore AStore 1 ONE |k, c| { store::<Ref>(k, c, c.operand()) }
    59 istore_0 IStore0 1 ONE |k, c| { store::<i32>(k, c, 0) }
    60 istore_1 IStore1 1 ONE |k, c| { store::<i32>(k, c, 1) }
    61 istore_2 IStore2 1 ONE |k, c| { store::<i32>(k, c, 2) }
    62 istore_3 IStore3 1 ONE |k, c| { store::<i32>(k, c, 3) }
    63 lstore_0 LStore0 1 LONG |k, c| { store::<i64>(k, c, 0) }
    64 lstore_1 LStore1 1 LONG |k, c| { store::<i64>(k, c, 1) }
    65 lstore_2 LStore2 1 LONG |k, c| { store::<i64>(k, c, 2) }
    66 lstore_3 LStore3 1 LONG |k, c| { store::<i64>(k, c, 3) }
    71 dstore_0 DStore0 1 DOUBLE |k, c| { store::<f64>(k, c, 0) }
    72 dstore_1 DStore1 1 DOUBLE |k, c| { store::<f64>(k, c, 1) }
    73 dstore_2 DStore2 1 DOUBLE |k, c| { store::<f64>(k, c, 2) }
    74 dstore_3 DStore3 1 DOUBLE |k, c| { store::<f64>(k, c, 3) }
    75 astore_0 AStore0 1 ONE |k, c| { store::<Ref>(k, c, 0) }
    76 astore_1 AStore1 1 ONE |k, c| { store::<Ref>(k, c, 1) }
    77 astore_2 AStore2 1 ONE |k, c| { store::<Ref>(k, c, 2) }
    78 astore_3 AStore3 1 ONE |k, c| { store::<Ref>(k, c, 3) }

    87 pop Pop 1 ONE |k, c| { k.pop::<Ref>(); Fall }
    88 pop2 Pop2 1 NONE |k, c| { k.flush(0); k.sp = k.sp.sub(2); Fall }
    89 dup Dup 1 ONE |k, c| { let v: Ref = k.pop(); k.push(v); k.push(v); Fall }
    90 dup_x1 DupX1 1 ONE |k, c| {
        let v: Ref = k.pop(); let w: Ref = k.pop();
        k.push(v); k.push(w); k.push(v); Fall
    }
    91 dup_x2 DupX2 1 NONE |k, c| {
        k.flush(0);
        let s = k.sp;
        let (a, b, v) = (*s.sub(3), *s.sub(2), *s.sub(1));
        *s.sub(3) = v; *s.sub(2) = a; *s.sub(1) = b; *s = v;
        k.sp = s.add(1); Fall
    }
    92 dup2 Dup2 1 NONE |k, c| {
        k.flush(0);
        let s = k.sp;
        *s = *s.sub(2); *s.add(1) = *s.sub(1);
        k.sp = s.add(2); Fall
    }
    93 dup2_x1 Dup2X1 1 NONE |k, c| {
        k.flush(0);
        let s = k.sp;
        let (a, v, w) = (*s.sub(3), *s.sub(2), *s.sub(1));
        *s.sub(3) = v; *s.sub(2) = w; *s.sub(1) = a; *s = v; *s.add(1) = w;
        k.sp = s.add(2); Fall
    }
    94 dup2_x2 Dup2X2 1 NONE |k, c| {
        k.flush(0);
        let s = k.sp;
        let (a, b, v, w) = (*s.sub(4), *s.sub(3), *s.sub(2), *s.sub(1));
        *s.sub(4) = v; *s.sub(3) = w; *s.sub(2) = a; *s.sub(1) = b; *s = v; *s.add(1) = w;
        k.sp = s.add(2); Fall
    }
    95 swap Swap 1 ONE |k, c| { let v: Ref = k.pop(); let w: Ref = k.pop(); k.push(v); k.push(w); Fall }

    132 iinc IInc 1 NONE |k, c| {
        let o = c.operand();
        let p = c.local(o & 0xff);
        *p = (i32::read(p)).wrapping_add((o >> 8) as u8 as i8 as i32).bits(); Fall
    }
    203 iinc_w IIncW 2 NONE |k, c| {
        let p = c.local(c.operand());
        *p = (i32::read(p)).wrapping_add(c.word(1) as i32).bits(); Fall
    }
    204 ldc_i LdcI 2 NONE |k, c| { k.push(c.word(1) as i32); Fall }
    205 ldc2_l Ldc2L 3 NONE |k, c| { k.push(wide(c) as i64); Fall }
    206 ldc2_d Ldc2D 3 NONE |k, c| { k.push(f64::from_bits(wide(c))); Fall }
    207 ldc_ref LdcRef 2 NONE |k, c| {
        let a = c.entry().a.load(std::sync::atomic::Ordering::Relaxed);
        k.push(Ref(if a == concord_contract::method::NULL_CONSTANT { 0 } else { a })); Fall
    }
    208 ldc_class LdcClass 2 NONE |k, c| {
        let class = c.entry().a.load(std::sync::atomic::Ordering::Relaxed) as *const concord_contract::Class;
        k.push(Ref((*class).mirror.get().addr() as u64)); Fall
    }
}
