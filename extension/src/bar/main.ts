/** The find bar's page: joins the controller to the page's script, the service worker, the keyboard and the screen. */

import { render } from "lit-html";
import { Remote } from "../remote";
import { Controller } from "./controller";
import { handleKey } from "./keys";
import { PageLink } from "./link";
import { barView } from "./view";

const root = document.querySelector("main");
const nonce = location.hash.slice(1);
/** The page's tab, where the bar is in a window of its own. */
const tab = new URLSearchParams(location.search).get("tab");

if (root && nonce !== "") start(root);

function start(root: HTMLElement): void {
  let drawn = false;
  const bar: Controller = new Controller(
    new Remote(),
    (message) => link.say(message),
    () => {
      if (drawn) return;
      drawn = true;
      queueMicrotask(() => {
        drawn = false;
        render(barView(bar), root);
      });
    },
    // After the drawing that the same change brings, and before the next key.
    () => queueMicrotask(() => field()?.select()),
  );
  const link = new PageLink({
    page: (news) => bar.pageRead(news),
    other: (message) => {
      bar.pageSaid(message);
      if (message.type === "opened") field()?.focus();
    },
    lost: () => {
      root.replaceChildren();
      if (tab !== null) window.close();
    },
  });
  // Everything hears keys before the page learns that the bar is there, and stops to catch them.
  render(barView(bar), root);
  document.addEventListener("keydown", (event) => handleKey(bar, event));
  let isAway = false;
  window.addEventListener("blur", () => (isAway = true));
  // The page gives the focus to the bar alone. When it comes back, what the query was is replaced by what is typed now.
  window.addEventListener("focus", () => {
    if (document.activeElement !== document.body) return;
    field()?.focus();
    if (isAway) {
      bar.caught.noteFocus(bar.state.query);
      bar.markQuery();
    }
    isAway = false;
  });
  field()?.focus();
  void link.connect(nonce, tab === null ? undefined : Number(tab));
  new ResizeObserver(() =>
    link.say({ type: "height", pixels: Math.ceil(root.getBoundingClientRect().height) }),
  ).observe(root);
  void bar.placement.recall();
  void bar.connect();
}

function field(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>("#query");
}
