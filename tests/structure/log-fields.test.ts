import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Its line is written when the answer closes, outside the request's own context. */
const OF_REQUESTS = "app/server/pipeline/log-requests.server.ts";

test("no line of the log has a requestId of its own: it would replace the id of the request that the line belongs to", () => {
  const files = globSync("app/**/*.{ts,tsx}").filter((file) => file !== OF_REQUESTS);
  const lines = files.flatMap((file) => fieldsIn(file, readFileSync(file, "utf8")));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter(({ fields }) => fields.includes("requestId")).map(({ at }) => at)).toEqual([]);
});

test("the field is found", () => {
  const text = 'log.warn({ requestId }, "a"); log[level]({ ...{ requestId: id } }, "b"); log.info("c");';
  expect(fieldsIn("x.ts", text).map(({ fields }) => fields)).toEqual([["requestId"], ["requestId"], []]);
});

/** The calls of the log, each with the names of its fields. */
function fieldsIn(file: string, text: string): { at: string; fields: string[] }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { at: string; fields: string[] }[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && isOfLog(node.expression)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ at: `${file}:${line + 1}`, fields: node.arguments.slice(0, 1).flatMap(namesOf) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `log.warn`, `log[level]` */
function isOfLog(node: ts.Expression): boolean {
  const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  return isMember && node.expression.getText() === "log";
}

/** The names in an object literal, also in one that is spread into it. */
function namesOf(node: ts.Expression): string[] {
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property) =>
    ts.isSpreadAssignment(property) ? namesOf(property.expression) : [property.name.getText()],
  );
}
