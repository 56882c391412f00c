/** The result panel: what the server's state means, answers, matches by entity with the reason, questions, chips. */

import { type TemplateResult, html, nothing } from "lit-html";
import type { Span } from "../engine/engine";
import type { Answer, Question } from "../engine/wire";
import type { Controller } from "./controller";
import { describe, pageWords, reasonsOf } from "./describing";
import { ICONS } from "./icons";
import { MAX_TERM_WEIGHT } from "./liking";
import { type Group, KIND_WORDS, type State, groupsOf, originWords, snippetOf } from "./state";

/** Places listed of each group before "more". */
const DEFAULT_PLACES_LISTED = 5;
/** So many more with each click. */
const MORE_PLACES_A_CLICK = 20;
const DEFAULT_GROUPS_LISTED = 60;
/** How many groups are listed is kept beside how many places of each; no group has this name. */
const GROUPS_KEY = "";
/** Places listed of another tab. */
const MAX_PLACES_A_TAB = 3;

type ViewPart = TemplateResult | typeof nothing;

export function panelView(bar: Controller): TemplateResult {
  const { state } = bar;
  return html`
    <section id="panel" aria-label="Results">
      ${statusHelp(bar)} ${pdfView(bar)} ${noticeView(state)} ${correctionView(bar)} ${likeView(bar)}
      ${answersView(bar)} ${groupsView(bar)} ${similarView(state)} ${topView(bar)} ${coverageView(state)}
      ${unfoldView(bar)} ${tabsView(bar)}
    </section>
    <button
      id="corner"
      title="Drag to make larger or smaller, or use the arrow keys"
      aria-label="Size of the bar"
      @pointerdown=${(event: PointerEvent) => bar.placement.drag(event, "stretch")}
      @keydown=${(event: KeyboardEvent) => bar.placement.key(event, "stretch")}
    ></button>
  `;
}

function noticeView({ notice }: State): TemplateResult {
  return html`<p class="notice" role="status" ?hidden=${notice === ""}>${notice}</p>`;
}

/** What the state means, and the way out of it. */
function statusHelp(bar: Controller): ViewPart {
  const { status, inside } = bar.state;
  const options = html`<button class="action" @click=${() => void bar.remote.call("options")}>
    Open settings
  </button>`;
  const again = html`<button class="action" @click=${() => void bar.connect()}>Try again</button>`;
  switch (status.state) {
    case "none":
      return helpView(
        inside.state === "absent"
          ? "Exact and fuzzy find work. To find by meaning and to ask, start the server:"
          : "Found by meaning inside the browser, which knows less than the server and cannot be asked. To start the server:",
        html`<code>findall serve</code>${again}${options}`,
      );
    case "unpaired":
      return helpView("The server does not know this browser yet. Pairing takes one step.", options);
    case "loading":
      return helpView("The server is loading its models. Exact and fuzzy find work meanwhile.", nothing);
    case "preparing":
      return helpView(
        "The server reads this page. What is found so far is found by letters.",
        html`<progress aria-label="Reading the page" max="1" value=${status.done}></progress>`,
      );
    case "error":
      return helpView(`${status.message.replace(/\.$/, "")}.`, html`${again}${options}`);
    default:
      return nothing;
  }
}

function helpView(text: string, ways: ViewPart): TemplateResult {
  return html`<div class="help">
    <p>${text}</p>
    <div class="ways">${ways}</div>
  </div>`;
}

/** The viewer gives words, but not their places; the reader has both. */
function pdfView(bar: Controller): ViewPart {
  const { pdf, page } = bar.state;
  if (!pdf || !page) return nothing;
  const words =
    page.text === ""
      ? "The browser's PDF viewer gives no text of this file: it may hold pictures only."
      : "The browser's PDF viewer gives its words, not their places: they are listed here.";
  const read = html`<button class="action" @click=${() => void bar.remote.call("openReader")}>
    Read it as plain text
  </button>`;
  return helpView(words, read);
}

function correctionView(bar: Controller): ViewPart {
  const { correction } = bar.state.found;
  if (!correction || correction.to === "" || bar.state.like) return nothing;
  return html`<p class="correction">
    Showing <button class="link" @click=${() => bar.type(correction.to)}>${correction.to}</button>;
    “${correction.from}” is not on this page.
  </p>`;
}

