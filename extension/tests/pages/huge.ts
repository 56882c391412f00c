/** A page of five megabytes: too long to keep as a file. */

const WORDS =
  "harbour lantern winter orchard copper violin meadow station glacier window pepper anchor timber saddle".split(
    " ",
  );

/** Five megabytes of paragraphs, tables and lists. */
export function huge(): string {
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; length < 5_000_000; i++) {
    const words = Array.from({ length: 60 }, (_, n) => WORDS[(i * 7 + n * n + n) % WORDS.length]).join(" ");
    const part =
      i % 10 === 0
        ? `<h2>Section ${i}</h2><ul><li>${words.slice(0, 80)}</li><li>${words.slice(80, 160)}</li></ul>`
        : `<p>${words}, and <b>number ${i}</b> stands <i>here</i>.</p>`;
    parts.push(part);
    length += part.length;
  }
  return `<!doctype html><html lang="en"><head><title>Huge</title><link rel="icon" href="data:,"></head><body>${parts.join("\n")}<p>The needle lies at the very end.</p></body></html>`;
}
