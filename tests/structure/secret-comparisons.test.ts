import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const NAMED_SECRET = /signature|assinatura|secret|token|hash|sign\(|password|verifier/i;
/** Where no attacker controls either side: two hashes of ours, and the environment beside the demo's secrets. */
const OURS = [
  "app/domain/mail/resend/connect-resend.server.ts",
  "app/platform/env.server.ts",
  "app/routes/seller/settings/email/tabs.server.ts",
];
/** A new password beside its repetition. */
const TYPED_TWICE = /\.confirmPassword$/;

test("no secret is compared by === or !==, whose time reveals where two texts differ", () => {
  const files = globSync("app/**/*.server.{ts,tsx}").filter((file) => !OURS.includes(file));
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((file) => comparisonsIn(file))).toEqual([]);
});

test("the comparison is found", () => {
  expect(comparisonsIn("x.ts", 'if (query.get("assinatura") !== signature(id)) throw 1')).toHaveLength(1);
  expect(comparisonsIn("x.ts", 'if (token === "" || secret === null) throw 1')).toEqual([]);
});

function comparisonsIn(file: string, text = readFileSync(file, "utf8")): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isBinaryExpression(node) && isEquality(node.operatorToken.kind)) {
      const sides = [node.left, node.right];
      if (
        !sides.some((side) => isPlain(side) || TYPED_TWICE.test(side.getText())) &&
        sides.some((side) => NAMED_SECRET.test(side.getText()))
      )
        found.push(`${file}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isEquality(kind: ts.SyntaxKind): boolean {
  return [
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ts.SyntaxKind.EqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsToken,
  ].includes(kind);
}

/** Nothing, a constant of ours, or a number: no secret to be guessed. */
function isPlain(side: ts.Expression): boolean {
  return (
    ts.isStringLiteral(side) ||
    ts.isNumericLiteral(side) ||
    side.kind === ts.SyntaxKind.NullKeyword ||
    side.kind === ts.SyntaxKind.TrueKeyword ||
    side.kind === ts.SyntaxKind.FalseKeyword ||
    side.getText() === "undefined"
  );
}