function answersView(bar: Controller): ViewPart {
  const { ask, selection } = bar.state;
  if (!ask || bar.state.like) return nothing;
  const verdict = {
    answered: "",
    guessed: "This page does not say for sure. Perhaps:",
    not_here: "This page does not say.",
    cannot: "That cannot be read off the page as a passage.",
    failed: "The question could not be asked.",
  };
  const words = ask.outcome ? verdict[ask.outcome] : "Reading";
  return html`
    <h2>Answer${ask.answers.length > 1 ? "s" : ""}</h2>
    ${ask.answers.length === 0 || words !== "" ? html`<p class="verdict" role="status">${words} ${ask.message}</p>` : nothing}
    <ul class="answers">
      ${ask.answers.map((answer, index) => answerView(bar, answer, index))}
    </ul>
    ${
      ask.questionId === ""
        ? nothing
        : html`<button class="action" ?disabled=${!selection} @click=${() => void bar.correct()}>
            ${selection ? "The right answer is my selection" : "Select the right answer on the page to correct this"}
          </button>`
    }
  `;
}

function answerView(
  bar: Controller,
  { text, confidence, origin, span }: Answer,
  index: number,
): TemplateResult {
  const percent = Math.round(confidence * 100);
  const wrong = bar.state.ask?.wrong.has(text) ?? false;
  return html`
    <li class="answer ${wrong ? "wrong" : ""}">
      <button class="text" ?disabled=${!span} @click=${() => span && bar.goTo(span)}>${text}</button>
      ${contextView(bar, span)}
      <span class="facts">
        <meter min="0" max="100" value=${percent} aria-label="Confidence"></meter> ${percent} % sure ·
        ${originWords(origin)}
      </span>
      <button class="small" ?disabled=${wrong} @click=${() => void bar.reportWrong(index)}>
        ${wrong ? "Marked wrong" : "Wrong"}
      </button>
    </li>
  `;
}

/** The words around an answer. */
function contextView({ state }: Controller, span: Span | undefined): ViewPart {
  if (!span || !state.page) return nothing;
  const { before, match, after } = snippetOf(state.page.text, span, 60);
  return html`<span class="context">${before}<b>${match}</b>${after}</span>`;
}

function groupsView(bar: Controller): ViewPart {
  const { state } = bar;
  if (state.query.trim() === "" && !state.like) return nothing;
  // Answers stand above, each on its own.
  const groups = groupsOf(bar.matches).filter(({ kind }) => kind !== "answer");
  if (groups.length === 0) {
    const busy = state.searching || state.ask?.running || state.like?.running;
    return busy || (state.ask && !state.like)
      ? nothing
      : html`<p class="verdict">${explainNothing(state)}</p>`;
  }
  const most = state.listed.get(GROUPS_KEY) ?? DEFAULT_GROUPS_LISTED;
  return html`${listActions(bar)} ${groups.slice(0, most).map((group) => groupView(bar, group))}
  ${
    groups.length > most
      ? html`<button class="link more" @click=${() => bar.listMore(GROUPS_KEY, most + DEFAULT_GROUPS_LISTED)}>
          ${most.toLocaleString("en")} of ${groups.length.toLocaleString("en")} names: show more
        </button>`
      : nothing
  }`;
}

/** The list, to take along. */
function listActions(bar: Controller): TemplateResult {
  const action = (form: "text" | "csv" | "markdown", words: string): TemplateResult =>
    html`<button class="action" @click=${() => bar.takeList(form)}>${words}</button>`;
  return html`<div class="ways" role="group" aria-label="Take the list along">
    ${action("text", "Copy names")} ${action("csv", "Save as CSV")} ${action("markdown", "Save as Markdown")}
  </div>`;
}

function explainNothing(state: State): string {
  if (state.queryError !== "") return `Not a regular expression: ${state.queryError}.`;
  if (state.off.size > 0 || state.threshold !== undefined) return "Nothing with these filters.";
  return state.foundBy === "server" || state.foundBy === "inside"
    ? "Nothing on this page means that."
    : "These words are not on this page.";
}

/** What a group's entity is, and why it is there: the fact that decided, in bold where the sentence has it. */
function factsView({ name, kind, description, why }: Group): ViewPart {
  const sentences = describe(name, description);
  const { fact, page } = reasonsOf(name, why);
  const at = fact === "" ? -1 : sentences.toLowerCase().indexOf(fact.toLowerCase());
  const because = kind === "meaning" && name !== KIND_WORDS.meaning ? "Because: " : "";
  const described =
    at < 0
      ? sentences
      : html`${sentences.slice(0, at)}<b>${sentences.slice(at, at + fact.length)}</b>${sentences.slice(at + fact.length)}`;
  return html`
    ${sentences === "" ? nothing : html`<p class="description">${described}</p>`}
    ${at >= 0 || fact === "" ? nothing : html`<p class="why">${because}${fact}</p>`}
    ${page === "" ? nothing : html`<p class="why">${pageWords(page)}</p>`}
  `;
}

