//! The family graph: stated ties and shared surnames enter; how likely each person is a parent, child, sibling, spouse
//! or relation of each other leaves, with what follows from other ties: a sister's mother is one's mother.

use std::collections::HashMap;

use super::hints::Hints;
use super::ties::{StatedTie, Tie};
use super::weights::GraphWeights;
use crate::names::{Cast, CastKind, CastMember, Gender, Title};
use crate::tuning::tuning;

/// People beyond this number, the least named, are left out of the graph.
const MAX_PEOPLE: usize = 400;

fn weights() -> &'static GraphWeights {
    &tuning().list.graph
}

/// A square table over people.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    width: usize,
    cells: Vec<f32>,
}

impl Table {
    fn new(width: usize) -> Self {
        Self { width, cells: vec![0.0; width * width] }
    }

    pub fn get(&self, row: usize, column: usize) -> f32 {
        if row < self.width && column < self.width { self.cells[row * self.width + column] } else { 0.0 }
    }

    fn raise(&mut self, row: usize, column: usize, value: f32) {
        let cell = &mut self.cells[row * self.width + column];
        *cell = cell.max(value);
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let cells = &self.cells[row * self.width..(row + 1) * self.width];
        let min_followed = weights().min_followed;
        cells.iter().copied().enumerate().filter(move |(_, value)| *value > min_followed)
    }
}

/// Who is what to whom: `parents.get(a, b)` is how likely b is a parent of a.
pub(crate) struct Graph {
    /// Numbers of people in the cast, by number in the graph.
    pub people: Vec<usize>,
    of: HashMap<usize, usize>,
    stated: HashMap<(Tie, usize, usize), f32>,
    pub parents: Table,
    pub siblings: Table,
    pub spouses: Table,
    pub family: Table,
}

impl Graph {
    /// Builds the graph. `together` gives the number of sentences that name both of two people.
    pub fn of(
        cast: &Cast,
        ties: &[StatedTie],
        hints: &Hints,
        together: &dyn Fn(usize, usize) -> usize,
    ) -> Graph {
        let people: Vec<usize> = (cast.members.iter().enumerate())
            .filter(|(_, member)| member.kind == CastKind::Person)
            .map(|(number, _)| number)
            .take(MAX_PEOPLE)
            .collect();
        let of: HashMap<usize, usize> = people.iter().enumerate().map(|(at, &number)| (number, at)).collect();
        let mut stated: HashMap<(Tie, usize, usize), f32> = HashMap::new();
        for tie in ties {
            let (Some(&owner), Some(&object)) = (of.get(&tie.owner), of.get(&tie.object)) else { continue };
            *stated.entry((tie.tie, owner, object)).or_default() += tie.strength;
            *stated.entry((tie.tie.inverse(), object, owner)).or_default() += tie.strength;
        }
        let width = people.len();
        let empty = || Table::new(width);
        let mut graph = Graph {
            parents: empty(),
            siblings: empty(),
            spouses: empty(),
            family: empty(),
            people,
            of,
            stated,
        };
        graph.weigh(together);
        graph.add_hints(hints, together);
        graph.add_surnames(cast);
        for _ in 0..3 {
            graph.infer(cast);
        }
        graph.connect(cast);
        graph
    }

    /// The number in the graph of a member of the cast.
    pub fn place(&self, member: usize) -> Option<usize> {
        self.of.get(&member).copied()
    }

    /// How strongly the book states that `object` is this to `owner`, both by number in the graph.
    pub fn stated_strength(&self, tie: Tie, owner: usize, object: usize) -> f32 {
        self.stated.get(&(tie, owner, object)).copied().unwrap_or(0.0)
    }

    fn stated_kin_strength(&self, owner: usize, object: usize) -> f32 {
        [Tie::Parent, Tie::Child, Tie::Sibling, Tie::Spouse, Tie::Kin]
            .iter()
            .map(|&tie| self.stated_strength(tie, owner, object))
            .sum()
    }

