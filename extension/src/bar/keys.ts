/** The bar's keyboard: everything can be done without a mouse. */

import type { Controller } from "./controller";
import { isQuestion } from "./state";
import { LITERAL_KEYS } from "./view";

export function handleKey(bar: Controller, event: KeyboardEvent): void {
  if (event.isComposing || !event.isTrusted) return;
  const { key, shiftKey, altKey } = event;
  const command = event.ctrlKey || event.metaKey;
  // The page can give the focus to the bar alone, not to its field: keys are meant for the query.
  const inBody = event.target === document.body;
  const inQuery = inBody || (event.target instanceof HTMLElement && event.target.id === "query");
  const literal = LITERAL_KEYS.find((each) => event.code === `Key${each.key.toUpperCase()}`);
  const again = key === "F3" || (command && key.toLowerCase() === "g");
  if (again) bar.step(shiftKey ? -1 : 1);
  else if (literal && altKey && !command && !shiftKey) bar.toggleLiteral(literal.option);
  else if (event.code === "KeyI" && altKey && !command && !shiftKey) bar.toggleFields();
  else if (key === "Escape") handleEscape(bar, inQuery);
  else if (inQuery && key === "Enter" && !altKey) handleEnter(bar, shiftKey);
  else if (inQuery && (key === "ArrowDown" || key === "ArrowUp"))
    handleArrow(bar, key === "ArrowDown" ? 1 : -1, altKey);
  else if (!inQuery && (key === "ArrowDown" || key === "ArrowUp") && isPlace(event.target))
    moveFocus(key === "ArrowDown" ? 1 : -1);
  else {
    // The browser puts the letter where the focus is now.
    if (inBody && (key.length === 1 || key === "Backspace") && !command && !altKey) focusQuery();
    return;
  }
  event.preventDefault();
}

function handleEscape(bar: Controller, inQuery: boolean): void {
  if (inQuery && bar.state.suggestion >= 0) bar.update({ suggestion: -1, suggestions: [] });
  else bar.close();
}

function handleEnter(bar: Controller, back: boolean): void {
  const { suggestion, query, ask } = bar.state;
  if (suggestion >= 0) bar.takeSuggestion(suggestion);
  else if (isQuestion(query) && ask?.question !== query && bar.state.status.state === "ready")
    void bar.ask(query);
  else if (back || !bar.goToAnswer()) bar.step(back ? -1 : 1);
}

function handleArrow(bar: Controller, by: 1 | -1, toPanel: boolean): void {
  const { query, recent } = bar.state;
  if (query === "" && recent.length > 0 && bar.state.suggestions.length === 0 && !toPanel)
    bar.suggestRecent();
  const { suggestions, suggestion } = bar.state;
  if (suggestions.length > 0 && !toPanel) {
    const places = suggestions.length + 1;
    bar.update({ suggestion: ((suggestion + 1 + by + places) % places) - 1 });
    return;
  }
  bar.update({ panelOpen: true, suggestions: [] });
  setTimeout(() => document.querySelector<HTMLElement>("#panel button")?.focus());
}

function isPlace(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("#panel") !== null && target instanceof HTMLButtonElement
  );
}

/** From one button of the panel to the next; past the first, back to the query. */
function moveFocus(by: 1 | -1): void {
  const buttons = [...document.querySelectorAll<HTMLElement>("#panel button:not(:disabled)")];
  const at = buttons.findIndex((button) => button === document.activeElement) + by;
  if (at < 0) focusQuery();
  else buttons[Math.min(at, buttons.length - 1)]?.focus();
}

function focusQuery(): void {
  document.querySelector<HTMLElement>("#query")?.focus();
}
