//! Relations: what a list is a list of. Eight are known by name, with the paper's query templates and words for BM25;
//! any other words a person gives become a relation with templates made from them.

use crate::names::CastKind;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Fathers and mothers.
    Parent,
    /// Sons and daughters.
    Child,
    /// Brothers and sisters.
    Sibling,
    /// Relations by blood and by marriage.
    Family,
    /// Friends and supporters.
    Friend,
    /// Enemies and rivals.
    Opponent,
    /// Where somebody lives, stays or goes.
    Place,
    /// Who belongs to a family, a club, a house.
    Member,
    /// In a person's own words: "employers", "weapons used by".
    Free(String),
}

/// Why words are no relation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RelationError {
    /// Nothing to ask.
    #[error("the relation is empty; give one of {names}, or words of your own such as \"employers\"", names = RELATION_NAMES.join(", "))]
    Empty,
    /// Not words.
    #[error("{0:?} is no relation; give one of {names}, or words of your own such as \"employers\"", names = RELATION_NAMES.join(", "))]
    NoWords(String),
    /// Longer than anything that names a relation.
    #[error(
        "the relation has more than {MAX_RELATION_WORDS} words; name it in fewer, such as \"people who helped\""
    )]
    TooLong,
}

/// Words of a relation at most.
const MAX_RELATION_WORDS: usize = 12;

/// The names of the known relations.
pub const RELATION_NAMES: [&str; 8] =
    ["parent", "child", "sibling", "family", "friend", "opponent", "hasPlace", "hasMember"];

impl Relation {
    /// The eight known ones.
    pub const KNOWN: [Relation; 8] = [
        Relation::Parent,
        Relation::Child,
        Relation::Sibling,
        Relation::Family,
        Relation::Friend,
        Relation::Opponent,
        Relation::Place,
        Relation::Member,
    ];

    /// The relation that a person means.
    pub fn read(words: &str) -> Result<Relation, RelationError> {
        let folded = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let small = folded.to_lowercase();
        let small = small.trim_end_matches(" of").trim();
        Ok(match small {
            "" => return Err(RelationError::Empty),
            "parent" | "parents" => Relation::Parent,
            "child" | "children" | "kids" => Relation::Child,
            "sibling" | "siblings" | "brothers and sisters" => Relation::Sibling,
            "family" | "relatives" | "relations" | "family members" => Relation::Family,
            "friend" | "friends" => Relation::Friend,
            "opponent" | "opponents" | "enemy" | "enemies" | "rival" | "rivals" => Relation::Opponent,
            "hasplace" | "has-place" | "has place" | "place" | "places" => Relation::Place,
            "hasmember" | "has-member" | "has member" | "member" | "members" => Relation::Member,
            other => {
                let words = other.split(' ').count();
                let readable = other.split(' ').any(|word| {
                    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
                    let vowels = word.chars().filter(|c| "aeiouyáéíóúäöüàèêâôû".contains(*c)).count();
                    letters >= 3 && vowels >= 1 && letters <= 25
                });
                if words > MAX_RELATION_WORDS {
                    return Err(RelationError::TooLong);
                }
                if !readable {
                    return Err(RelationError::NoWords(folded.chars().take(60).collect()));
                }
                Relation::Free(other.to_owned())
            }
        })
    }

    /// Its name in files and on the command line.
    pub fn name(&self) -> &str {
        match self {
            Relation::Parent => RELATION_NAMES[0],
            Relation::Child => RELATION_NAMES[1],
            Relation::Sibling => RELATION_NAMES[2],
            Relation::Family => RELATION_NAMES[3],
            Relation::Friend => RELATION_NAMES[4],
            Relation::Opponent => RELATION_NAMES[5],
            Relation::Place => RELATION_NAMES[6],
            Relation::Member => RELATION_NAMES[7],
            Relation::Free(words) => words,
        }
    }

    /// What its objects are; `None` when anything may be one.
    pub fn object_kind(&self) -> Option<CastKind> {
        match self {
            Relation::Place => Some(CastKind::Place),
            Relation::Free(words) => {
                let has = |list: &[&str]| words.split(' ').any(|word| list.contains(&word));
                if has(&[
                    "place",
                    "places",
                    "town",
                    "towns",
                    "city",
                    "cities",
                    "country",
                    "countries",
                    "where",
                ]) {
                    Some(CastKind::Place)
                } else if has(&[
                    "people",
                    "persons",
                    "who",
                    "men",
                    "women",
                    "employer",
                    "employers",
                    "servants",
                ]) {
                    Some(CastKind::Person)
                } else {
                    None
                }
            }
            _ => Some(CastKind::Person),
        }
    }

