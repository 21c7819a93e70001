//! Machine instructions that not every x86-64 processor has, chosen at run time; elsewhere the portable way.
//!
//! The program is built for any processor. [`detect`] asks the present one once; after that a count or a select is the one instruction behind a branch that is
//! always predicted. The instructions stand as inline assembly because a function compiled for newer processors is not inlined into one that is not.

#[cfg(target_arch = "x86_64")]
mod fast {
    #![allow(unsafe_code, reason = "inline assembly; each instruction is used only after the processor said it has it")]

    use std::arch::asm;
    use std::sync::atomic::{AtomicBool, Ordering};

    static POPCNT: AtomicBool = AtomicBool::new(false);
    static BMI2: AtomicBool = AtomicBool::new(false);

    pub fn detect() {
        POPCNT.store(std::is_x86_feature_detected!("popcnt"), Ordering::Relaxed);
        BMI2.store(std::is_x86_feature_detected!("bmi2"), Ordering::Relaxed);
    }

    #[inline(always)]
    pub fn count(x: u64) -> Option<u32> {
        if !POPCNT.load(Ordering::Relaxed) {
            return None;
        }
        let n: u64;
        // SAFETY: the processor has the instruction; it touches nothing but its operands.
        unsafe { asm!("popcnt {}, {}", out(reg) n, in(reg) x, options(pure, nomem, nostack)) };
        Some(n as u32)
    }

    #[inline(always)]
    pub fn select(x: u64, k: u32) -> Option<u32> {
        if !BMI2.load(Ordering::Relaxed) {
            return None;
        }
        let bit: u64;
        // SAFETY: the processor has the instruction; it touches nothing but its operands.
        unsafe {
            asm!("pdep {}, {}, {}", out(reg) bit, in(reg) 1_u64 << (k & 63), in(reg) x, options(pure, nomem, nostack, preserves_flags))
        };
        Some(bit.trailing_zeros())
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod fast {
    pub fn detect() {}

    #[inline(always)]
    pub fn count(_: u64) -> Option<u32> {
        None
    }

    #[inline(always)]
    pub fn select(_: u64, _: u32) -> Option<u32> {
        None
    }
}

/// Finds out what the processor has. Until then the portable ways are used; results are the same.
pub fn detect() {
    fast::detect();
}

/// The number of set bits.
#[inline(always)]
pub fn count(x: u64) -> u32 {
    fast::count(x).unwrap_or_else(|| x.count_ones())
}

/// The index of the k-th set bit, counted from 0; there must be one.
#[inline(always)]
pub fn select(x: u64, k: u32) -> u32 {
    fast::select(x, k).unwrap_or_else(|| {
        let mut rest = x;
        for _ in 0..k {
            rest &= rest.wrapping_sub(1);
        }
        rest.trailing_zeros()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways agree, before and after the processor is asked.
    #[test]
    fn fast_and_portable_ways_agree() {
        let sets = [1, 3, 0x8000_0000_0000_0000, u64::MAX, 0x0123_4567_89ab_cdef, 0xff00_ff00_0000_1111];
        for _ in 0..2 {
            for x in sets {
                let bits: Vec<u32> = (0..64).filter(|b| x >> b & 1 != 0).collect();
                assert_eq!(count(x), bits.len() as u32);
                for (k, bit) in bits.iter().enumerate() {
                    assert_eq!(select(x, k as u32), *bit, "{x:#x} {k}");
                }
            }
            detect();
        }
    }
}
