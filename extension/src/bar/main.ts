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

if (root && nonce !== "") void start(root);

async function start(root: HTMLElement): Promise<void> {
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
    // After the drawing that the same change brings.
    () => setTimeout(() => field()?.select()),
  );
  const link = await PageLink.connect(nonce, tab === null ? undefined : Number(tab), {
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
  render(barView(bar), root);
  field()?.focus();
  document.addEventListener("keydown", (event) => handleKey(bar, event));
  new ResizeObserver(() =>
    link.say({ type: "height", pixels: Math.ceil(root.getBoundingClientRect().height) }),
  ).observe(root);
  void bar.placement.recall();
  void bar.connect();
}

function field(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>("#query");
}
