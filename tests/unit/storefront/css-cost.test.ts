import { beforeEach, expect, test, vi } from "vitest";

/** The cost of the parser's tree: nodes visited and letters written. */
const work = vi.hoisted(() => ({ count: 0 }));
vi.mock("css-tree", async (load) => {
  const real = await load<typeof import("css-tree")>();
  return {
    ...real,
    generate: (...args: Parameters<typeof real.generate>) => {
      const text = real.generate(...args);
      work.count += text.length;
      return text;
    },
    walk: (node: Parameters<typeof real.walk>[0], visit: (this: unknown, ...args: unknown[]) => unknown) =>
      real.walk(node, function (...args) {
        work.count++;
        return visit.apply(this, args);
      }),
  };
});

const { sanitizeCss, sanitizeStyle } = await import("#app/domain/storefront/sanitize/seller-css.server.ts");
const { tidyCss, tidyStyle } = await import("#app/domain/storefront/sanitize/tidy-css.server.ts");

const SHORT = 5_000;
const pumped = (part: string, length: number) => part.repeat(Math.round(length / part.length));
const PARTS =
  "{ } ( ) [ ] /* */ \" ' \\ : ; ! # @ , . > + ~ | < <!-- --> :is( :not( url( a( calc( var( .a{ &{ .a{b:( @media @media{ @media(x:( @media/**/all{ .a{color:red} #a{color:red} .ck-brand:hover{color:red} @media/**/all{.a{color:red}} x:y; color:red; padding:0; -- \\0 \\{ .a,b, .a>b~c+ a/**/ 1e9px".split(
    " ",
  );
const SHEETS: Record<string, (length: number) => string> = {
  ...Object.fromEntries(PARTS.map((part) => [part, (length: number) => pumped(part, length)])),
  "blanks before a value": (n) => `.a{color:${pumped(" ", n)}red}`,
  "one selector, many declarations": (n) => `.a{${pumped("color:red;", n)}}`,
  "many selectors, many declarations": (n) =>
    `${pumped("a,.ck-brand,", n / 2)}a{${pumped("color:red;", n / 2)}}`,
  "many selectors, many refusals": (n) =>
    `${pumped("a,#b,.ck-brand,body,", n / 2)}a{${pumped("top:0;padding:9px;", n / 2)}}`,
  "many rules in one @media": (n) => `@media all{${pumped("#a{color:red}", n)}}`,
  "many values": (n) => `.a{background:${pumped("linear-gradient(red,blue),", n)}red}`,
  "many fonts": (n) => `body{font-family:${pumped("Georgia,", n)}serif}`,
  "a long condition": (n) => `@media ${pumped("(min-width:1px) and ", n)}(min-width:1px){.a{color:red}}`,
  "@media in @media": (n) => `${"@media all{".repeat(n / 12)}.a{color:red}${"}".repeat(Math.floor(n / 12))}`,
  ":is( in :is(": (n) => `${":is(".repeat(n / 5)}a${")".repeat(Math.floor(n / 5))}{color:red}`,
};
const DO: Record<string, (css: string) => string> = {
  "shown as a sheet": sanitizeCss,
  "kept as a sheet": (css) => tidyCss(css).text,
  "shown as an attribute": sanitizeStyle,
  "kept as an attribute": (css) => tidyStyle(css, () => {}),
};

beforeEach(() => {
  work.count = 0;
});

test.each(Object.keys(SHEETS))("%s, repeated: twice as much is at most twice the work", (name) => {
  for (const [how, act] of Object.entries(DO)) {
    const cost = (length: number) => {
      work.count = 0;
      const out = act(SHEETS[name]!(length));
      return work.count + out.length;
    };
    const once = cost(SHORT);
    // The page's own limits, the same in both, are outside the ratio.
    expect(cost(2 * SHORT), how).toBeLessThanOrEqual(2.1 * once + 1000);
  }
});

test("ten thousand nested blocks are no CSS, and the seller gets a message", () => {
  for (const deep of ["@media all{", ".a{", ":is(", "(", "a{b:calc("]) {
    const css = deep.repeat(10_000);
    expect(sanitizeCss(css)).toBe("");
    expect(tidyCss(css)).toMatchObject({
      text: "",
      removed: [{ why: "há chaves ou parênteses demais uns dentro dos outros" }],
    });
  }
});

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "%s is no property, class, unit, font or condition",
  (name) => {
    const css = `.ck-brand{${name}:1px;padding:1${name};font-family:${name}}.${name}{${name}:${name}}${name}{color:${name}}@media (${name}:1){.ck-brand{opacity:${name}(1)}}@${name}{a{color:red}}`;
    expect(sanitizeCss(css).split("@layer seller").slice(1).join()).not.toMatch(/ck-brand/);
    expect(tidyCss(tidyCss(css).text).removed).toEqual([]);
    expect(sanitizeStyle(`${name}:1;padding:1${name}`)).toBe("");
  },
);