    /// Questions and phrases for the dense retriever and the reader: the paper's five, or made from the words.
    pub fn queries(&self, subject: &str) -> Vec<String> {
        let templates: Vec<String> = match self {
            Relation::Parent => to_templates(&[
                "Who are the parents of {}?",
                "parents of {}",
                "father and mother of {}",
                "Who are the father and mother of {}?",
                "Who are the parents, including adopted parents and foster parents, of {}?",
            ]),
            Relation::Child => to_templates(&[
                "Who are the children of {}?",
                "Who are the children, including son and daughter, of {}?",
                "{} children child son daughter",
                "{} children child baby kid",
                "{} son daughter",
            ]),
            Relation::Sibling => to_templates(&[
                "Who are the siblings of {}?",
                "siblings of {}",
                "Who are the brothers and sisters of {}?",
                "brothers and sisters of {}",
                "Who are the siblings, including stepbrother, stepsister, half-brother and half-sister, of {}?",
            ]),
            Relation::Family => {
                let all = self.cues().join(", ");
                vec![
                    "Who are the family members of {}?".into(),
                    "family members of {}".into(),
                    format!("Who are the family members of {{}}, including {all}?"),
                    format!("Who are the relatives of {{}}, including {all}?"),
                    "Who are the relatives of {}?".into(),
                ]
            }
            Relation::Friend => to_templates(&[
                "Who are the friends of {}?",
                "friends of {}",
                "Who are the friends or supporters of {}?",
                "friends or supporters of {}",
                "Who are the friends, including companion, pal, supporter, buddy, ally, bestie, and follower, of {}?",
            ]),
            Relation::Opponent => to_templates(&[
                "Who are the enemies of {}?",
                "enemies of {}",
                "Who are the enemies or rivals of {}?",
                "enemies or rivals of {}",
                "Who are the enemies, including rival, attacker, opponent, foe, nemesis and critic, of {}?",
            ]),
            Relation::Place => to_templates(&[
                "Where did {} live or travel or go for a visit?",
                "Where did {} travel or go for a vacation?",
                "Where did {} travel?",
                "Where is the residence of {}?",
                "residence or place of stay of {}",
            ]),
            Relation::Member => to_templates(&[
                "Who are the members of {}?",
                "Who are part of {}?",
                "{} member teammate group part of champions followers belongs",
                "member {} member group family part of",
                "{} member teammate group",
            ]),
            Relation::Free(words) => {
                let joined = ["of", "by", "to", "for", "from", "with", "in", "at"]
                    .iter()
                    .any(|small| words.ends_with(&format!(" {small}")));
                let phrase = if joined { format!("{words} {{}}") } else { format!("{words} of {{}}") };
                vec![
                    format!("Who or what are the {phrase}?"),
                    phrase.clone(),
                    format!("all {phrase}"),
                    format!("{{}} {words}"),
                    format!("Which {words} does {{}} have?"),
                ]
            }
        };
        templates.iter().map(|template| template.replace("{}", subject)).collect()
    }

    /// Words that tell of the relation, for BM25 and for what a passage is about.
    pub fn cues(&self) -> Vec<String> {
        let words = match self {
            Relation::Parent => "parent parents father mother mamma papa stepmother stepfather daughter son",
            Relation::Child => "child children son daughter baby boy girl little born",
            Relation::Sibling => "sibling brother sister brothers sisters twin half-brother half-sister",
            Relation::Family => {
                "parent father mother son daughter brother sister child aunt uncle cousin nephew niece grandfather \
                 grandmother grandson granddaughter father-in-law mother-in-law son-in-law daughter-in-law \
                 brother-in-law sister-in-law stepfather stepmother husband wife married relation family"
            }
            Relation::Friend => {
                "friend friends friendship companion supporter pal mate comrade ally neighbour neighbor acquaintance \
                 confidant fond liked visit"
            }
            Relation::Opponent => {
                "enemy enemies rival opponent foe nemesis hate hated dislike disliked quarrel quarrelled angry insult \
                 revenge despise offended"
            }
            Relation::Place => {
                "place house home live lived stay stayed travel travelled journey went visit visited arrived town city \
                 abroad hotel"
            }
            Relation::Member => "member members belong club society family group party meeting joined",
            Relation::Free(words) => words,
        };
        words.split_whitespace().map(str::to_owned).collect()
    }
}

fn to_templates(templates: &[&str]) -> Vec<String> {
    templates.iter().map(|template| (*template).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_relations_and_nonsense_does_not() {
        assert_eq!(Relation::read("Friends of"), Ok(Relation::Friend));
        assert_eq!(Relation::read("has-member"), Ok(Relation::Member));
        assert_eq!(Relation::read("weapons used by"), Ok(Relation::Free("weapons used by".into())));
        assert_eq!(Relation::read(" "), Err(RelationError::Empty));
        assert!(matches!(Relation::read("xkcdq!"), Err(RelationError::NoWords(_))));
        assert!(matches!(Relation::read("#### 123"), Err(RelationError::NoWords(_))));
        assert_eq!(Relation::read(&"very ".repeat(20)), Err(RelationError::TooLong));
    }

    #[test]
    fn every_relation_asks_five_times_and_names_the_subject() {
        for relation in Relation::KNOWN.into_iter().chain([Relation::Free("tools used by".into())]) {
            let queries = relation.queries("Anna Ware");
            assert_eq!(queries.len(), 5);
            assert!(queries.iter().all(|query| query.contains("Anna Ware") && !query.contains("{}")));
        }
        assert_eq!(Relation::Free("tools used by".into()).queries("Anna")[1], "tools used by Anna");
    }
}
