/** The bar as it looks: a state in, a template out. All text is set as text; nothing is ever read as markup. */

import { type TemplateResult, html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { Suggestion } from "../engine/engine";
import type { Controller } from "./controller";
import { ICONS } from "./icons";
import { panelView } from "./panel";
import { DOCK_WORDS } from "./placing";
import {
  FILTERS,
  type Filter,
  type InsideStatus,
  type Status,
  counterText,
  countsByFilter,
  readSoFar,
  describeSettling,
} from "./state";

const FILTER_WORDS: Readonly<Record<Filter, string>> = {
  meaning: "Meaning",
  exact: "Exact",
  fuzzy: "Similar",
  answer: "Answer",
};

export function barView(bar: Controller): TemplateResult {
  const { state } = bar;
  return html`
    <h1 class="unseen">Find on this page</h1>
    <div class="row">
      ${gripView(bar)} ${queryView(bar)}
      <span id="spoken" class="unseen" role="status">${state.spoken}</span>
      <span class="letters" role="group" aria-label="To the letter">${literalButtons(bar)}</span>
      ${fieldsButton(bar)} ${counterView(bar)}
      <span class="buttons">${stepButtons(bar)} ${windowButtons(bar)}</span>
    </div>
    <div class="row tools">
      <div role="group" aria-label="Kinds of match" class="filters">${filterButtons(bar)}</div>
      ${thresholdView(bar)} ${statusView(bar)}
    </div>
    ${suggestionsView(bar)} ${state.panelOpen ? panelView(bar) : html`<div id="panel" hidden></div>`}
  `;
}

function gripView({ placement }: Controller): TemplateResult {
  return html`
    <button
      id="grip"
      class="lead"
      title="Drag to move, or use the arrow keys"
      aria-label="Move the bar"
      @pointerdown=${(event: PointerEvent) => placement.drag(event, "move")}
      @keydown=${(event: KeyboardEvent) => placement.key(event, "move")}
    >
      ${ICONS.search}
    </button>
  `;
}

function queryView(bar: Controller): TemplateResult {
  const { query, suggestions, suggestion } = bar.state;
  return html`
    <input
      id="query"
      type="text"
      role="combobox"
      aria-label="Find on this page, or ask a question"
      aria-expanded=${suggestions.length > 0 ? "true" : "false"}
      aria-controls="suggestions"
      aria-autocomplete="list"
      aria-activedescendant=${suggestion >= 0 ? `suggestion-${suggestion}` : nothing}
      placeholder="Find by meaning, or ask a question"
      autocomplete="off"
      spellcheck="false"
      maxlength="1000"
      .value=${live(query)}
      @input=${(event: InputEvent) => bar.type((event.target as HTMLInputElement).value)}
    />
  `;
}

function fieldsButton(bar: Controller): TemplateResult {
  return html`
    <button
      id="fields"
      class="letter"
      title="Form fields and image texts, too (Alt+I)"
      aria-label="Form fields and image texts, too"
      aria-pressed=${bar.state.fields ? "true" : "false"}
      data-sign="[a]"
      @click=${() => bar.toggleFields()}
    ></button>
  `;
}

/** How many places there are, and what may still change about that. */
function counterView({ state, matches: { length: count } }: Controller): TemplateResult {
  return html`
    <output
      id="counter"
      for="query"
      aria-live="off"
      aria-busy=${state.searching || readSoFar(state) !== undefined ? "true" : "false"}
      class=${count === 0 ? "empty" : ""}
      >${counterText(state, count)}</output
    >
    <span id="settling" ?hidden=${describeSettling(state, count) === ""}
      >${describeSettling(state, count)}</span
    >
  `;
}

function stepButtons(bar: Controller): TemplateResult {
  const none = bar.matches.length === 0;
  return html`
    <button
      id="previous"
      title="Previous (Shift+Enter)"
      aria-label="Previous match"
      ?disabled=${none}
      @click=${() => bar.step(-1)}
    >
      ${ICONS.up}
    </button>
    <button
      id="next"
      title="Next (Enter)"
      aria-label="Next match"
      ?disabled=${none}
      @click=${() => bar.step(1)}
    >
      ${ICONS.down}
    </button>
  `;
}

/** The list of results, where the bar lies, and its end. */
function windowButtons(bar: Controller): TemplateResult {
  const { state } = bar;
  const dockWords = DOCK_WORDS[bar.placement.layout.dock];
  return html`
    <button
      id="list"
      title="All results (Alt+Down)"
      aria-label="All results"
      aria-expanded=${state.panelOpen ? "true" : "false"}
      aria-controls="panel"
      @click=${() => bar.update({ panelOpen: !state.panelOpen, suggestions: [] })}
    >
      ${ICONS.list}
    </button>
    <button id="dock" title=${dockWords} aria-label=${dockWords} @click=${() => bar.placement.dockNext()}>
      ${ICONS.dock}
    </button>
    <button id="close" title="Close (Esc)" aria-label="Close" @click=${() => bar.close()}>
      ${ICONS.close}
    </button>
  `;
}

/** What is found to the letter only, with the keys that editors have for it. */
export const LITERAL_KEYS = [
  { option: "matchCase", key: "c", sign: "Aa", words: "Match case" },
  { option: "wholeWords", key: "w", sign: "ab", words: "Whole words" },
  { option: "expression", key: "r", sign: ".*", words: "Regular expression" },
] as const;

function literalButtons(bar: Controller): TemplateResult[] {
  return LITERAL_KEYS.map(
    ({ option, key, sign, words }) => html`
      <button
        id=${option}
        class="letter"
        title="${words} (Alt+${key.toUpperCase()})"
        aria-label=${words}
        aria-pressed=${bar.state.literal[option] ? "true" : "false"}
        data-sign=${sign}
        @click=${() => bar.toggleLiteral(option)}
      ></button>
    `,
  );
}

function filterButtons(bar: Controller): TemplateResult[] {
  const counts = countsByFilter(bar.state);
  return FILTERS.map(
    (filter) => html`
      <button
        class="filter ${filter}"
        aria-pressed=${bar.state.off.has(filter) ? "false" : "true"}
        aria-label="${FILTER_WORDS[filter]}, ${counts[filter]} found"
        @click=${() => bar.toggle(filter)}
      >
        <span class="swatch" aria-hidden="true"></span>${FILTER_WORDS[filter]}
        <span class="count">${counts[filter] > 0 ? counts[filter].toLocaleString("en") : nothing}</span>
      </button>
    `,
  );
}

function thresholdView(bar: Controller): TemplateResult {
  const { threshold } = bar.state;
  const percent = threshold === undefined ? 50 : Math.round(threshold * 100);
  return html`
    <label
      class="threshold"
      title="How sure a place must be to be shown: to the left more, to the right fewer"
    >
      <span>How sure</span>
      <input
        id="threshold"
        type="range"
        min="0"
        max="100"
        step="5"
        aria-label="How sure a place must be to be shown"
        aria-valuetext=${threshold === undefined ? "automatic" : `${percent} percent`}
        .value=${live(String(percent))}
        @input=${(event: InputEvent) => bar.setThreshold(Number((event.target as HTMLInputElement).value) / 100)}
        @dblclick=${() => bar.setThreshold(undefined)}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === "Delete" || event.key === "Backspace") bar.setThreshold(undefined);
        }}
      />
    </label>
    <button
      id="auto"
      class="percent"
      title="Back to automatic"
      aria-label=${threshold === undefined ? "auto, chosen for each query" : `${percent} %, back to automatic`}
      ?disabled=${threshold === undefined}
      @click=${() => bar.setThreshold(undefined)}
    >
      ${threshold === undefined ? "auto" : `${percent} %`}
    </button>
  `;
}

export function statusWords(status: Status, inside: InsideStatus): string {
  if (status.state === "none" && inside.state !== "absent")
    return inside.state === "ready" ? "In the browser" : `Reading ${Math.round(inside.done * 100)} %`;
  switch (status.state) {
    case "checking":
      return "Connecting";
    case "none":
      return "Letters only";
    case "unpaired":
      return "Not paired";
    case "loading":
      return "Server starting";
    case "preparing":
      return status.done > 0 ? `Reading ${Math.round(status.done * 100)} %` : "Reading";
    case "ready":
      return "Ready";
    case "error":
      return "Server error";
  }
}

function statusView(bar: Controller): TemplateResult {
  const { status, inside, page } = bar.state;
  const toggle = (): void => bar.update({ panelOpen: true, suggestions: [] });
  return html`
    <button id="status" class="status ${status.state}" title="What this means" @click=${toggle}>
      <span class="dot" aria-hidden="true"></span
      >${statusWords(status, inside)}${page?.private ? " · private" : ""}
    </button>
  `;
}

function suggestionsView(bar: Controller): TemplateResult {
  const { suggestions, suggestion } = bar.state;
  return html`
    <ul id="suggestions" role="listbox" aria-label="Suggestions" ?hidden=${suggestions.length === 0}>
      ${suggestions.map(
        (each, index) => html`
          <li
            id="suggestion-${index}"
            role="option"
            aria-selected=${index === suggestion ? "true" : "false"}
            @mousedown=${(event: MouseEvent) => event.preventDefault()}
            @click=${() => bar.takeSuggestion(index)}
          >
            ${suggestionIcon(each)}<span>${each.text}</span><small>${SUGGESTION_WORDS[each.kind]}</small>
          </li>
        `,
      )}
    </ul>
  `;
}

const SUGGESTION_WORDS: Readonly<Record<Suggestion["kind"], string>> = {
  question: "asked here",
  entity: "named here",
  heading: "heading",
  correction: "did you mean",
  word: "on this page",
  recent: "looked for before",
};

function suggestionIcon({ kind }: Suggestion): TemplateResult<2> {
  return kind === "question"
    ? ICONS.question
    : kind === "heading"
      ? ICONS.heading
      : kind === "entity"
        ? ICONS.spark
        : ICONS.search;
}
