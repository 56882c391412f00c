//! Privacy settings: whether anything is remembered, of which pages never, and which may be shared. They live in the
//! store that they govern, and the store itself obeys them, whoever calls it.

use globset::{GlobBuilder, GlobMatcher};

use crate::error::StoreError;
use crate::model::Refusal;
use crate::page::host;

/// Who can read a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The person whose file it is.
    Own,
    /// Everybody who can reach the server.
    Shared,
}

/// What a pattern of pages is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternUse {
    /// Never remember these pages.
    Deny,
    /// These pages may be shared.
    Share,
}

impl PatternUse {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Share => "share",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Deny, Self::Share].into_iter().find(|purpose| purpose.name() == name)
    }
}

/// A glob over pages. Without a slash it is about hosts (`*.bank.example`); with one, about whole addresses, with or
/// without `https://` (`example.org/private/*`, `/home/me/diary/*`). A star also spans slashes.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    matcher: GlobMatcher,
}

impl Pattern {
    /// Reads a glob.
    pub fn new(text: &str) -> Result<Self, StoreError> {
        let wrong = |reason: String| StoreError::Pattern { pattern: text.to_owned(), reason };
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.len() > 1000 || trimmed.contains('\0') {
            return Err(wrong("it must have 1 to 1000 characters".into()));
        }
        let glob = GlobBuilder::new(trimmed).case_insensitive(!trimmed.contains('/')).build();
        let matcher = glob.map_err(|error| wrong(error.kind().to_string()))?.compile_matcher();
        Ok(Self { text: trimmed.to_owned(), matcher })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True when the page with this key is meant.
    pub fn matches(&self, key: &str) -> bool {
        let without_scheme = key.split_once("://").map_or(key, |(_, rest)| rest);
        if self.text.contains('/') {
            self.matcher.is_match(key) || self.matcher.is_match(without_scheme)
        } else {
            self.matcher.is_match(host(key).unwrap_or(key))
        }
    }
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether anything new is remembered.
    pub remember: bool,
    /// What each pattern is for.
    pub patterns: Vec<(PatternUse, Pattern)>,
}

impl Settings {
    /// Patterns of one kind, as written.
    pub fn patterns_for(&self, purpose: PatternUse) -> impl Iterator<Item = &Pattern> {
        self.patterns.iter().filter(move |(used, _)| *used == purpose).map(|(_, pattern)| pattern)
    }

    /// True when the page may be shared: it matches a pattern that says so and none that forbids.
    pub fn shares(&self, key: &str) -> bool {
        self.matches(PatternUse::Share, key) && !self.matches(PatternUse::Deny, key)
    }

    /// Whether something about this page may be written to a store of this reach.
    pub fn permit(&self, key: &str, reach: Reach) -> Result<(), Refusal> {
        if !self.remember {
            Err(Refusal::Off)
        } else if self.matches(PatternUse::Deny, key) {
            Err(Refusal::Denied)
        } else if reach == Reach::Shared && !self.shares(key) {
            Err(Refusal::NotShared)
        } else {
            Ok(())
        }
    }

    fn matches(&self, purpose: PatternUse, key: &str) -> bool {
        self.patterns_for(purpose).any(|pattern| pattern.matches(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_addresses_and_folders() {
        let cases = [
            ("*.bank.example", "https://my.bank.example/a", true),
            ("*.BANK.example", "https://my.bank.example/a", true),
            ("*.bank.example", "https://bank.example/", false),
            ("bank.example", "https://bank.example:8443/x", true),
            ("bank.example", "https://example.org/bank.example", false),
            ("example.org/private/*", "https://example.org/private/a/b", true),
            ("https://example.org/private/*", "http://example.org/private/a", false),
            ("/home/me/diary/*", "file:///home/me/diary/2026/may.txt", true),
            ("*", "file:///anything", true),
            ("{a,b}.example", "https://b.example/", true),
        ];
        for (pattern, key, expected) in cases {
            assert_eq!(Pattern::new(pattern).unwrap().matches(key), expected, "{pattern} on {key}");
        }
        assert!(Pattern::new("[a").is_err());
        assert!(Pattern::new(" ").is_err());
    }

    #[test]
    fn denying_wins_over_sharing() {
        let pattern = |purpose, text| (purpose, Pattern::new(text).unwrap());
        let settings = Settings {
            remember: true,
            patterns: vec![
                pattern(PatternUse::Share, "*.example"),
                pattern(PatternUse::Deny, "bank.example"),
            ],
        };
        assert_eq!(settings.permit("https://wiki.example/", Reach::Shared), Ok(()));
        assert_eq!(settings.permit("https://bank.example/", Reach::Shared), Err(Refusal::Denied));
        assert_eq!(settings.permit("https://other.test/", Reach::Shared), Err(Refusal::NotShared));
        assert_eq!(settings.permit("https://other.test/", Reach::Own), Ok(()));
        let off = Settings { remember: false, ..settings };
        assert_eq!(off.permit("https://wiki.example/", Reach::Own), Err(Refusal::Off));
    }
}