/** The person's word about an entity; only a server keeps it. */
function reportView(bar: Controller, { id, name, members }: Group): ViewPart {
  if (id === undefined || bar.state.status.state !== "ready") return nothing;
  return html`<div class="ways reports" role="group" aria-label="Correct ${name}">
    <button class="link" @click=${() => void bar.reportEntity("link", name, members)}>
      This is not the one meant
    </button>
    <button class="link" @click=${() => void bar.reportEntity("text", name, members)}>This is wrong</button>
  </div>`;
}

function groupView(bar: Controller, group: Group): TemplateResult {
  const { name, kind, score, members } = group;
  const { current, listed: wanted } = bar.state;
  const most = wanted.get(group.key) ?? DEFAULT_PLACES_LISTED;
  // The current place is among those listed.
  const first = Math.max(
    0,
    Math.min(members.indexOf(current) - most + DEFAULT_PLACES_LISTED, members.length - most),
  );
  const listed = members.slice(first, first + most);
  return html`
    <div class="group ${kind}">
      <h2>
        <span class="swatch" aria-hidden="true"></span><span class="name">${name}</span>
        <small>${members.length.toLocaleString("en")} × · ${Math.round(score * 100)} %</small>
      </h2>
      ${factsView(group)} ${reportView(bar, group)}
      <ul>
        ${listed.map((index) => placeView(bar, index))}
      </ul>
      ${
        listed.length < members.length
          ? html`<button
              class="link more"
              @click=${() => bar.listMore(group.key, most + MORE_PLACES_A_CLICK)}
            >
              ${first + 1}–${first + listed.length} of ${members.length.toLocaleString("en")}: show more
            </button>`
          : nothing
      }
    </div>
  `;
}

function placeView(bar: Controller, index: number): ViewPart {
  const match = bar.matches[index];
  const { page, current } = bar.state;
  if (!match || !page) return nothing;
  const { before, match: text, after } = snippetOf(page.text, match.span);
  return html`<li>
    <button class="place" aria-current=${index === current ? "true" : "false"} @click=${() => bar.go(index)}>
      ${before}<mark>${text}</mark>${after}
    </button>
  </li>`;
}

function similarView({ ask, like }: State): ViewPart {
  if (!ask || like || ask.similar.length === 0) return nothing;
  return html`
    <h2>Similar questions elsewhere</h2>
    <ul class="questions">
      ${ask.similar.map(
        ({ text, answers, page }) => html`
          <li>
            <span class="question">${text}</span>
            ${answers[0] ? html`<span class="known">${answers[0].text}</span>` : nothing}
            ${
              page && page.url !== ""
                ? html`<a href=${page.url} target="_blank" rel="noopener noreferrer"
                    >${page.title === "" ? page.url : page.title}</a
                  >`
                : nothing
            }
          </li>
        `,
      )}
    </ul>
  `;
}

/** Before anything is typed: what was asked here, and how to use the bar. */
function topView(bar: Controller): ViewPart {
  const { query, topQuestions, like } = bar.state;
  if (query.trim() !== "" || like) return nothing;
  return html`
    ${topQuestions.length === 0 ? nothing : html`<h2>Asked on this page</h2>`}
    <ul class="questions">
      ${topQuestions.map((question) => topQuestionView(bar, question))}
    </ul>
    <p class="keys">
      <kbd>Enter</kbd> next <kbd>Shift</kbd>+<kbd>Enter</kbd> previous <kbd>Alt</kbd>+<kbd>↓</kbd> results
      <kbd>Esc</kbd> close
    </p>
  `;
}

function topQuestionView(bar: Controller, question: Question): TemplateResult {
  return html`<li>
    <button class="ask" @click=${() => bar.showKnownAnswers(question)}>
      ${ICONS.question}<span>${question.text}</span>
    </button>
    <small>${question.count > 1 ? `asked ${question.count} times` : ""}</small>
  </li>`;
}

