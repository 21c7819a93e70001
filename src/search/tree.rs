//! Monte-Carlo tree search with upper confidence bounds.
//!
//! A node stands for the position after a step. Steps are decisions of the player to move or of chance; a node of chance is
//! entered with equal chances for every outcome. A node is judged by a random game when it is met first and gets its
//! children when it is met again. A step that wins at once makes its siblings pointless, and they are dropped.

use super::material::Judge;
use super::{Choice, Rewards, derive, pick, rewards};
use crate::engine::{Decider, Game, Random, State, Step};
use crate::ir::Seat;

/// How much an unsure step is tried in spite of its results.
const CURIOSITY: f64 = 0.9;
/// Where there is nothing to choose, so many nodes tell what the position is worth.
const FORCED_NODES: u32 = 64;

/// What is known of a position.
struct Node {
    visits: u32,
    /// Summed rewards of the person who chose the step to this node.
    total: f64,
    growth: Growth,
}

/// How far a node is grown.
enum Growth {
    /// Met, not looked into.
    Leaf,
    /// The game is over.
    Over(Rewards),
    /// Its steps are known. No person: chance decides.
    Open { person: Option<Seat>, edges: Vec<Edge>, untried: usize },
}

/// A step and the node it leads to, once it was tried.
struct Edge {
    step: Step,
    node: Option<usize>,
}

struct Tree<'a> {
    game: &'a Game,
    judge: Judge,
    rng: Random,
    nodes: Vec<Node>,
}

/// See [`super::best`].
pub fn search(game: &Game, root: &State, nodes: u32, seed: u64) -> Option<Choice> {
    let mut rng = Random::new(derive(seed, 0));
    let steps = game.steps(root);
    if let Decider::Chance = game.decider(root) {
        return pick(&mut rng, &steps).map(|&step| Choice { step, visits: 0, value: 0.5, nodes: 0 });
    }
    let budget = match steps.len() {
        0 => return None,
        1 => nodes.min(FORCED_NODES),
        _ => nodes,
    }
    .max(1);
    let mut tree = Tree { game, judge: Judge::new(game), rng, nodes: vec![Node::new()] };
    tree.open(0, &mut root.clone());
    let mut path = Vec::new();
    for _ in 0..budget {
        tree.descend(root.clone(), &mut path);
    }
    tree.choice()
}

impl Node {
    fn new() -> Node {
        Node { visits: 0, total: 0.0, growth: Growth::Leaf }
    }

    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.total / f64::from(self.visits) }
    }
}

