//! Words that values are made of, in small letters unless they are written otherwise: months, currencies, units, and
//! what stands before or after a number and says what it is. English, German, French, Spanish, Italian, Dutch and some
//! of their neighbours.

use crate::word_list::WordList;

const VALUE_WORD_LISTS: &str = include_str!("words.txt");

/// English and German names, which start with a capital letter.
pub(super) static CAPITAL_MONTHS: WordList = WordList::new(VALUE_WORD_LISTS, "capital-month");

/// French, Spanish, Italian, Dutch and Portuguese names, in small letters.
pub(super) static SMALL_MONTHS: WordList = WordList::new(VALUE_WORD_LISTS, "small-month");

/// Months whose names are names or words, too: alone they count after a word of time only.
pub(super) static ALSO_WORDS: WordList = WordList::new(VALUE_WORD_LISTS, "also-word");

/// Words of time before a month.
pub(super) static WORDS_BEFORE_MONTH: WordList = WordList::new(VALUE_WORD_LISTS, "before-month");

/// Words before a number that make it a year, however early.
pub(super) static WORDS_BEFORE_YEAR: WordList = WordList::new(VALUE_WORD_LISTS, "before-year");

/// Words before a number that make it no year.
pub(super) static WORDS_AFTER_NO_YEAR: WordList = WordList::new(VALUE_WORD_LISTS, "no-year-after");

/// Words after a number that count something.
pub(super) static COUNTED_NOUNS: WordList = WordList::new(VALUE_WORD_LISTS, "counted");

/// Currencies as they are written.
pub(super) static CURRENCY_CODES: WordList = WordList::new(VALUE_WORD_LISTS, "currency-code");

/// Names of currencies.
pub(super) static CURRENCIES: WordList = WordList::new(VALUE_WORD_LISTS, "currency");

/// How large a number is.
pub(super) static SCALES: WordList = WordList::new(VALUE_WORD_LISTS, "scale");

/// The same, right after an amount.
pub(super) static SHORT_SCALES: WordList = WordList::new(VALUE_WORD_LISTS, "short-scale");

/// Units as they are written; the first character after the number or a blank.
pub(super) static UNITS: WordList = WordList::new(VALUE_WORD_LISTS, "unit");

/// Units in words.
pub(super) static UNIT_WORDS: WordList = WordList::new(VALUE_WORD_LISTS, "unit-word");

/// Endings of addresses that are written without a scheme. Few, because files and sentences have dots, too.
pub(super) static DOMAIN_ENDINGS: WordList = WordList::new(VALUE_WORD_LISTS, "domain");

/// Words that announce a telephone number.
pub(super) static PHONE_WORDS: WordList = WordList::new(VALUE_WORD_LISTS, "phone");