function likeView(bar: Controller): ViewPart {
  const { like, selection, canLike, page } = bar.state;
  if (!like) {
    if (!canLike || !selection || !page) return nothing;
    const words = page.text.slice(selection.start, selection.end).replace(/\s+/g, " ").slice(0, 60);
    return html`<button class="action like" @click=${() => void bar.startLike()}>
      Find more like “${words}”
    </button>`;
  }
  return html`
    <h2>More like this</h2>
    <p class="why">
      Click a word, or use the arrow keys, to say how much it matters: 0 to ${MAX_TERM_WEIGHT}.
    </p>
    <div class="chips" role="group" aria-label="Words and their weight">
      ${like.terms.map(({ word, weight }, index) => chipView(bar, word, weight, index))}
    </div>
    <button class="action" @click=${() => bar.endLike()}>Back to the query</button>
  `;
}

function chipView(bar: Controller, word: string, weight: number, index: number): TemplateResult {
  const key = (event: KeyboardEvent): void => {
    const to = {
      ArrowUp: weight + 1,
      ArrowRight: weight + 1,
      ArrowDown: weight - 1,
      ArrowLeft: weight - 1,
      Home: 0,
      End: MAX_TERM_WEIGHT,
    }[event.key];
    const typed = /^[0-3]$/.test(event.key) ? Number(event.key) : to;
    if (typed === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    bar.setWeight(index, typed);
  };
  return html`
    <span
      class="chip w${weight}"
      role="slider"
      tabindex="0"
      aria-label=${word}
      aria-valuemin="0"
      aria-valuemax=${MAX_TERM_WEIGHT}
      aria-valuenow=${weight}
      @keydown=${key}
      @click=${() => bar.setWeight(index, weight >= MAX_TERM_WEIGHT ? 0 : weight + 1)}
      >${word}<b aria-hidden="true">${weight}</b></span
    >
  `;
}

/** How complete the answer is. */
function coverageView({ found, page, foundBy, query, closedFrames }: State): ViewPart {
  if (!page || foundBy === undefined || query.trim() === "") return nothing;
  const { coverage } = found;
  const whole = !coverage || coverage.read >= coverage.total;
  const skipped = coverage && coverage.skipped.length > 0 ? ` Left out: ${coverage.skipped.join(", ")}.` : "";
  const by = foundBy === "edge" ? "by letters" : "by meaning and letters";
  const read = whole
    ? closedFrames.length > 0
      ? `The page was searched without what it shows of ${closedFrames.join(", ")}`
      : "The whole page was searched"
    : `${Math.floor((coverage.read / coverage.total) * 100)} % of the page was searched`;
  return html`<p class="coverage">${read} ${by}.${skipped}</p>`;
}

/** What a page keeps closed is searched when that is wanted. */
function unfoldView(bar: Controller): ViewPart {
  const { folded, unfolded, query } = bar.state;
  if (folded === 0 || unfolded || query.trim() === "") return nothing;
  return html`<button class="action" @click=${() => bar.unfold()}>
    Search ${folded === 1 ? "the closed part" : `the ${folded.toLocaleString("en")} closed parts`}, too
  </button>`;
}

/** The same in other tabs: offered, then listed by tab. */
function tabsView(bar: Controller): ViewPart {
  const { tabs, query } = bar.state;
  // Firefox lets a frame inside a page ask for no rights.
  if (query.trim() === "" || !(chrome as Partial<typeof chrome>).permissions) return nothing;
  if (!tabs)
    return html`<button id="tabs" class="action" @click=${() => void bar.tabs.search()}>
      Find in all open tabs
    </button>`;
  const closed = tabs.closed > 0 ? ` ${tabs.closed.toLocaleString("en")} cannot be looked into.` : "";
  return html`
    <h2>Other tabs</h2>
    <p class="verdict" role="status">
      ${tabs.running ? "Searching" : tabs.found.length === 0 ? "Nothing found" : `Found in ${tabs.found.length}`}
      of ${tabs.searched.toLocaleString("en")} other tabs.${closed}
    </p>
    ${tabs.found.map(
      ({ tab, title, page, spans }) => html`
        <div class="group tab">
          <h2>
            <span class="name">${title === "" ? page.url : title}</span>
            <small>${spans.length.toLocaleString("en")} ×</small>
          </h2>
          <ul>
            ${spans.slice(0, MAX_PLACES_A_TAB).map((span) => {
              const { before, match, after } = snippetOf(page.text, span);
              return html`<li>
                <button class="place" @click=${() => bar.showTab(tab)}>
                  ${before}<mark>${match}</mark>${after}
                </button>
              </li>`;
            })}
          </ul>
        </div>
      `,
    )}
  `;
}