    /// Statements become likelihoods: more are surer, other ties of the same two speak against, and so does chance.
    fn weigh(&mut self, together: &dyn Fn(usize, usize) -> usize) {
        let entries: Vec<((Tie, usize, usize), f32)> =
            self.stated.iter().map(|(key, sum)| (*key, *sum)).collect();
        for ((tie, owner, object), sum) in entries {
            let all = self.stated_kin_strength(owner, object).max(sum);
            let chance =
                weights().mistakes_a_sentence * together(self.people[owner], self.people[object]) as f32;
            let sum_over_chance = sum * sum / (sum + chance);
            let value = (1.0 - (-weights().certainty_rate * sum_over_chance).exp()) * (sum / all);
            match tie {
                Tie::Parent => self.parents.raise(owner, object, value),
                Tie::Sibling => self.siblings.raise(owner, object, value),
                Tie::Spouse => self.spouses.raise(owner, object, value),
                _ => {}
            }
        }
    }

    /// A tie that is hinted at in many of the sentences that two people share, and more than other ties, is likely.
    fn add_hints(&mut self, hints: &Hints, together: &dyn Fn(usize, usize) -> usize) {
        let weights = weights();
        const CLOSE_TIES: [Tie; 4] = [Tie::Parent, Tie::Child, Tie::Sibling, Tie::Spouse];
        for a in 0..self.people.len() {
            for b in (0..self.people.len()).filter(|&b| b != a) {
                let (one, other) = (self.people[a], self.people[b]);
                let all: f32 = CLOSE_TIES.iter().map(|&tie| hints.get(tie, one, other)).sum();
                if all < 1.0 {
                    continue;
                }
                let shared = together(one, other) as f32;
                let likely = |tie: Tie| {
                    let hinted = hints.get(tie, one, other);
                    weights.hint_trust
                        * (hinted / all)
                        * (hinted / (hinted + weights.hint_dilution * shared + 1.0))
                };
                self.parents.raise(a, b, likely(Tie::Parent));
                self.siblings.raise(a, b, likely(Tie::Sibling));
                self.spouses.raise(a, b, likely(Tie::Spouse));
            }
        }
    }

    /// "Mr. Ware" and "Mrs. Ware" are likely parents of "Anna Ware"; "Anna Ware" and "Jane Ware" likely siblings.
    fn add_surnames(&mut self, cast: &Cast) {
        for a in 0..self.people.len() {
            for b in 0..self.people.len() {
                let (one, other) = (&cast.members[self.people[a]], &cast.members[self.people[b]]);
                if a == b || one.surname.is_none() || one.surname != other.surname {
                    continue;
                }
                match (is_elder(one), is_elder(other)) {
                    (false, true) => self.parents.raise(a, b, weights().namesake_elder),
                    (false, false) => self.siblings.raise(a, b, weights().namesake_sibling),
                    _ => {}
                }
            }
        }
    }

    fn infer(&mut self, cast: &Cast) {
        let weights = weights();
        let count = self.people.len();
        let (parents, siblings, spouses) =
            (self.parents.clone(), self.siblings.clone(), self.spouses.clone());
        for a in 0..count {
            for (b, sibling) in siblings.row(a) {
                for (c, other) in siblings.row(b).filter(|(c, _)| *c != a) {
                    self.siblings.raise(a, c, weights.step_trust * sibling * other);
                }
                for (p, parent) in parents.row(b).filter(|(p, _)| *p != a) {
                    self.parents.raise(a, p, weights.step_trust * sibling * parent);
                }
            }
            let own: Vec<(usize, f32)> = parents.row(a).collect();
            for &(p, parent) in &own {
                for (q, spouse) in spouses.row(p).filter(|(q, _)| *q != a) {
                    self.parents.raise(a, q, weights.step_trust * parent * spouse);
                }
                for &(q, other) in own.iter().filter(|(q, _)| *q != p) {
                    let genders = (cast.members[self.people[p]].gender, cast.members[self.people[q]].gender);
                    if matches!(genders, (Gender::Male, Gender::Female) | (Gender::Female, Gender::Male)) {
                        self.spouses.raise(p, q, weights.parents_of_one_child * parent * other);
                    }
                }
            }
            for b in (0..count).filter(|&b| b != a) {
                let common = own.iter().map(|&(p, parent)| parent * parents.get(b, p)).fold(0.0, f32::max);
                if common > weights.min_followed {
                    self.siblings.raise(a, b, weights.step_trust * common);
                }
            }
        }
        self.weaken_rivals();
    }

