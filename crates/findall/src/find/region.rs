//! Regions of the world: a query that names one ("Asian companies") is about things that are described by their country
//! ("Japanese conglomerate"). What the country's region is, is known here and told to the judge.

use std::sync::LazyLock;

const REGION_TABLE: &str = include_str!("regions.tsv");

/// The world's regions and the countries in them.
struct RegionTable {
    /// A region's name and what is said of it, the continents first.
    regions: Vec<Vec<&'static str>>,
    /// A country's names and adjectives, the longest first, each with the country's regions, its continents among them.
    countries: Vec<(&'static str, Vec<usize>)>,
}

const MAX_CONTINENTS: usize = 6;

static REGIONS: LazyLock<RegionTable> = LazyLock::new(|| {
    let lines = REGION_TABLE
        .lines()
        .filter(move |line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'));
    let (mut regions, mut countries): (Vec<Vec<_>>, Vec<_>) = (Vec::new(), Vec::new());
    for (names, said) in lines {
        if let Some(region) = names.strip_prefix('@') {
            regions.push(said.split('|').chain([region]).collect());
        } else {
            let numbers =
                said.split(',').filter_map(|name| regions.iter().position(|it| it.last() == Some(&name)));
            let numbers: Vec<usize> = numbers.collect();
            countries.extend(names.split('|').map(|name| (name, numbers.clone())));
        }
    }
    countries.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    RegionTable { regions, countries }
});

/// The region that a query names, if it names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region(usize);

impl Region {
    /// Reads a query; of several names at one place the longest counts ("South Asian").
    pub(super) fn named_in(query: &str) -> Option<Self> {
        let query = query.to_lowercase();
        let names = REGIONS.regions.iter().enumerate();
        let names =
            names.flat_map(|(number, names)| names.iter().map(move |name| (number, name.to_lowercase())));
        let found =
            names.filter_map(|(number, name)| find_words(&query, &name).map(|at| (number, at, name.len())));
        found.min_by_key(|&(_, at, length)| (at, std::cmp::Reverse(length))).map(|(number, ..)| Self(number))
    }

    /// What to say of a thing in view of a query about this region: that it belongs to it, or else to which continent; nothing
    /// where no country is named. The country named first counts.
    pub(super) fn describe(self, title: &str, known: &str) -> Option<&'static str> {
        let table = &*REGIONS;
        let own = table.countries.iter().find(|(name, _)| *name == title);
        let (_, regions) = own.or_else(|| first_country(known))?;
        let region = if regions.contains(&self.0) { self.0 } else { *regions.first()? };
        (region == self.0 || self.0 < MAX_CONTINENTS).then(|| table.regions[region][0])
    }
}

fn first_country(text: &str) -> Option<&'static (&'static str, Vec<usize>)> {
    let starts = text.char_indices().filter(|&(at, letter)| letter.is_uppercase() && is_edge(text, at));
    starts.map(|(at, _)| at).find_map(|at| {
        let here = |name: &str| text[at..].starts_with(name) && is_edge(text, at + name.len());
        REGIONS.countries.iter().find(|(name, _)| here(name))
    })
}

/// Where `words` stand in a text as whole words.
fn find_words(text: &str, words: &str) -> Option<usize> {
    text.match_indices(words)
        .map(|(at, _)| at)
        .find(|&at| is_edge(text, at) && is_edge(text, at + words.len()))
}

/// Whether no word goes on across a place in a text.
fn is_edge(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    let after = text[at..].chars().next().is_some_and(char::is_alphanumeric);
    !(before && after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tell_region(query: &str, title: &str, known: &str) -> Option<&'static str> {
        Region::named_in(query)?.describe(title, known)
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        let rows = |mark: bool| {
            REGION_TABLE.lines().filter(move |line| !line.starts_with('#') && line.starts_with('@') == mark)
        };
        assert_eq!(REGIONS.regions.len(), rows(true).count());
        for row in rows(false) {
            let (names, regions) = row.split_once('\t').unwrap();
            for name in names.split('|') {
                let (_, numbers) = REGIONS.countries.iter().find(|(own, _)| *own == name).unwrap();
                assert_eq!(numbers.len(), regions.split(',').count(), "{row}");
                assert!(numbers[0] < MAX_CONTINENTS, "{row}");
                let same = REGIONS.countries.iter().filter(|(own, _)| *own == name);
                assert_eq!(same.count(), 1, "{name} stands twice");
            }
        }
    }

    #[test]
    fn a_country_tells_the_region_that_a_query_names() {
        let sony = "Japanese multinational conglomerate corporation, studios in the United States";
        assert_eq!(tell_region("Asian companies", "Sony", sony), Some("Asian"));
        assert_eq!(tell_region("companies from asia", "Sony", sony), Some("Asian"));
        assert_eq!(tell_region("East Asian companies", "Sony", sony), Some("East Asian"));
        assert_eq!(tell_region("European companies", "Sony", sony), Some("Asian"));
        assert_eq!(tell_region("Scandinavian companies", "Sony", sony), None);
        assert_eq!(
            tell_region("Scandinavian designers", "Arne Jacobsen", "Danish architect"),
            Some("Scandinavian")
        );
        assert_eq!(tell_region("South American countries", "Peru", ""), Some("South American"));
        assert_eq!(
            tell_region("African rivers", "Rio Grande", "river in New Mexico"),
            Some("North American")
        );
        assert_eq!(tell_region("EU members", "Vienna", "capital of Austria"), Some("EU"));
    }

    #[test]
    fn what_names_no_region_or_no_country_is_left_alone() {
        assert_eq!(Region::named_in("American companies"), None);
        assert_eq!(Region::named_in("caucasians and asiago"), None);
        assert_eq!(tell_region("Asian companies", "Acme", "maker of anvils"), None);
        assert_eq!(tell_region("Asian companies", "Acme", "Polishing services of Omanyte"), None);
    }
}
