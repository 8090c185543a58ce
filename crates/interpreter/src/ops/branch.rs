//! Branches, switches and subroutines.
use crate::dispatch::Next::{Branch, Goto, Jump};
use crate::value::Ref;

bytecodes! {
    153 ifeq IfEq 1 ONE |k, c| { let x: i32 = k.pop(); Branch(x == 0, 0) }
    154 ifne IfNe 1 ONE |k, c| { let x: i32 = k.pop(); Branch(x != 0, 0) }
    155 iflt IfLt 1 ONE |k, c| { let x: i32 = k.pop(); Branch(x < 0, 0) }
    156 ifge IfGe 1 ONE |k, c| { let x: i32 = k.pop(); Branch(x >= 0, 0) }
    157 ifgt IfGt 1 ONE |k, c| { let x: i32 = k.pop(); Branch(x > 0, 0) }
    158 ifle IfLe 1 ONE |k, c| { let x: i32 = k.pop(); Branch(x <= 0, 0) }
    159 if_icmpeq IfICmpEq 1 ONE |k, c| { let y: i32 = k.pop(); let x: i32 = k.pop(); Branch(x == y, 0) }
    160 if_icmpne IfICmpNe 1 ONE |k, c| { let y: i32 = k.pop(); let x: i32 = k.pop(); Branch(x != y, 0) }
    161 if_icmplt IfICmpLt 1 ONE |k, c| { let y: i32 = k.pop(); let x: i32 = k.pop(); Branch(x < y, 0) }
    162 if_icmpge IfICmpGe 1 ONE |k, c| { let y: i32 = k.pop(); let x: i32 = k.pop(); Branch(x >= y, 0) }
    163 if_icmpgt IfICmpGt 1 ONE |k, c| { let y: i32 = k.pop(); let x: i32 = k.pop(); Branch(x > y, 0) }
    164 if_icmple IfICmpLe 1 ONE |k, c| { let y: i32 = k.pop(); let x: i32 = k.pop(); Branch(x <= y, 0) }
    165 if_acmpeq IfACmpEq 1 ONE |k, c| { let y: Ref = k.pop(); let x: Ref = k.pop(); Branch(x == y, 0) }
    166 if_acmpne IfACmpNe 1 ONE |k, c| { let y: Ref = k.pop(); let x: Ref = k.pop(); Branch(x != y, 0) }
    167 goto GotoOp 1 NONE |k, c| { Goto(0) }
    168 jsr Jsr 1 NONE |k, c| { k.push(Ref(c.pc.add(1) as u64)); Goto(0) }
    169 ret Ret 1 NONE |k, c| { Jump(*c.local(c.operand()) as *const u32) }
    170 tableswitch TableSwitch 1 ONE |k, c| {
        // Words: opcode, default, low, high, targets; all targets relative to the first word.
        let x: i32 = k.pop();
        let low = c.word(2) as i32;
        let i = x.wrapping_sub(low) as u32;
        let n = (c.word(3) as i32).wrapping_sub(low) as u32;
        let d = if i <= n { c.word(4 + i as usize) } else { c.word(1) };
        Jump(c.pc.offset(d as i32 as isize))
    }
    171 lookupswitch LookupSwitch 1 ONE |k, c| {
        // Words: opcode, default, count, then ascending pairs of key and target.
        let x: i32 = k.pop();
        let (mut lo, mut hi) = (0, c.word(2) as usize);
        let mut d = c.word(1);
        while lo < hi {
            let m = (lo + hi) / 2;
            let key = c.word(3 + 2 * m) as i32;
            if key == x {
                d = c.word(4 + 2 * m);
                break;
            }
            if key < x { lo = m + 1 } else { hi = m }
        }
        Jump(c.pc.offset(d as i32 as isize))
    }
    198 ifnull IfNull 1 ONE |k, c| { let x: Ref = k.pop(); Branch(x.0 == 0, 0) }
    199 ifnonnull IfNonNull 1 ONE |k, c| { let x: Ref = k.pop(); Branch(x.0 != 0, 0) }
    200 goto_w GotoW 2 NONE |k, c| { Jump(c.pc.offset(c.word(1) as i32 as isize)) }
    201 jsr_w JsrW 2 NONE |k, c| {
        k.push(Ref(c.pc.add(2) as u64));
        Jump(c.pc.offset(c.word(1) as i32 as isize))
    }
}
