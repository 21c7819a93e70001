//! Making sets, conditions and numbers, with constants folded.

use crate::ir::expr::{Cond, Num, Op, Set};

/// All of them hold.
pub(crate) fn all(parts: Vec<Cond>) -> Cond {
    let mut out = Vec::new();
    for part in parts {
        match part {
            Cond::Const(true) => {}
            Cond::Const(false) => return Cond::Const(false),
            Cond::All(inner) => out.extend(inner),
            other => out.push(other),
        }
    }
    match out.len() {
        0 => Cond::Const(true),
        1 => out.remove(0),
        _ => Cond::All(out),
    }
}

/// One of them holds.
pub(crate) fn any(parts: Vec<Cond>) -> Cond {
    let mut out = Vec::new();
    for part in parts {
        match part {
            Cond::Const(false) => {}
            Cond::Const(true) => return Cond::Const(true),
            Cond::Any(inner) => out.extend(inner),
            other => out.push(other),
        }
    }
    match out.len() {
        0 => Cond::Const(false),
        1 => out.remove(0),
        _ => Cond::Any(out),
    }
}

/// It does not hold.
pub(crate) fn not(cond: Cond) -> Cond {
    match cond {
        Cond::Const(b) => Cond::Const(!b),
        Cond::Not(inner) => *inner,
        other => Cond::Not(Box::new(other)),
    }
}

/// `not`, if said.
pub(crate) fn not_if(negated: bool, cond: Cond) -> Cond {
    if negated { not(cond) } else { cond }
}

/// A comparison.
pub(crate) fn compare(left: Num, op: Op, right: Num) -> Cond {
    if let (Num::Const(l), Num::Const(r)) = (&left, &right) {
        return Cond::Const(op.holds(l, r));
    }
    Cond::Compare(left, op, right)
}

/// Whether the set has so many members.
pub(crate) fn size(set: Set, op: Op, n: i32) -> Cond {
    match (op, n) {
        (Op::Eq | Op::Le, n) if n < 0 => Cond::Const(false),
        (Op::Ge, n) if n <= 0 => Cond::Const(true),
        (Op::Eq | Op::Le, 0) | (Op::Lt, 1) => not(Cond::Some(set)),
        (Op::Ge, 1) | (Op::Gt, 0) => Cond::Some(set),
        _ => Cond::Compare(Num::Count(set), op, Num::Const(n)),
    }
}

fn arithmetic(a: Num, b: Num, plain: fn(i32, i32) -> i32, make: fn(Box<Num>, Box<Num>) -> Num) -> Num {
    match (&a, &b) {
        (Num::Const(x), Num::Const(y)) => Num::Const(plain(*x, *y)),
        _ => make(Box::new(a), Box::new(b)),
    }
}

/// A sum.
pub(crate) fn add(a: Num, b: Num) -> Num {
    arithmetic(a, b, i32::saturating_add, Num::Add)
}

/// A difference.
pub(crate) fn sub(a: Num, b: Num) -> Num {
    arithmetic(a, b, i32::saturating_sub, Num::Sub)
}

/// A product.
pub(crate) fn mul(a: Num, b: Num) -> Num {
    arithmetic(a, b, i32::saturating_mul, Num::Mul)
}

/// Whether all members are cells with pieces, whatever the position.
fn only_pieces(set: &Set) -> bool {
    matches!(
        set,
        Set::Of(_) | Set::Enemies | Set::Kinds(_) | Set::Unmoved | Set::Pieces | Set::Turned(_) | Set::Bearing { .. }
    )
}

/// All of them.
pub(crate) fn both(parts: Vec<Set>) -> Set {
    let mut out: Vec<Set> = Vec::new();
    for part in parts {
        match part {
            Set::Intersect(inner) => out.extend(inner),
            other => out.push(other),
        }
    }
    if out.iter().any(|s| only_pieces(s) && *s != Set::Pieces) {
        out.retain(|s| *s != Set::Pieces);
    }
    if out.len() > 1 {
        out.retain(|s| *s != Set::Board);
    }
    let mut once: Vec<Set> = Vec::new();
    for set in out {
        if !once.contains(&set) {
            once.push(set);
        }
    }
    match once.len() {
        0 => Set::Board,
        1 => once.remove(0),
        _ => Set::Intersect(once),
    }
}

/// Any of them.
pub(crate) fn either(parts: Vec<Set>) -> Set {
    let mut out: Vec<Set> = Vec::new();
    let mut kinds: Vec<u8> = Vec::new();
    for part in parts {
        match part {
            Set::Union(inner) => out.extend(inner),
            Set::Kinds(k) => kinds.extend(k),
            other => out.push(other),
        }
    }
    if !kinds.is_empty() {
        kinds.sort_unstable();
        kinds.dedup();
        out.push(Set::Kinds(kinds));
    }
    if out.len() == 1 { out.remove(0) } else { Set::Union(out) }
}

/// The first without the second.
pub(crate) fn minus(a: Set, b: Set) -> Set {
    Set::Minus(Box::new(a), Box::new(b))
}
