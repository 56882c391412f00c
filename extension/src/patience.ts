/**
 * How long an answer is awaited before it is given up. A manifest may ask for more patience, which multiplies every such
 * limit: the tests' manifest does, so that a machine with other work does not decide what they see.
 */

/** A limit as this extension's manifest wants it. */
export function extendLimit(limit: number): number {
  const { findall_patience: factor } = chrome.runtime.getManifest() as { findall_patience?: unknown };
  return typeof factor === "number" ? limit * factor : limit;
}
