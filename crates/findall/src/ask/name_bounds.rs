//! Names that answers cut: places in, the same places with every name whole out. The bounds are those that find and the
//! highlights have, because the same passages are tagged; what is kept of them costs nothing.

use std::collections::HashMap;

use super::answers::Place;
use super::whole;
use crate::document::Document;
use crate::encode::ModelError;
use crate::index::{CachedTagger, TAGGED_PASSAGE};
use crate::span::Span;

/// The names around some answers.
pub(super) struct NameBounds<'e, 'd> {
    tagging: CachedTagger<'e>,
    documents: &'d [Document],
    /// Names of the passages that were tagged.
    names: HashMap<Place, Vec<Span>>,
}

impl<'e, 'd> NameBounds<'e, 'd> {
    pub fn new(tagging: CachedTagger<'e>, documents: &'d [Document]) -> Self {
        Self { tagging, documents, names: HashMap::new() }
    }

    /// Widens every place to the bounds of the names that it cuts. The tagger is asked only where a name may be cut.
    pub fn complete(&mut self, places: &mut [Place]) -> Result<(), ModelError> {
        let doubtful = |place: &&mut Place| whole::may_cut_a_name(self.text(**place), place.span);
        let doubtful: Vec<&mut Place> = places.iter_mut().filter(doubtful).collect();
        let held: Vec<Vec<Place>> = doubtful.iter().map(|place| self.passages_of(**place)).collect();
        self.tag(held.concat())?;
        for (place, passages) in doubtful.into_iter().zip(held) {
            let names = passages.iter().filter_map(|passage| self.names.get(passage)).flatten();
            place.span = whole::complete_names(self.text(*place), place.span, names.copied());
        }
        Ok(())
    }

    fn text(&self, place: Place) -> &'d str {
        self.documents[place.document].text()
    }

    /// The passages that hold a place, as documents are cut for the tagger.
    fn passages_of(&self, place: Place) -> Vec<Place> {
        let all = self.documents[place.document].passages(&TAGGED_PASSAGE).into_iter();
        all.filter(|span| span.overlaps(&place.span)).map(|span| Place { span, ..place }).collect()
    }

    fn tag(&mut self, mut passages: Vec<Place>) -> Result<(), ModelError> {
        passages.retain(|passage| !self.names.contains_key(passage));
        passages.sort_unstable();
        passages.dedup();
        let texts: Vec<&str> =
            passages.iter().map(|place| place.span.slice(self.text(*place)).unwrap_or_default()).collect();
        for (&passage, mentions) in passages.iter().zip(self.tagging.tag(&texts)?) {
            let names = mentions.iter().map(|mention| mention.span.shifted(passage.span.start)).collect();
            self.names.insert(passage, names);
        }
        Ok(())
    }
}
