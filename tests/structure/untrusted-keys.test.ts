import { relative, resolve } from "node:path";
import ts from "typescript";
import { expect } from "vitest";
import { longTest } from "#tests/support/run/ways.ts";

/**
 * `LABELS[word]` finds `constructor` and `__proto__` too, if the word came from outside. So a plain object is never
 * indexed with an arbitrary text: `pick(LABELS, word)` reads only own entries, and so does a `Map`.
 */
const root = resolve(".");
const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, include: ["app"] }, ts.sys, root);

const host = hostOf(options);

/** `pick` itself, and the form library's field lists: proxies that make a field for any name. */
const ALLOWED = [/^app\/kit\/pick\.ts/, /^app\/(ui|routes)\/seller\/\S+\.tsx?:\d+ fields\[/];

longTest("no plain object is indexed with an arbitrary text", () => {
  expect(fileNames.length).toBeGreaterThan(300);
  const lookups = lookupsIn(ts.createProgram(fileNames, options, host));
  expect(lookups.filter((location) => !ALLOWED.some((allowed) => allowed.test(location)))).toEqual([]);
});

longTest.each([
  ["const LABELS: Record<string, string> = {}; LABELS[word];", ["LABELS[word]"]],
  ["const LABELS: Record<string, string> = {}; LABELS[word] = 'x';", ["LABELS[word]"]],
  ["const LABELS = { a: 1 }; LABELS[word as keyof typeof LABELS];", ["LABELS[word as keyof typeof LABELS]"]],
  ["const LABELS = { a: 1 }; word in LABELS;", ["word in LABELS"]],
  ["const LABELS = { a: 1 }; const key: keyof typeof LABELS = 'a'; LABELS[key]; LABELS['a'];", []],
  ["const list = ['a']; list[0]; list[word.length]; word[0]; [...word][1];", []],
])("the check judges %s", (line, expected) => {
  expect(lookupsIn(programOf(`declare const word: string; ${line}`))).toEqual(expected);
});

/** Each place that indexes a plain object with an open key, as `file:line text`; of a single line just the text. */
function lookupsIn(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const wrong: string[] = [];
  for (const source of program.getSourceFiles()) {
    if (!/\/app\/[^:]*\.tsx?$/.test(source.fileName) || source.isDeclarationFile) continue;
    const visit = (node: ts.Node) => {
      if (isOpenKey(node, checker)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        const at = line > 0 ? `${relative(root, source.fileName)}:${line + 1} ` : "";
        wrong.push(at + node.getText());
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return wrong;
}

function isOpenKey(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isElementAccessExpression(node))
    return isOpen(node.argumentExpression, checker) && isPlain(node.expression, checker);
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
    isOpen(node.left, checker) &&
    isPlain(node.right, checker)
  );
}

/** Whether a key may be any text. An assertion states only what we hope, so the type under it counts. */
function isOpen(key: ts.Expression, checker: ts.TypeChecker): boolean {
  let bare = key;
  while (ts.isAsExpression(bare) || ts.isParenthesizedExpression(bare) || ts.isNonNullExpression(bare))
    bare = bare.expression;
  const kinds = ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  const type = checker.getTypeAtLocation(bare);
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & kinds);
}

/** Arrays and texts have numbers for keys. */
function isPlain(object: ts.Expression, checker: ts.TypeChecker): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(object));
  return !checker.isArrayLikeType(type) && !(type.flags & ts.TypeFlags.StringLike);
}

/** A program of one line, over the compiler's own library. */
function programOf(text: string): ts.Program {
  const name = `${root}/app/line.ts`;
  const getSourceFile: ts.CompilerHost["getSourceFile"] = (file, target) =>
    file === name ? ts.createSourceFile(file, text, target, true) : host.getSourceFile(file, target);
  return ts.createProgram([name], { ...options, types: [] }, { ...host, getSourceFile });
}

/** A host that reads each file once, for all programs. */
function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const known = new Map<string, ts.SourceFile | undefined>();
  return {
    ...host,
    getSourceFile(file, target) {
      if (!known.has(file)) known.set(file, host.getSourceFile(file, target));
      return known.get(file);
    },
  };
}
