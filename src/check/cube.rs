//! The 24 orientations of a cube, and how it turns.

use crate::ir::piece::Orientation;
use crate::syntax::piece::Side;

/// The sides in the order in which orientations are numbered.
pub(crate) const SIDES: [Side; 6] = [Side::Top, Side::Front, Side::Right, Side::Back, Side::Left, Side::Bottom];

/// `top`.
pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Top => "top",
        Side::Front => "front",
        Side::Right => "right",
        Side::Back => "back",
        Side::Left => "left",
        Side::Bottom => "bottom",
    }
}

/// The side across.
pub(crate) fn opposite(side: Side) -> Side {
    match side {
        Side::Top => Side::Bottom,
        Side::Bottom => Side::Top,
        Side::Front => Side::Back,
        Side::Back => Side::Front,
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    }
}

/// Which face of the reference orientation lies up, and which to the front; the rest follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pose {
    pub top: Side,
    pub front: Side,
}

/// A turn of the whole cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Clockwise, seen from above.
    Spin,
    /// Counterclockwise.
    Unspin,
    /// Over an edge: what was up now lies there.
    Tip(Side),
}

/// A direction in space: right, front, up.
type Vector = [i8; 3];

fn vector(side: Side) -> Vector {
    match side {
        Side::Right => [1, 0, 0],
        Side::Left => [-1, 0, 0],
        Side::Front => [0, 1, 0],
        Side::Back => [0, -1, 0],
        Side::Top => [0, 0, 1],
        Side::Bottom => [0, 0, -1],
    }
}

fn side(v: Vector) -> Side {
    SIDES.into_iter().find(|s| vector(*s) == v).unwrap_or(Side::Top)
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Pose {
    /// All 24, by upper face, then by front face.
    pub fn all() -> Vec<Pose> {
        let mut all = Vec::new();
        for top in SIDES {
            for front in SIDES {
                if front != top && front != opposite(top) {
                    all.push(Pose { top, front });
                }
            }
        }
        all
    }

    /// Which face of the reference orientation lies at `place` now.
    pub fn face_at(self, place: Side) -> Side {
        match place {
            Side::Top => self.top,
            Side::Bottom => opposite(self.top),
            Side::Front => self.front,
            Side::Back => opposite(self.front),
            Side::Right => side(cross(vector(self.front), vector(self.top))),
            Side::Left => opposite(self.face_at(Side::Right)),
        }
    }

    /// After a turn.
    pub fn turned(self, turn: Turn) -> Pose {
        match turn {
            Turn::Spin => Pose { front: self.face_at(Side::Left), ..self },
            Turn::Unspin => Pose { front: self.face_at(Side::Right), ..self },
            Turn::Tip(to) => {
                let top = self.face_at(opposite(to));
                let front = match to {
                    Side::Front => self.top,
                    Side::Back => opposite(self.top),
                    Side::Left | Side::Right | Side::Top | Side::Bottom => self.front,
                };
                Pose { top, front }
            }
        }
    }

    /// Its name and what its upper face shows; `faces` gives the marks of each face and at which neighbours' edges they are.
    pub fn orientation(self, faces: &[(Side, String, Vec<Side>)]) -> Orientation {
        let mut marks = Vec::new();
        for (face, mark, edges) in faces {
            if *face != self.top {
                continue;
            }
            let places: Vec<String> = [Side::Front, Side::Right, Side::Back, Side::Left]
                .into_iter()
                .filter(|place| edges.contains(&self.face_at(*place)))
                .map(|place| side_name(place).to_owned())
                .collect();
            marks.push((mark.clone(), places));
        }
        Orientation { name: format!("{}/{}", side_name(self.top), side_name(self.front)), marks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_shows_every_face_once_and_turns_back() {
        for pose in Pose::all() {
            let faces: Vec<Side> = SIDES.into_iter().map(|s| pose.face_at(s)).collect();
            assert!(SIDES.into_iter().all(|s| faces.contains(&s)));
            assert_eq!(pose.turned(Turn::Spin).turned(Turn::Unspin), pose);
            assert_eq!(pose.turned(Turn::Tip(Side::Left)).turned(Turn::Tip(Side::Right)), pose);
        }
        assert_eq!(Pose::all().len(), 24);
    }
}
