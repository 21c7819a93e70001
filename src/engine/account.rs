//! Which rule allows a step, and what it brings about.

use super::apply::{Event, Trace};
use super::attack::bits;
use super::bits::Bits;
use super::clause::Gen;
use super::core::{Core, Over};
use super::eval::History;
use super::explain::{Told, articled};
use super::rules::Rules;
use super::step::{Deed, Step};
use crate::base::words::{all_of, one_of};
use crate::ir::rule;
use crate::ir::turn::Chosen;

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Which rule allows a legal step, and what follows from it.
    pub fn account(&self, core: &Core<B, K, M>, history: &History, step: Step) -> Told {
        let trace = Trace::default();
        self.carry_out(&mut core.clone(), step, history, Some(&trace));
        let events = trace.into_inner();
        let told = self.allowed(core, history, self.by_line(core, history, step.deed));
        self.follow(core, &events, told)
    }

    /// The deed by the line of the piece that leads there: lines that do alike are listed together, under one of them.
    pub fn by_line(&self, core: &Core<B, K, M>, history: &History, deed: Deed) -> Deed {
        let Deed::Move { clause, kind, from, to, promote } = deed else { return deed };
        let leads = |c: &u16| {
            let line = &self.clauses[*c as usize];
            self.targets(line, core, core.side, kind, from as usize, history).has(to as usize)
        };
        let alike = |c: &&u16| self.game.clauses[**c as usize].label == self.game.clauses[clause as usize].label;
        let mut others = self.moves[self.type_of[kind as usize] as usize].iter().filter(alike);
        let other = if leads(&clause) { None } else { others.find(|c| leads(c)) };
        Deed::Move { clause: other.copied().unwrap_or(clause), kind, from, to, promote }
    }

    fn allowed(&self, core: &Core<B, K, M>, history: &History, deed: Deed) -> Told {
        let turn = self.turn_place(core, history);
        let words = |clause: u16| &self.game.clauses[clause as usize].text;
        let what = "the turn allows it";
        match deed {
            Deed::Move { clause, kind, from, to, promote } => {
                let mut told = Told::new(format!("{} may `{}`", self.name(kind), words(clause)));
                told = told.at(self.written(clause), "this allows it");
                if let Gen::Imitate { .. } = self.clauses[clause as usize].gen_ {
                    let (from, to) = (from as usize, to as usize);
                    let types = self.moved_as(core, core.side, kind, clause, from, to, history);
                    let names: Vec<String> = bits(types).map(|t| articled(&self.game.types[t].name)).collect();
                    told.reason.push_str(&format!(", and moves as {}", one_of(&names)));
                    let lent = bits(types).flat_map(|t| &self.moves[t]).find(|c| {
                        let lender = &self.clauses[**c as usize];
                        lender.plain && self.targets(lender, core, core.side, kind, from, history).has(to)
                    });
                    told = told.at(lent.and_then(|c| self.written(*c)), "the move that it borrows");
                }
                if let Some(new) = promote {
                    let t = self.type_of[kind as usize] as usize;
                    let zone = |p: &super::clause::Promotion<B>| p.zone[core.side as usize & 1].has(to as usize);
                    let place = self.promotions[t].iter().position(zone);
                    let place = place.and_then(|i| self.game.places.promotions.get(t)?.get(i));
                    told.reason.push_str(&format!(", and becomes {}", self.name(new)));
                    told = told.at(place, "so it is promoted");
                }
                told
            }
            Deed::Drop { clause, kind, .. } => Told::new(format!("{} may `{}`", self.name(kind), words(clause)))
                .at(self.written(clause), "this allows it"),
            Deed::Rotate { remap, cell, .. } => {
                let kind = core.kind_at(cell as usize);
                let remap = &self.game.remaps[remap as usize];
                let reason = match remap.table[kind as usize] {
                    Some(new) if self.type_of[new as usize] != self.type_of[kind as usize] => {
                        format!("{} is turned into {} by `{}`", self.name(kind), self.name(new), remap.text)
                    }
                    _ => format!("{} is turned by `{}`", self.name(kind), remap.text),
                };
                Told::new(reason).at(turn, what)
            }
            Deed::Choose { effect, cell } => {
                let verb = match effect {
                    Chosen::Remove => "removed",
                    Chosen::Capture => "captured",
                    Chosen::Flip => "flipped",
                };
                let cell = cell as usize;
                Told::new(format!("{} on {} is {verb}", self.name(core.kind_at(cell)), self.cell_name(cell)))
                    .at(turn, what)
            }
            Deed::Pass => Told::new("nothing is done").at(turn, what),
            Deed::Swap => Told::new("the players change sides").at(turn, what),
            Deed::Done => Told::new("the turn may end here").at(turn, what),
            Deed::Fill { kind, cell } => {
                Told::new(format!("{} is placed on {}", self.name(kind), self.cell_name(cell as usize)))
            }
            Deed::Roll { kind, cell } => {
                Told::new(format!("chance lets {} become {}", self.cell_name(cell as usize), self.name(kind)))
            }
        }
    }

    /// Adds what the step brings about.
    fn follow(&self, core: &Core<B, K, M>, events: &[Event], mut told: Told) -> Told {
        let game = &self.game;
        let captured: Vec<String> = events
            .iter()
            .filter_map(|e| match e {
                Event::Captured(victim) => {
                    let name = &game.type_of(victim.kind).name;
                    Some(format!("the {name} on {}", self.cell_name(victim.cell as usize)))
                }
                _ => None,
            })
            .collect();
        if !captured.is_empty() {
            told.reason.push_str(&format!("; that captures {}", all_of(&captured)));
        }
        let after_capture = |i: usize| {
            let captures = |a: &rule::After| a.events.contains(&rule::Event::Capture);
            game.afters.iter().enumerate().filter(|(_, a)| captures(a)).nth(i).map(|(i, _)| i)
        };
        let after_act = |i: usize| {
            let act = |e: &rule::Event| matches!(e, rule::Event::Act(verb) if self.verbs.bit(verb) != 0);
            game.afters.iter().enumerate().filter(|(_, a)| a.events.iter().any(act)).nth(i).map(|(i, _)| i)
        };
        for event in events {
            let after = match *event {
                Event::AfterCapture(i) => after_capture(i),
                Event::AfterAct(i) => after_act(i),
                Event::Reacted(i, cell) => {
                    let name = core.piece(cell).map_or("piece", |(_, k)| &game.type_of(k).name);
                    let text = format!("the {name} on {} reacts with this", self.cell_name(cell));
                    told = told.at(game.places.reactions.get(i), text);
                    None
                }
                Event::Captured(_) | Event::Forbidden(_) => None,
            };
            if let Some(place) = after.and_then(|i| game.places.afters.get(i)) {
                told = told.at(Some(place), "this follows");
            }
        }
        told
    }

    /// The result that ended the game, if it is over.
    pub fn ended(&self, core: &Core<B, K, M>, told: Told) -> Told {
        let Over::Yes { rule, winner } = core.over else { return told };
        let text = match winner {
            Some(seat) => format!("{} wins by this", self.seat_name(seat)),
            None => "the game is drawn by this".to_owned(),
        };
        told.at(self.game.places.results.get(rule as usize), text)
    }
}
