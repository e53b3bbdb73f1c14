import { readFileSync } from "node:fs";
import ts from "typescript";

/** One fault: in `file`, the characters from `start` to `end` are replaced by `text`. `line` counts from 1. */
export type Mutant = { file: string; line: number; start: number; end: number; text: string; what: string };

const SWAPPED: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
  [ts.SyntaxKind.PlusToken]: "-",
  [ts.SyntaxKind.MinusToken]: "+",
  [ts.SyntaxKind.AsteriskToken]: "/",
  [ts.SyntaxKind.SlashToken]: "*",
};

/** In SQL: another comparison, a condition that is always true, the other of two states. */
const SQL: [RegExp, (found: RegExpExecArray) => string][] = [
  [/ is not null/g, () => " is null"],
  [/ is null/g, () => " is not null"],
  [/ (<|>|<=|>=) /g, ([, sign]) => (sign!.startsWith("<") ? " > " : " < ")],
  [/ and (not )?exists/g, ([, not]) => (not ? " and exists" : " and not exists")],
  [/ desc\b/g, () => " asc"],
  [/\bfor update\b(?! skip)/g, () => ""],
  [/ on conflict do nothing/g, () => ""],
  [/least\(/g, () => "greatest("],
  [/greatest\(/g, () => "least("],
];

/** Every fault that can be put into a file. */
export function findMutants(file: string): Mutant[] {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (start: number, end: number, to: string, what: string) =>
    found.push({
      file,
      start,
      end,
      text: to,
      what,
      line: source.getLineAndCharacterOfPosition(start).line + 1,
    });
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node)) return;
    mutate(node, source, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text of a mutant's file with its fault. */
export function insertFault({ start, end, text }: Mutant, original: string): string {
  const changed = original.slice(0, start) + text + original.slice(end);
  // Else it would be noticed wherever the line runs.
  const needsImport = text === "ne" && !/^import \{[^}]*\bne\b[^}]*\} from "drizzle-orm";/m.test(original);
  return needsImport ? `${changed}\nimport { ne } from "drizzle-orm";\n` : changed;
}

type Add = (start: number, end: number, to: string, what: string) => void;

function mutate(node: ts.Node, source: ts.SourceFile, add: Add): void {
  if (ts.isBinaryExpression(node) && !isTuning(node)) swapOperator(node, source, add);
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) negate(node, source, add);
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
    add(
      node.getStart(source),
      node.end,
      node.kind === ts.SyntaxKind.TrueKeyword ? "false" : "true",
      "the other boolean",
    );
  if (ts.isNumericLiteral(node) && Number(node.text) > 1 && !isTuning(node))
    add(node.getStart(source), node.end, String(Number(node.text) + 1), "one more");
  if (ts.isExpressionStatement(node) && isCall(node.expression))
    add(node.getStart(source), node.end, ";", "a call left out");
  if (ts.isCallExpression(node)) dropCondition(node, source, add);
  if (
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  )
    if (isSql(node)) mutateSql(node, source, add);
}

/** Constants that change how long or how many at once, and nothing that anybody sees: no test asserts them. */
const TUNING =
  /LEASE|TIMEOUT|INTERVAL|WAIT|DELAY|POLL|PAUSE|BACKOFF|RESERVATION|BATCH|AT_ONCE|COUNTED|UNBUFFERED|^(concurrency|pollInterval)$/;

/** Whether a number or an expression is the value of such a constant, or of a queue's option of that name. */
function isTuning(node: ts.Node): boolean {
  for (let up = node.parent; up && !ts.isBlock(up); up = up.parent) {
    if (ts.isPropertyAssignment(up) && TUNING.test(up.name.getText())) return true;
    if (ts.isVariableDeclaration(up)) return TUNING.test(up.name.getText());
  }
  return false;
}

function swapOperator(node: ts.BinaryExpression, source: ts.SourceFile, add: Add): void {
  const to = SWAPPED[node.operatorToken.kind];
  // A plus between strings would be nonsense, not a fault.
  const joins = /["'`]/.test(node.left.getText(source) + node.right.getText(source));
  if (to && !(joins && /[+-]/.test(to)))
    add(
      node.operatorToken.getStart(source),
      node.operatorToken.end,
      to,
      `${node.operatorToken.getText(source)} as ${to}`,
    );
}

function negate(node: ts.IfStatement | ts.ConditionalExpression, source: ts.SourceFile, add: Add): void {
  const condition = ts.isIfStatement(node) ? node.expression : node.condition;
  add(
    condition.getStart(source),
    condition.end,
    `!(${condition.getText(source)})`,
    "a condition turned round",
  );
}

function isCall(node: ts.Expression): boolean {
  return ts.isCallExpression(ts.isAwaitExpression(node) ? node.expression : node);
}

/** Drizzle's `and(a, b)` without one of its conditions; `eq` as `ne`. */
function dropCondition(node: ts.CallExpression, source: ts.SourceFile, add: Add): void {
  const name = node.expression.getText(source);
  if (name === "eq") add(node.expression.getStart(source), node.expression.end, "ne", "eq as ne");
  if (name !== "and" || node.arguments.length < 2) return;
  for (const [at, argument] of node.arguments.entries()) {
    const next = node.arguments[at + 1];
    const [start, end] = next
      ? [argument.getStart(source), next.getStart(source)]
      : [node.arguments[at - 1]!.end, argument.end];
    add(start, end, "", `a condition left out: ${argument.getText(source)}`);
  }
}

/** Whether a part of a template belongs to one tagged `sql`, `tx` or the like. */
function isSql(node: ts.Node): boolean {
  for (let up: ts.Node | undefined = node; up && !ts.isStatement(up); up = up.parent)
    if (ts.isTaggedTemplateExpression(up)) return /^(sql|tx|db)\b/.test(up.tag.getText());
  return false;
}

function mutateSql(node: ts.Node, source: ts.SourceFile, add: Add): void {
  const from = node.getStart(source);
  const text = source.text.slice(from, node.end);
  for (const [pattern, to] of SQL)
    for (const found of text.matchAll(pattern)) {
      const start = from + found.index;
      add(
        start,
        start + found[0].length,
        to(found as RegExpExecArray),
        `SQL:${found[0]} as${to(found as RegExpExecArray) || " nothing"}`,
      );
    }
}
