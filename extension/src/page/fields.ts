/**
 * Texts of a page that are no text of its own: what stands in form fields and what pictures are said to show. An
 * element in, its words out; empty where it has none, and for what is secret.
 */

/** Fields whose value is no text that people read. */
const WORDLESS_TYPES = new Set("checkbox radio file color range hidden password image".split(" "));
/** Longer ones are cut. */
const MAX_WORDS_UNITS = 20_000;

/** What an element says besides its text nodes, on one line. */
export function wordsOf(element: Element): string {
  return wordsIn(element).slice(0, MAX_WORDS_UNITS).replace(/\s+/g, " ").trim();
}

function wordsIn(element: Element): string {
  switch (element.localName) {
    case "img":
    case "area":
      return element.getAttribute("alt") ?? "";
    case "input":
      return inputWords(element as HTMLInputElement);
    case "textarea":
      return isSecret(element) ? "" : (element as HTMLTextAreaElement).value;
    case "select":
      return [...(element as HTMLSelectElement).selectedOptions].map(({ label }) => label).join(", ");
    default:
      return element.getAttribute("role") === "img" ? (element.getAttribute("aria-label") ?? "") : "";
  }
}

function inputWords(input: HTMLInputElement): string {
  if (input.type === "image") return input.alt;
  return WORDLESS_TYPES.has(input.type) || isSecret(input) ? "" : input.value;
}

/** Card numbers and one-time codes are nobody's to look for. */
function isSecret(field: Element): boolean {
  return /(^|\s)(cc-|one-time-code|current-password|new-password)/.test(
    field.getAttribute("autocomplete") ?? "",
  );
}

export function isSeen(element: Element): boolean {
  const { display, visibility, opacity } = getComputedStyle(element);
  return display !== "none" && visibility === "visible" && opacity !== "0";
}
