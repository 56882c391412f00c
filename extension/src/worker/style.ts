/**
 * How places look. Kinds differ by underline as well as by colour, and the current place is inverted with a double
 * underline, so that none is told by colour alone. Set on the root alone: highlights inherit, and the browser need not
 * look at every element again.
 */
export const HIGHLIGHT_STYLE = `
:root::highlight(findall-exact) { background-color: #fde68a !important; color: #1c1917 !important; }
:root::highlight(findall-meaning), :root::highlight(findall-value) {
  background-color: #99f6e4 !important; color: #042f2e !important;
  text-decoration: underline 2px solid #0f766e !important;
}
:root::highlight(findall-fuzzy) {
  background-color: #e9d5ff !important; color: #2e1065 !important;
  text-decoration: underline 2px dashed #7c3aed !important;
}
:root::highlight(findall-answer) {
  background-color: #bbf7d0 !important; color: #052e16 !important;
  text-decoration: underline 3px solid #15803d !important;
}
:root::highlight(findall-current) {
  background-color: #1e3a8a !important; color: #ffffff !important;
  text-decoration: underline 4px double #fbbf24 !important;
  text-decoration-skip-ink: none !important;
}
@media (forced-colors: active) {
  :root::highlight(findall-exact), :root::highlight(findall-meaning), :root::highlight(findall-value),
  :root::highlight(findall-fuzzy), :root::highlight(findall-answer) {
    background-color: Mark !important; color: MarkText !important;
  }
  :root::highlight(findall-current) {
    background-color: Highlight !important; color: HighlightText !important;
    text-decoration: underline 4px double HighlightText !important;
  }
}
`;
