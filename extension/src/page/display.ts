/**
 * What an element does to the text, by its name and its computed style: hide it, keep its spaces, break lines around
 * it. Names give the same breaks as the engine's HTML reader; styles correct them to what is seen.
 */

export interface Display {
  /** Neither it nor anything inside is seen. */
  gone: boolean;
  /** Text directly inside is seen; what lies deeper may be either way. */
  shows: boolean;
  newlines: number;
  cell: boolean;
  lineBreak: boolean;
  heading: boolean;
  /** Letters show the background through them, so that they are seen though they have no colour. */
  cutsOut: boolean;
  /** What becomes of whitespace: collapsed, collapsed but for line ends, or kept. */
  spaces: "collapsed" | "lines" | "kept";
}

const UNREAD_ELEMENTS = new Set(
  (
    "script style template noscript object embed noembed noframes datalist rp audio video canvas head title meta link " +
    "base input textarea select option optgroup progress meter desc defs metadata symbol"
  ).split(" "),
);
const PARAGRAPH_ELEMENTS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol dl blockquote table figure hr pre listing xmp iframe frame".split(" "),
);
const HEADING_NAME = /^h[1-6]$/;

const UNSEEN_DISPLAY: Display = {
  gone: true,
  shows: false,
  newlines: 0,
  cell: false,
  lineBreak: false,
  heading: false,
  cutsOut: false,
  spaces: "collapsed",
};

/** `unfold` reads what a closed `<details>` holds, too. */
export function displayOf(element: Element, parent: Display | undefined, unfold: boolean): Display {
  const name = element.localName;
  if (UNREAD_ELEMENTS.has(name)) return UNSEEN_DISPLAY;
  const style = getComputedStyle(element);
  const display = style.display;
  if (display === "none" || style.contentVisibility === "hidden") return UNSEEN_DISPLAY;
  if (name === "br") return { ...UNSEEN_DISPLAY, gone: false, lineBreak: true };
  if ((!unfold && isFolded(element)) || isClipped(style) || isTransparent(style) || isAside(style))
    return UNSEEN_DISPLAY;
  const inline = display === "inline" || display === "contents" || display.startsWith("ruby");
  // Icons and ornaments; but whole pages behind an open dialog carry the mark too, and those are to be read.
  if (inline && element.getAttribute("aria-hidden") === "true") return UNSEEN_DISPLAY;
  const cell = display === "table-cell";
  const cutsOut = (parent?.cutsOut ?? false) || style.backgroundClip === "text";
  const flows =
    inline || cell || display === "inline-block" || display === "inline-flex" || display === "inline-grid";
  return {
    gone: false,
    shows:
      style.visibility === "visible" &&
      style.fontSize !== "0px" &&
      (unfold || !isClosed(element)) &&
      (cutsOut || hasColour(style)) &&
      parseFloat(style.textIndent) > -MIN_OFFSCREEN_PX,
    cutsOut,
    newlines: flows || isDrawn(element) ? 0 : PARAGRAPH_ELEMENTS.has(name) ? 2 : 1,
    cell,
    lineBreak: false,
    heading: HEADING_NAME.test(name),
    spaces: spacesOf(style, parent),
  };
}

function spacesOf(style: CSSStyleDeclaration, parent: Display | undefined): Display["spaces"] {
  switch (style.getPropertyValue("white-space-collapse")) {
    case "preserve":
    case "break-spaces":
      return "kept";
    case "preserve-breaks":
      return "lines";
    case "":
      return parent?.spaces ?? "collapsed";
    default:
      return "collapsed";
  }
}

function isDrawn(element: Element): boolean {
  return element.namespaceURI !== "http://www.w3.org/1999/xhtml";
}

export function isClosed(element: Element): boolean {
  return element.localName === "details" && !element.hasAttribute("open");
}

/** Inside a closed `<details>` only its summary is seen. */
function isFolded(element: Element): boolean {
  const parent = element.parentElement;
  return parent !== null && isClosed(parent) && element !== parent.querySelector(":scope > summary");
}

/** Pixels from the page at which text is put out of sight; what slides in from the side stands nearer. */
const MIN_OFFSCREEN_PX = 3000;

/** Clipped to nothing, as text meant for screen readers alone is, or folded to no height. */
function isClipped(style: CSSStyleDeclaration): boolean {
  const clips = style.overflowX === "hidden" || style.overflowX === "clip";
  const tiny = (size: string): boolean => /^[01](\.\d+)?px$/.test(size);
  if (clips && (style.height === "0px" || (tiny(style.height) && tiny(style.width)))) return true;
  if (style.position !== "absolute" && style.position !== "fixed") return false;
  if (/^rect\((0|1)px,? (0|1)px,? (0|1)px,? (0|1)px\)$/.test(style.getPropertyValue("clip"))) return true;
  return /^inset\((50|100)%\)$/.test(style.clipPath);
}

/** Not drawn at all. What fades in when the view comes near is drawn by then. */
function isTransparent(style: CSSStyleDeclaration): boolean {
  if (style.opacity !== "0") return false;
  const fades = style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0);
  return !(fades && style.pointerEvents !== "none");
}

/** Put where no scrolling leads. */
function isAside(style: CSSStyleDeclaration): boolean {
  if (style.position !== "absolute" && style.position !== "fixed") return false;
  return parseFloat(style.left) < -MIN_OFFSCREEN_PX || parseFloat(style.top) < -MIN_OFFSCREEN_PX;
}

/** Whether letters are painted: a colour that is seen, a filling, or a shadow in their shape. */
function hasColour(style: CSSStyleDeclaration): boolean {
  const filling = style.getPropertyValue("-webkit-text-fill-color");
  return !/^rgba\(.*, 0\)$/.test(filling) || style.textShadow !== "none";
}