impl Tree<'_> {
    /// One walk from the root to a new node, its judgement, and what it teaches the nodes on the way.
    fn descend(&mut self, mut state: State, path: &mut Vec<(usize, Option<Seat>)>) {
        path.clear();
        let mut at = 0;
        let rewards = loop {
            match &self.nodes[at].growth {
                Growth::Over(rewards) => break rewards.clone(),
                Growth::Leaf if self.nodes[at].visits == 0 => break self.rollout(&mut state),
                Growth::Leaf => self.open(at, &mut state),
                Growth::Open { edges, .. } if edges.is_empty() => break self.judge.judge(self.game, &state),
                Growth::Open { .. } => {
                    let (next, person) = self.follow(at, &mut state);
                    path.push((next, person));
                    at = next;
                }
            }
        };
        self.nodes[0].visits += 1;
        for &(node, person) in path.iter() {
            let node = &mut self.nodes[node];
            node.visits += 1;
            if let Some(reward) = person.and_then(|p| rewards.get(p as usize)) {
                node.total += reward;
            }
        }
    }

    /// Plays a random game and judges its end.
    fn rollout(&mut self, state: &mut State) -> Rewards {
        self.game.playout(state, &mut self.rng, self.judge.turns);
        match self.game.outcome(state) {
            Some(outcome) => rewards(self.game, state, &outcome),
            None => self.judge.judge(self.game, state),
        }
    }

    /// Lists the steps of a node. If one of them wins at once, it is the only one.
    fn open(&mut self, at: usize, state: &mut State) {
        let mut steps = self.game.steps(state);
        let person = match self.game.decider(state) {
            Decider::Player(seat) => Some(self.game.person(state, seat)),
            Decider::Chance => None,
        };
        if let Some(person) = person
            && let Some(winner) = steps.iter().copied().find(|&step| self.wins_at_once(state, step, person))
        {
            steps = vec![winner];
        }
        // Untried steps are tried in random order: shuffle, then take from the end.
        for i in (1..steps.len()).rev() {
            steps.swap(i, self.rng.below(i as u32 + 1) as usize);
        }
        let untried = steps.len();
        let edges = steps.into_iter().map(|step| Edge { step, node: None }).collect();
        self.nodes[at].growth = Growth::Open { person, edges, untried };
    }

    fn wins_at_once(&self, state: &mut State, step: Step, person: Seat) -> bool {
        let undo = self.game.play(state, step);
        let won = self
            .game
            .outcome(state)
            .is_some_and(|outcome| rewards(self.game, state, &outcome).get(person as usize) == Some(&1.0));
        self.game.undo(state, undo);
        won
    }

    /// Chooses a step of an open node, plays it, and gives the node it leads to and the person who chose.
    fn follow(&mut self, at: usize, state: &mut State) -> (usize, Option<Seat>) {
        let new = self.nodes.len();
        let parent_visits = self.nodes[at].visits;
        let best = match &self.nodes[at].growth {
            Growth::Open { person: None, edges, .. } => self.rng.below(edges.len() as u32) as usize,
            Growth::Open { person: Some(_), edges, untried: 0 } => {
                let spread = CURIOSITY * logarithm(parent_visits.max(1)).sqrt();
                let bound = |edge: &Edge| match edge.node {
                    Some(node) => {
                        let node = &self.nodes[node];
                        node.mean() + spread / f64::from(node.visits.max(1)).sqrt()
                    }
                    None => f64::MAX,
                };
                let mut best = (0, f64::MIN);
                for (i, edge) in edges.iter().enumerate() {
                    let bound = bound(edge);
                    if bound > best.1 {
                        best = (i, bound);
                    }
                }
                best.0
            }
            Growth::Open { person: Some(_), untried, .. } => untried - 1,
            Growth::Leaf | Growth::Over(_) => unreachable!("only open nodes are followed"),
        };
        let Growth::Open { person, edges, untried } = &mut self.nodes[at].growth else {
            unreachable!("only open nodes are followed")
        };
        let person = *person;
        let edge = &mut edges[best];
        let step = edge.step;
        let known = edge.node;
        if known.is_none() {
            edge.node = Some(new);
            *untried = untried.saturating_sub(1);
        }
        let _ = self.game.play(state, step);
        let next = known.unwrap_or_else(|| {
            let growth = match self.game.outcome(state) {
                Some(outcome) => Growth::Over(rewards(self.game, state, &outcome)),
                None => Growth::Leaf,
            };
            self.nodes.push(Node { growth, ..Node::new() });
            new
        });
        (next, person)
    }

    /// The step tried most, among equals the one with better results.
    fn choice(&self) -> Option<Choice> {
        let Growth::Open { edges, .. } = &self.nodes[0].growth else { return None };
        let mut best: Option<Choice> = None;
        for edge in edges {
            let (visits, value) = match edge.node {
                Some(node) => (self.nodes[node].visits, self.nodes[node].mean()),
                None => (0, 0.0),
            };
            if best.as_ref().is_none_or(|b| (visits, value) > (b.visits, b.value)) {
                best = Some(Choice { step: edge.step, visits, value, nodes: self.nodes.len() as u32 });
            }
        }
        best
    }
}

/// The natural logarithm, from operations that give the same bits on every machine.
fn logarithm(n: u32) -> f64 {
    let n = n.max(1);
    let exponent = n.ilog2();
    let mantissa = f64::from(n) / f64::from(1u32 << exponent);
    // ln m = 2 artanh((m - 1) / (m + 1)) for m in 1..2.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let t2 = t * t;
    let series = 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 / 9.0)));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * t * series
}

#[cfg(test)]
mod tests {
    use super::logarithm;

    #[test]
    fn logarithms_are_close() {
        for n in [1, 2, 3, 10, 1000, 123_456, u32::MAX] {
            assert!((logarithm(n) - f64::from(n).ln()).abs() < 1e-4, "{n}");
        }
    }
}
