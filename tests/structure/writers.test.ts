import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** The files that may write each table's `status`, and those that may record events. Others call them. */
const WRITERS: Record<string, string[]> = {
  "sales.status": ["app/domain/sale/move-sale.server.ts"],
  "charges.status": ["app/domain/charge/move-charge.server.ts"],
  "refunds.status": ["app/domain/charge/move-refund.server.ts"],
  "disputes.status": ["app/domain/sale/dispute/move-dispute.server.ts"],
};
const INSERTERS: Record<string, string[]> = {
  sales: ["app/domain/order/insert-sale.server.ts", "app/domain/order/accept-upsell.server.ts"],
  charges: ["app/domain/charge/move-charge.server.ts"],
  refunds: ["app/domain/charge/move-refund.server.ts"],
  disputes: ["app/domain/sale/dispute/move-dispute.server.ts"],
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

/** The tables whose status a file sets: `.update(table).set({ status … })` and `update table set … status =` in SQL. */
function statusesWritten(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression: on } = node.expression;
      if (name.text === "set" && ts.isCallExpression(on) && ts.isPropertyAccessExpression(on.expression)) {
        const table = on.arguments[0]?.getText() ?? "";
        const sets = node.arguments[0]?.getText() ?? "";
        if (on.expression.name.text === "update" && /\bstatus\b/.test(sets)) found.push(`${table}.status`);
      }
      if (name.text === "insert") found.push(`insert ${node.arguments[0]?.getText() ?? ""}`);
    }
    if (ts.isTemplateLiteral(node) || ts.isStringLiteral(node))
      for (const table of ["sales", "charges", "refunds", "disputes"])
        if (
          new RegExp(
            `update\\s+(\\$\\{)?${table}\\b[^;]{0,80}\\bset\\b(?:(?!\\bwhere\\b)[^;]){0,200}\\bstatus\\s*=`,
          ).test(node.getText())
        )
          found.push(`${table}.status`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("a sale's, a charge's, a refund's and a dispute's state has one writer each", () => {
  const seen = new Set<string>();
  for (const file of filesBelow("app"))
    for (const what of statusesWritten(file)) {
      const allowed = what.startsWith("insert ") ? INSERTERS[what.slice(7)] : WRITERS[what];
      if (!allowed) continue;
      seen.add(what);
      expect(allowed, `${file} writes ${what}`).toContain(file);
    }
  // The test would find nothing if the code were written differently: it must find its own.
  expect([...seen].sort()).toEqual([
    "charges.status",
    "disputes.status",
    "insert charges",
    "insert disputes",
    "insert refunds",
    "insert sales",
    "refunds.status",
    "sales.status",
  ]);
});
