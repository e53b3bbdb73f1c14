import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Attributes that make a browser show validation messages of its own, in its own language. */
const JUDGED =
  /\brequired\b(?!:|,)|\btype="(?:email|url|number|date|month|week|time|datetime-local)"|\b(?:pattern|minLength|step)=|\b(?:min|max)=\{/;
const FORM = /<((?:[a-z]\w*\.)?[Ff]orm)\b/g;

const files = globSync("app/**/*.tsx");
const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

test("no form leaves validation messages to the browser", () => {
  const forms = files.flatMap((file) => formsOf(sources.get(file)!).map((form) => ({ file, ...form })));
  expect(forms.length).toBeGreaterThan(50);
  const judged = forms.filter(({ file, body }) => isJudged(file, body));
  expect(judged.length).toBeGreaterThan(15);
  const bare = judged.filter(({ tag }) => !/\bnoValidate\b|\{\.\.\.getFormProps\(/.test(tag));
  expect(bare.map(({ file, tag }) => `${file}: ${tag}`)).toEqual([]);
});

test("a form with a validated field, or with a component that renders one, is found", () => {
  const [own] = formsOf('<Form method="post"><input name="a" required /></Form>');
  expect(isJudged("app/a.tsx", own!.body)).toBe(true);
  const [given] = formsOf("<Form onSubmit={(event) => event.go()}><TestControl /></Form>");
  expect(given!.tag).toBe("<Form onSubmit={(event) => event.go()}>");
  expect(isJudged("app/ui/seller/destination/test.tsx", given!.body)).toBe(true);
  const [bare] = formsOf("<form><button>Ir</button></form>");
  expect(isJudged("app/a.tsx", bare!.body)).toBe(false);
});

type Form = { tag: string; body: string };

function formsOf(source: string): Form[] {
  return [...source.matchAll(FORM)].map(({ index, 1: name }) => {
    const begun = endOfTag(source, index);
    const end = source.indexOf(`</${name}>`, begun);
    return { tag: source.slice(index, begun), body: source.slice(begun, end) };
  });
}

/** The position after the `>` that ends a tag, not one of its attributes. */
function endOfTag(source: string, from: number): number {
  let braces = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === "{") braces++;
    else if (source[at] === "}") braces--;
    else if (source[at] === ">" && braces === 0) return at + 1;
  }
  throw new Error("a tag that never ends");
}

/** Whether a form has validated fields: its own, its file's components', and imported ones. */
function isJudged(file: string, rendered: string, seen = new Set<string>()): boolean {
  const body = rendered.replace(/<progress\b[^>]*>/g, "");
  // Its props are written where it is used.
  if (JUDGED.test(body) || body.includes("{props.children}")) return true;
  const source = sources.get(file) ?? "";
  return [...body.matchAll(/<([A-Z]\w*)/g)].some(({ 1: name }) => {
    const own = new RegExp(`function ${name}\\([\\s\\S]*?\\n}`).exec(source)?.[0];
    if (own && seen.has(name!)) return false;
    if (own) return isJudged(file, own.slice(own.indexOf("{")), seen.add(name!));
    const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "#(app/[^"]+\\.tsx)"`).exec(
      source,
    )?.[1];
    return from !== undefined && JUDGED.test(sources.get(from) ?? "");
  });
}
