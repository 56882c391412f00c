import { expect, test } from "vitest";
import { describe, pageWords, reasonsOf } from "../../src/bar/describing";

test.each([
  [
    "WeChat",
    "Chinese messaging app; developed by Tencent; released in 2011; China's app for everything",
    "WeChat is a Chinese messaging app. Developed by Tencent, released in 2011.",
  ],
  [
    "Prague",
    "capital city of the Czech Republic; 1,3 million people",
    "Prague is the capital city of the Czech Republic.",
  ],
  [
    "Jane Austen",
    "English novelist; 1775–1817; known for six novels",
    "Jane Austen was an English novelist. Known for six novels.",
  ],
  ["Danube", "Europe's second longest river", "Danube is Europe's second longest river."],
  ["Siemens", "derived unit of conductance", "Siemens is a derived unit of conductance."],
  ["EU", "union of states; founded in 1993", "EU is a union of states. Founded in 1993."],
  ["UCL", "university in London", "UCL is a university in London."],
  ["Amber", "one of the stones", "Amber is one of the stones."],
  ["X", "born in 1815; 1815", "Born in 1815."],
  ["X", "", ""],
])("%s", (name, known, sentences) => {
  expect(describe(name, known)).toBe(sentences);
});

test.each([
  ["WeChat: developed by Tencent", { fact: "developed by Tencent", page: "" }],
  ["WeChat: an app; the page: the app of all apps", { fact: "an app", page: "the app of all apps" }],
  ["WeChat; the page: the app", { fact: "", page: "the app" }],
  ["what the page says about WeChat", { fact: "what the page says about WeChat", page: "" }],
])("%s", (why, reasons) => {
  expect(reasonsOf("WeChat", why)).toEqual(reasons);
});

test.each([
  ["column: App", "It stands in a column “App”."],
  ["the app of all apps; under: Notes", "This page says: the app of all apps. It stands under “Notes”."],
  ["", ""],
])("%s", (page, words) => {
  expect(pageWords(page)).toBe(words);
});