    /// Nobody is at once a sibling and a parent or spouse: the likelier stays. All ties are compared as they were before
    /// any was weakened, so that the order of people decides nothing.
    fn weaken_rivals(&mut self) {
        let rival_share = weights().rival_share;
        let count = self.people.len();
        let (parents, siblings, spouses) =
            (self.parents.clone(), self.siblings.clone(), self.spouses.clone());
        for a in 0..count {
            for b in 0..count {
                let at = a * count + b;
                let (parent, child) = (parents.get(a, b), parents.get(b, a));
                let up = parent.max(child);
                let (side, wed) = (siblings.get(a, b), spouses.get(a, b));
                if side < up || side < wed {
                    self.siblings.cells[at] *= rival_share;
                }
                if wed < up || wed < side {
                    self.spouses.cells[at] *= rival_share;
                }
                if parent < side.max(wed).max(child) {
                    self.parents.cells[at] *= rival_share;
                }
            }
        }
    }

    /// Anybody reached over a few ties is family; each step costs.
    fn connect(&mut self, cast: &Cast) {
        let weights = weights();
        let count = self.people.len();
        let mut edges = Table::new(count);
        for a in 0..count {
            for b in (0..count).filter(|&b| b != a) {
                let kin = self.stated_strength(Tie::Kin, a, b);
                let kin = 1.0 - (-weights.certainty_rate * kin).exp();
                let (one, other) = (&cast.members[self.people[a]], &cast.members[self.people[b]]);
                let namesake = if one.surname.is_some() && one.surname == other.surname {
                    weights.namesake_family
                } else {
                    0.0
                };
                let up = self.parents.get(a, b).max(self.parents.get(b, a));
                let value =
                    up.max(self.siblings.get(a, b)).max(self.spouses.get(a, b)).max(kin).max(namesake);
                edges.raise(a, b, value);
            }
        }
        let mut reached = edges.clone();
        for _ in 0..3 {
            let before = reached.clone();
            for a in 0..count {
                for (b, first) in before.row(a) {
                    for (c, next) in edges.row(b).filter(|(c, _)| *c != a) {
                        reached.raise(a, c, weights.family_step * first * next);
                    }
                }
            }
        }
        self.family = reached;
    }
}

/// Whether somebody goes by "Mr." or "Mrs." and the surname only.
fn is_elder(member: &CastMember) -> bool {
    let senior =
        member.titles.iter().any(|title| matches!(title, Title::Mister | Title::Missis | Title::Office));
    senior
        && !member.aliases.iter().any(|alias| {
            let words: Vec<&str> = alias.text.split(' ').filter(|word| !word.ends_with('.')).collect();
            words.len() == 2
                || (words.len() == 1 && Some(words[0].to_lowercase()) != member.surname && alias.count > 2)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_weakened_by_what_they_were_and_not_by_whose_turn_it_is() {
        let graph = |first: usize, second: usize| {
            let empty = || Table::new(2);
            let mut graph = Graph {
                people: vec![0, 1],
                of: HashMap::new(),
                stated: HashMap::new(),
                parents: empty(),
                siblings: empty(),
                spouses: empty(),
                family: empty(),
            };
            graph.parents.raise(first, second, 0.5);
            graph.siblings.raise(first, second, 0.7);
            graph.siblings.raise(second, first, 0.4);
            graph.weaken_rivals();
            let pair = |table: &Table| (table.get(first, second), table.get(second, first));
            (pair(&graph.parents), pair(&graph.siblings))
        };
        assert_eq!(graph(0, 1), ((0.5 * 0.3, 0.0), (0.7, 0.4 * 0.3)));
        assert_eq!(graph(1, 0), graph(0, 1), "numbering people differently changes nothing");
    }
}
