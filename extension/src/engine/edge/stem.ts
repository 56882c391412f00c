/**
 * English stems by the Snowball algorithm (Porter 2), the one the engine uses. Enters a lower-case ASCII word, leaves
 * its stem. https://snowballstem.org/algorithms/english/stemmer.html
 */

const VOWEL = "aeiouy";
const DOUBLE = /(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

const WHOLE: Readonly<Record<string, string>> = {
  skis: "ski",
  skies: "sky",
  dying: "die",
  lying: "lie",
  tying: "tie",
  idly: "idl",
  gently: "gentl",
  ugly: "ugli",
  early: "earli",
  only: "onli",
  singly: "singl",
  sky: "sky",
  news: "news",
  howe: "howe",
  atlas: "atlas",
  cosmos: "cosmos",
  bias: "bias",
  andes: "andes",
};

const AFTER_PLURAL = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));

const STEP2: readonly (readonly [string, string])[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];

const STEP3: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const STEP4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic".split(" ");

export function stem(word: string): string {
  if (word.length <= 2) return word;
  const whole = WHOLE[word];
  if (whole !== undefined && Object.hasOwn(WHOLE, word)) return whole;
  let w = markConsonantY(word);
  const [r1, r2] = regions(w);
  w = plural(w);
  if (AFTER_PLURAL.has(w)) return w;
  w = participle(w, r1);
  w = w.replace(/([^aeiouy])[yY]$/, (all, before: string) => (w.length > 2 ? `${before}i` : all));
  w = derived(w, r1);
  w = adjective(w, r1, r2);
  w = latin(w, r2);
  w = finalLetter(w, r1, r2);
  return w.toLowerCase();
}

/** A y that sounds as a consonant is written Y while stemming. */
function markConsonantY(word: string): string {
  let marked = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  for (let i = 1; i < marked.length; i++) {
    if (marked[i] === "y" && VOWEL.includes(marked[i - 1] ?? "")) {
      marked = `${marked.slice(0, i)}Y${marked.slice(i + 1)}`;
    }
  }
  return marked;
}

/** Where the regions start in which endings may be cut. */
function regions(word: string): [number, number] {
  const after = (from: number): number => {
    const match = /[aeiouy][^aeiouy]/.exec(word.slice(from));
    return match ? from + match.index + 2 : word.length;
  };
  const special = /^(gener|commun|arsen)/.exec(word);
  const r1 = special ? special[0].length : after(0);
  return [r1, after(r1)];
}

function plural(w: string): string {
  if (w.endsWith("sses")) return w.slice(0, -2);
  if (/(ied|ies)$/.test(w)) return w.length > 4 ? w.slice(0, -2) : w.slice(0, -1);
  if (/(us|ss)$/.test(w)) return w;
  return w.endsWith("s") && /[aeiouy]/.test(w.slice(0, -2)) ? w.slice(0, -1) : w;
}

function participle(w: string, r1: number): string {
  const eed = /(eedly|eed)$/.exec(w);
  if (eed) return eed.index >= r1 ? `${w.slice(0, eed.index)}ee` : w;
  const ending = /(ingly|edly|ing|ed)$/.exec(w);
  if (!ending) return w;
  const cut = w.slice(0, ending.index);
  if (!/[aeiouy]/.test(cut)) return w;
  if (/(at|bl|iz)$/.test(cut)) return `${cut}e`;
  if (DOUBLE.test(cut)) return cut.slice(0, -1);
  return isShort(cut, r1) ? `${cut}e` : cut;
}

function endsInShortSyllable(w: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(w) || /^[aeiouy][^aeiouy]$/.test(w);
}

function isShort(w: string, r1: number): boolean {
  return r1 >= w.length && endsInShortSyllable(w);
}

function derived(w: string, r1: number): string {
  for (const [ending, replacement] of STEP2) {
    if (!w.endsWith(ending)) continue;
    const at = w.length - ending.length;
    if (at < r1) return w;
    if (ending === "ogi" && w[at - 1] !== "l") return w;
    if (ending === "li" && !/[cdeghkmnrt]$/.test(w.slice(0, at))) return w;
    return w.slice(0, at) + replacement;
  }
  return w;
}

function adjective(w: string, r1: number, r2: number): string {
  for (const [ending, replacement] of STEP3) {
    if (!w.endsWith(ending)) continue;
    const at = w.length - ending.length;
    return at < (ending === "ative" ? r2 : r1) ? w : w.slice(0, at) + replacement;
  }
  return w;
}

function latin(w: string, r2: number): string {
  for (const ending of STEP4) {
    if (!w.endsWith(ending)) continue;
    const at = w.length - ending.length;
    if (at < r2 || (ending === "ion" && !/[st]$/.test(w.slice(0, at)))) return w;
    return w.slice(0, at);
  }
  return w;
}

function finalLetter(w: string, r1: number, r2: number): string {
  const at = w.length - 1;
  if (w.endsWith("e")) {
    const goes = at >= r2 || (at >= r1 && !endsInShortSyllable(w.slice(0, at)));
    return goes ? w.slice(0, at) : w;
  }
  return w.endsWith("ll") && at >= r2 ? w.slice(0, at) : w;
}
