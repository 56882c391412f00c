/** A file's text on its way to the reader: what the worker answers, checked, and pages as paragraphs. */

import { isRecord } from "../messages";

export interface FileText {
  title: string;
  /** Where the file is from; empty for one that was chosen. */
  url: string;
  pages: string[];
  /** What could not be read. */
  missing: string;
}

const MAX_TITLE_UNITS = 300;

export function parseFileText(value: unknown): FileText {
  const given = isRecord(value) ? value : {};
  const words = (name: string, longest: number): string =>
    typeof given[name] === "string" ? given[name].slice(0, longest) : "";
  const pages = Array.isArray(given["pages"]) ? given["pages"] : [];
  return {
    title: words("title", MAX_TITLE_UNITS),
    url: words("url", 1 << 16),
    pages: pages.filter((page) => typeof page === "string"),
    missing: words("missing", 2000),
  };
}

/** Empty lines part paragraphs; lines within one stay lines. */
export function paragraphsOf(page: string): string[] {
  return page
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

/** The last part of an address, as people call a file. */
export function fileNameOf(url: string): string {
  try {
    const last = new URL(url).pathname.split("/").pop() ?? "";
    return decodeURIComponent(last);
  } catch {
    return "";
  }
}
