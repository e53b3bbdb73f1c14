import { expect, test } from "vitest";
import { sanitizeCss } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { tidyCss } from "#app/domain/storefront/sanitize/tidy-css.server.ts";

/** The seller's rules without the bounds that come with them. */
const view = (css: string) => /@layer seller\{(.*)\}$/.exec(sanitizeCss(css))?.[1] ?? "";

test.each([
  ["font-size", ["12px", "2.5rem", "250%", "large"], ["11px", "41px", "0", "1vw", "xx-small", "xxx-large"]],
  ["line-height", ["0.9", "1.6", "2", "24px", "normal"], ["1000", "0", "-1", "3em", "99rem"]],
  ["letter-spacing", ["-0.02em", "0", "8px"], ["9px", "-2px", "1em", "10vw"]],
  ["padding", ["0", "8px 1rem", "1em", "4%"], ["33px", "600px", "-1px", "5vh", "calc(1px)", "10ch", "5"]],
  ["border", ["1px solid #ccc", "0", "thick double red"], ["7px solid", "1rem solid"]],
  ["border-radius", ["999px", "50%", "12px"], ["-1px", "10vw"]],
  ["opacity", ["0.5", "1", "80%"], ["0.4", "0", "10%"]],
  [
    "font-family",
    ["Georgia, serif", '"Open Sans", Arial', "inherit"],
    ["Wingdings", "Arial, Symbol", "emoji"],
  ],
  [
    "background",
    ["linear-gradient(-45deg, #fff 0%, rgb(0 0 0/.5) 900px)"],
    ["linear-gradient(9999deg, red, red)"],
  ],
])(
  "on a hook %s is clamped to its limits and refused beyond, and the seller gets a message",
  (property, stored, refused) => {
    for (const value of stored) {
      const css = `.ck-brand { ${property}: ${value}; }`;
      expect(tidyCss(css)).toEqual({ text: css, removed: [] });
      expect(view(css)).toContain(`${property}:`);
    }
    for (const value of refused) {
      const { text: rest, removed } = tidyCss(`.ck-brand { ${property}: ${value}; }`);
      expect([value, rest, view(`.ck-brand{${property}:${value}}`)]).toEqual([value, "", ""]);
      expect(removed).toEqual([{ what: `${property}: ${value}`, why: expect.stringMatching(/./) }]);
    }
  },
);

test("a number beyond its limits is refused with the limits", () => {
  const reason = (css: string) => tidyCss(css).removed[0]?.why;
  expect(reason(".ck-brand{padding:600px}")).toBe("aqui vale de 0px a 32px, ou de 0rem a 2rem");
  expect(reason(".ck-brand{line-height:1000}")).toBe("aqui vale de 0,9 a 2, ou de 14px a 72px");
  expect(reason("body{font-family:Wingdings}")).toMatch(/fontes de texto/);
  expect(reason(".ck-brand:hover{padding:8px}")).toMatch(/mudam só cores/);
});

test("a font for the page applies to the seller's own texts, whatever they set for one of them", () => {
  expect(view("body{font-family:Georgia;background:#fff}")).toMatch(
    /^body\{background:#fff\}:where\(\.ck-brand,.*,\.zone\)\{font-family:Georgia\}$/,
  );
});

test("under a pointer colours change and nothing moves", () => {
  expect(view(".ck-brand:hover,.a:focus{color:red;padding:4px;height:9px;font-size:20px}")).toBe(
    ".ck-brand:hover{color:red}.zone .s-a:focus{color:red}",
  );
});

test("the limits of the hooks come before the seller's rules, and no page without CSS carries them", () => {
  expect(sanitizeCss(".ck-brand{color:red}")).toMatch(/^@layer kept\{.*max-height:.*\}@layer seller\{/);
  expect(sanitizeCss("")).toBe("");
  expect(sanitizeCss(".buy{}")).toBe("");
});

test("a condition that was not understood is no condition", () => {
  for (const condition of [")", "a:b) (", "screen,(( a ", "only x ==))"])
    expect(view(`@media ${condition}{.ck-brand{color:red}}`)).toBe("");
  expect(view("@media (min-width:600px) and (max-width:900px){.ck-brand{color:red}}")).toBe(
    "@media (min-width:600px) and (max-width:900px){.ck-brand{color:red}}",
  );
});
