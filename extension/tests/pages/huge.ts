/** Pages of five megabytes: too long to keep as files. */

const DEFAULT_UNITS = 5_000_000;

const WORDS =
  "harbour lantern winter orchard copper violin meadow station glacier window pepper anchor timber saddle".split(
    " ",
  );

/** Very many elements: short paragraphs with words set off, headings and lists. */
export function huge(): string {
  return page((i) => {
    const words = wordsOf(i, 60);
    return i % 10 === 0
      ? `<h2>Section ${i}</h2><ul><li>${words.slice(0, 80)}</li><li>${words.slice(80, 160)}</li></ul>`
      : `<p>${words}, and <b>number ${i}</b> stands <i>here</i>.</p>`;
  });
}

/** A book: a few thousand long paragraphs. */
export function book(): string {
  return bookOf(DEFAULT_UNITS);
}

/** A book of another length. */
export function bookOf(units: number): string {
  return page((i) => (i % 60 === 0 ? `<h2>Chapter ${i / 60 + 1}</h2>` : `<p>${wordsOf(i, 150)}.</p>`), units);
}

function wordsOf(part: number, count: number): string {
  return Array.from({ length: count }, (_, n) => WORDS[(part * 7 + n * n + n) % WORDS.length]).join(" ");
}

function page(part: (number: number) => string, units = DEFAULT_UNITS): string {
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; length < units; i++) {
    const next = part(i);
    parts.push(next);
    length += next.length;
  }
  return `<!doctype html><html lang="en"><head><title>Huge</title><link rel="icon" href="data:,"></head><body>${parts.join("\n")}<p>The needle lies at the very end.</p></body></html>`;
}
