//! Forgetting: a page, a question or everything, in the store and wherever else its words were kept: the cache of texts and
//! the library that lies in it.

use clap::Args;
use findall::Cache;
use findall_service::forget::{ForgetError, KeptPlaces, forget_everywhere};
use findall_store::{ForgetTarget, Store};

use crate::absent::Part;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::{meaning, remember};

/// Arguments of `findall store forget`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub struct ForgetArgs {
    /// A page: its address, its file, or a glob such as *.bank.example
    #[arg(long, value_name = "PAGE", group = "what")]
    page: Option<String>,

    /// A question, of one page with --page, else of all
    #[arg(long, value_name = "QUESTION", group = "what")]
    question: Option<String>,

    /// All pages, questions, answers and corrections, and the library in the cache; settings stay
    #[arg(long, group = "what", conflicts_with_all = ["page", "question"])]
    everything: bool,
}

/// Forgets; exit 1 when there was nothing to forget.
pub fn run(store: &dyn Store, args: &ForgetArgs) -> Result<Outcome, Failure> {
    let page = args.page.as_deref().map(remember::page_key);
    let normalised = args.question.as_deref().map(findall::ask::question::normalise);
    let what = match (&normalised, &page) {
        (Some(normalised), page) => ForgetTarget::Question { normalised, page: page.as_deref() },
        (None, Some(page)) => ForgetTarget::Pages(page),
        (None, None) => ForgetTarget::Everything,
    };
    let cache = meaning::cache_folder();
    let library = cache.as_ref().map(|folder| folder.join("library"));
    if let Some(library) = library.as_ref().filter(|library| library.join("words").exists()) {
        // Nothing is forgotten rather than half of it.
        Part::Library.require(&format!("findall store forget beside a library ({})", library.display()))?;
    }
    let clear_cache = || cache.as_ref().map_or(Ok(()), |folder| Cache::new(folder).clear());
    let places = KeptPlaces { store, clear_cache: &clear_cache, library: library.as_deref() };
    let forgotten = forget_everywhere(what, &places).map_err(|error| match (error, &cache) {
        (ForgetError::Store(error), _) => remember::store_failure(error),
        (ForgetError::Cache(error), Some(folder)) => {
            Failure::Verb(format!("{}: {error}; delete it by hand", folder.display()))
        }
        (error, _) => Failure::Verb(error.to_string()),
    })?;
    let (gone, documents) = (forgotten.store, forgotten.documents);
    let mut said = format!("forgotten: {} pages, {} questions\n", gone.pages, gone.questions);
    if documents > 0 {
        said += &format!("taken out of the library: {documents} documents\n");
    }
    if !gone.wiped {
        said += "another process holds the old file open; traces on the disk are overwritten when it ends\n";
    }
    Output::stdout().write(said.as_bytes())?;
    let any = gone.pages + gone.questions > 0 || documents > 0;
    Ok(if any { Outcome::Found } else { Outcome::Nothing })
}
