/**
 * What is known of an entity, as sentences: the knowledge base keeps phrases ("Chinese messaging app; developed by
 * Tencent; released in 2011"), people read "WeChat is a Chinese messaging app. Developed by Tencent, released in 2011."
 */

/** Phrases of the second sentence. */
const MAX_FURTHER_PHRASES = 3;

/** A phrase that says what was done, or where, and not what it is. */
const EVENT_PHRASE =
  /^(born|built|made|known|run|owned|held|led|written|sung|part|home|[a-z]+ed) (by|in|on|at|to|for|as|from|of|with|between|near|during|the)\b/i;
const TIME_PHRASE = /^\W*\d{3,4}\W*(\d{2,4})?\W*$/;
/** Whose is said already, or which. */
const DETERMINER = /^(a|an|the|one|his|her|its|their|several|many|most|some|two|three)\b|^\S+['’]s?\s/i;
/** There is one of them. */
const UNIQUE_PHRASE =
  /^(first|last|only|capital|former capital|second|third|fourth|fifth|\d+(st|nd|rd|th)|[a-z-]+est)\b/i;
const VOWEL_SOUND = /^([aeio]|u(?!ni|se|ti|k\b))(?!ne\b)|^(hour|honou?r|heir)/i;
const PAST_PHRASE = /\b(died|\d{4}\s*[–-]\s*\d{4})\b/;

/** A person, place or thing in one or two sentences; empty when nothing is known. */
export function describe(name: string, known: string): string {
  const phrases = known
    .split("; ")
    .map((phrase) => phrase.trim().replace(/[.;,]+$/, ""))
    .filter((phrase) => phrase !== "");
  const lead = phrases.find((phrase) => !EVENT_PHRASE.test(phrase) && !TIME_PHRASE.test(phrase));
  const more = phrases.filter((phrase) => EVENT_PHRASE.test(phrase)).slice(0, MAX_FURTHER_PHRASES);
  const verb = phrases.some((phrase) => PAST_PHRASE.test(phrase)) ? "was" : "is";
  const sentences = lead === undefined ? [] : [`${name} ${verb} ${addArticle(lead)}.`];
  if (more.length > 0) sentences.push(`${capitalise(more.join(", "))}.`);
  return sentences.join(" ");
}

function addArticle(phrase: string): string {
  if (DETERMINER.test(phrase)) return phrase;
  if (UNIQUE_PHRASE.test(phrase)) return `the ${phrase}`;
  return `${VOWEL_SOUND.test(phrase) ? "an" : "a"} ${phrase}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why a place was found: the fact that decided, and what the page itself says. */
export interface MatchReasons {
  fact: string;
  page: string;
}

/** What the page itself says, in plain words: what it calls the thing, and where it stands. */
export function pageWords(page: string): string {
  const parts = page.split("; ").filter((part) => part !== "");
  const said = parts.filter((part) => !/^(column|under): /.test(part));
  const column = parts.find((part) => part.startsWith("column: "))?.slice("column: ".length);
  const heading = parts.find((part) => part.startsWith("under: "))?.slice("under: ".length);
  return [
    ...(said.length > 0 ? [`This page says: ${said.join("; ")}.`] : []),
    ...(column === undefined ? [] : [`It stands in a column “${column}”.`]),
    ...(heading === undefined ? [] : [`It stands under “${heading}”.`]),
  ].join(" ");
}

/** The parts of what an engine gives as its reason. */
export function reasonsOf(name: string, why: string): MatchReasons {
  const [told = "", page = ""] = why.split(/(?:^|; )the page: /);
  const rest = told.startsWith(`${name}: `) ? told.slice(name.length + 2) : told;
  return { fact: rest === name ? "" : rest, page };
}
