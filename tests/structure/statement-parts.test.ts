import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

test("a statement with CTEs that is put together from several templates is built by Statement, which makes their names", () => {
  const files = globSync("app/**/*.server.ts");
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((file) => sharedNamesIn(file, readFileSync(file, "utf8")))).toEqual([]);
});

test("a name that one template writes and another reads is found, and so is a body from elsewhere", () => {
  const body =
    "sql`with gone as (delete from a returning id) delete from b where id = any(array(select id from gone))`";
  expect(sharedNamesIn("x.ts", `const ids = sql\`any(array(select id from gone))\`; ${body}`)).toEqual([
    "x.ts: gone",
  ]);
  expect(sharedNamesIn("x.ts", `sql\`with gone as \${deleted} select id from gone\``)).toEqual([
    "x.ts: gone",
  ]);
  expect(sharedNamesIn("x.ts", body)).toEqual([]);
});

/** The names of CTEs that are written in one template and whose body or reader is another one. */
function sharedNamesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const templates: ts.TaggedTemplateExpression[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "sql") templates.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return templates.flatMap((template) => {
    const own = textOf(template);
    if (!/^\s*\(?\s*with\b/.test(own)) return [];
    const bodiless = [...own.matchAll(/(\w+) as (?:materialized )?\(?\?/g)].map(([, name]) => name!);
    const written = [...own.matchAll(/(?:with|,)\s+(\w+) as (?:materialized )?\(/g)].map(([, name]) => name!);
    const others = templates
      .filter((other) => other.pos > template.end || other.end < template.pos)
      .map(textOf);
    const shared = written.filter((name) =>
      others.some((other) => new RegExp(`\\b(from|join|using)\\s+${name}\\b`).test(other)),
    );
    return [...bodiless, ...shared].map((name) => `${file}: ${name}`);
  });
}

/** A template's own text, a question mark where it has an expression. */
function textOf({ template }: ts.TaggedTemplateExpression): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join("?");
}
