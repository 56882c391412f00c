//! Pages to ask about: made up from sentences with slots, the same in every run, each a little different.

use super::next;

/// What is asked of every page.
pub const PAGE_QUERIES: &[&str] =
    &["cities in Europe", "technology companies", "rivers", "universities", "musical instruments", "capital"];

/// Questions about every page; some pages answer them, some do not.
pub const QUESTIONS: &[&str] = &[
    "Who wrote the letter that was found?",
    "Which river does the train follow?",
    "When did the workers go on strike?",
];

const PEOPLE: &[&str] =
    &["Marie Curie", "Alan Turing", "Ada Lovelace", "Nelson Mandela", "Frida Kahlo", "Isaac Newton"];
const PLACES: &[&str] =
    &["Paris", "Berlin", "Kyoto", "Nairobi", "Lima", "Chicago", "Vienna", "Prague", "Lisbon", "Oslo"];
const COMPANIES: &[&str] =
    &["Google", "Toyota", "Siemens", "Nokia", "Samsung", "Nintendo", "Airbus", "Philips"];
const RIVERS: &[&str] = &["Danube", "Nile", "Amazon", "Rhine", "Mekong", "Thames"];

const SENTENCES: &[&str] = &[
    "A friend from {place} wrote that {company} had opened an office near the {river}.",
    "{person} never worked for {company}, although a museum in {place} says so.",
    "The train from {place} follows the {river} for an hour and stops twice.",
    "In {year} the workers of {company} in {place} went on strike for six weeks.",
    "A letter by {person} was found in a library in {place} and sold for {number} euros.",
    "Students play the guitar and the cello on the bank of the {river} every evening.",
    "{company} and {other} built a bridge over the {river}; {person} would have liked it.",
    "Nobody in {place} remembers when the university was founded, but it was before {year}.",
];

/// Sentences on a page: about two thousand characters.
const LENGTH: usize = 24;

/// So many pages.
pub fn pages(count: usize) -> Vec<String> {
    (0..count as u64).map(page).collect()
}

fn page(number: u64) -> String {
    let mut state = number.wrapping_mul(0xD134_2543_DE82_EF95) | 1;
    let mut text = format!("Notes, page {number}\n\n");
    for at in 0..LENGTH {
        let mut pick = |list: &[&'static str]| list[next(&mut state) as usize % list.len()];
        let sentence = pick(SENTENCES)
            .replace("{place}", pick(PLACES))
            .replace("{company}", pick(COMPANIES))
            .replace("{other}", pick(COMPANIES))
            .replace("{river}", pick(RIVERS))
            .replace("{person}", pick(PEOPLE));
        let (year, price) = (1850 + next(&mut state) % 170, 100 + next(&mut state) % 9000);
        text += &sentence.replace("{year}", &year.to_string()).replace("{number}", &price.to_string());
        text += if at % 6 == 5 { "\n\n" } else { " " };
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn pages_differ_and_stay() {
        let pages = super::pages(20);
        assert_eq!(pages, super::pages(20));
        assert!(pages.iter().all(|page| (1500..3000).contains(&page.len()) && !page.contains('{')));
        assert!(pages.windows(2).all(|two| two[0] != two[1]));
    }
}
