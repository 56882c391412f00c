/** The bar's few drawings. */

import { type TemplateResult, svg } from "lit-html";

function icon(path: TemplateResult<2>): TemplateResult<2> {
  return svg`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;
}

export const ICONS = {
  search: icon(svg`<circle cx="8.5" cy="8.5" r="5.5"></circle><path d="m13 13 4 4"></path>`),
  up: icon(svg`<path d="m5 12.5 5-5 5 5"></path>`),
  down: icon(svg`<path d="m5 7.5 5 5 5-5"></path>`),
  list: icon(svg`<path d="M7.5 5h9M7.5 10h9M7.5 15h9M3.5 5h.01M3.5 10h.01M3.5 15h.01"></path>`),
  close: icon(svg`<path d="m5 5 10 10M15 5 5 15"></path>`),
  dock: icon(svg`<rect x="3" y="4" width="14" height="12" rx="2"></rect><path d="M12 4v12"></path>`),
  heading: icon(svg`<path d="M5 4v12M15 4v12M5 10h10"></path>`),
  question: icon(svg`<path d="M7 7.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.8M10 15.2h.01"></path>`),
  spark: icon(
    svg`<path d="M10 3v4M10 13v4M3 10h4M13 10h4M5.5 5.5l2 2M12.5 12.5l2 2M14.5 5.5l-2 2M7.5 12.5l-2 2"></path>`,
  ),
} as const;
