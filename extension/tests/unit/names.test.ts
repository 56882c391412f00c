/**
 * Names and lengths in `src`, as `scripts/check_names.py` has them for the engine: what a newcomer searches for is found
 * once, says what it is where it is used, and can be read at once.
 */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const MAX_FILE_LINES = 500;
const MAX_FUNCTION_LINES = 80;
/** What a number counts: so many of it, or so many of one thing in another. */
const BOUND_OR_UNIT = /^(MIN|MAX|DEFAULT)_[A-Z]|_(MS|PX|SHARE|FACTOR)$|_A_[A-Z]+$|^MILLIONTHS$/;
/** MIN_, MAX_ and DEFAULT_ say it, and are searched for. */
const SUPERLATIVE = /^(MOST|LEAST|[A-Z]+EST)(_|$)/;
/** Alone they are no thing that can be counted, matched or shown. */
const NO_NOUNS = new Set("ABOVE AFTER AGAIN ALL BEFORE BEYOND FAR GONE MORE NEAR NOTHING OVER".split(" "));
/** A function does something to something: no adverb, and nothing that has been done or is being done. */
const NO_VERB = /^(anew|told|heard|wrong|[a-z]+ed|[a-z]{2,}ing)(?![a-z])/;
/** Verbs in spite of their endings, and what callbacks of the browser are called. */
const VERBS = /^(need|embed|bring|ring|string)(?![a-z])/;
/** What is or was done says only whether; a thing has a noun. */
const PARTICIPLE = /^([a-z]+(ed|ing)|shown|drawn)$/;

const src = fileURLToPath(new URL("../../src", import.meta.url));

/** Every file but those that are made by a program. */
const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith("contract.ts"))
  .sort()
  .map((path) =>
    ts.createSourceFile(path, readFileSync(join(src, path), "utf8"), ts.ScriptTarget.Latest, true),
  );

/** Every node of a file, with what it holds. */
function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesIn(child);
}

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function placeOf(node: ts.Node): string {
  return `${node.getSourceFile().fileName}:${lineOf(node)}`;
}

function isNumber(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return isNumber(node.left) && isNumber(node.right);
  if (ts.isParenthesizedExpression(node)) return isNumber(node.expression);
  return ts.isNumericLiteral(node) || (ts.isIdentifier(node) && /^[A-Z_]+$/.test(node.text));
}

/** The constants of a file's outermost level, in capital letters. */
function constantsIn(source: ts.SourceFile): ts.VariableDeclaration[] {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ name }) => /^[A-Z][A-Z\d_]*$/.test(name.getText()));
}

test("a type is defined once", () => {
  const defined = new Map<string, string[]>();
  for (const source of sources)
    for (const node of source.statements)
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) {
        const name = node.name?.text ?? "";
        defined.set(name, [...(defined.get(name) ?? []), placeOf(node)]);
      }
  expect([...defined].filter(([, places]) => places.length > 1)).toEqual([]);
});

test("a number says whether it is a bound, and what it counts", () => {
  const offences = sources.flatMap(constantsIn).filter(({ name, initializer }) => {
    const text = name.getText();
    if (SUPERLATIVE.test(text) || NO_NOUNS.has(text)) return true;
    return initializer !== undefined && isNumber(initializer) && !BOUND_OR_UNIT.test(text);
  });
  expect(offences.map((node) => `${placeOf(node)}: ${node.name.getText()}`)).toEqual([]);
});

test("a field of a class is a thing, or says whether", () => {
  const offences: string[] = [];
  for (const node of sources.flatMap((source) => [...nodesIn(source)])) {
    const isField =
      ts.isPropertyDeclaration(node) ||
      (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent));
    if (!isField || !PARTICIPLE.test(node.name.getText())) continue;
    const kind = node.initializer?.kind;
    const says = kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword;
    if (!says && node.type?.kind !== ts.SyntaxKind.BooleanKeyword)
      offences.push(`${placeOf(node)}: ${node.name.getText()}`);
  }
  expect(offences).toEqual([]);
});

test("a function has a verb, and can be read at once", () => {
  const offences: string[] = [];
  for (const node of sources.flatMap((source) => [...nodesIn(source)])) {
    if (!ts.isFunctionLike(node) || !("body" in node)) continue;
    const name = node.name?.getText() ?? "";
    const named = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    if (named && NO_VERB.test(name) && !VERBS.test(name)) offences.push(`${placeOf(node)}: ${name}`);
    const lines = node.getText().split("\n").length;
    if (lines > MAX_FUNCTION_LINES) offences.push(`${placeOf(node)}: ${name} has ${lines} lines`);
  }
  expect(offences).toEqual([]);
});

test("a file is no longer than can be read at once", () => {
  const long = sources.filter((source) => source.getLineStarts().length > MAX_FILE_LINES);
  expect(long.map(({ fileName }) => fileName)).toEqual([]);
});
