//! Recursion that is as deep as a turn is long, or as many turns as are counted.

/// What must be left of the stack, in bytes, to go a level deeper; and what is added if it is not.
const LEFT: usize = 256 << 10;
const MORE: usize = 4 << 20;

/// Runs `f` with enough room on the stack for a level of a recursion.
#[inline]
pub fn deep<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(LEFT, MORE, f)
}
