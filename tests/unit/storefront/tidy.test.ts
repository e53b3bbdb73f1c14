import { expect, test } from "vitest";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { sanitizeCss } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { tidyCss } from "#app/domain/storefront/sanitize/tidy-css.server.ts";
import { tidyHtml } from "#app/domain/storefront/sanitize/tidy-html.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { tidyCheckout, tidyThankYou } from "#app/domain/storefront/tidy-settings.server.ts";

const HTML = [
  '<p class="a">Oi <b>você</b> & cia</p>',
  "<p>sem fim <b>aberto",
  "a < b && c > d",
  "<table><tr><td colspan=2>x</table>",
  '<h1 onclick="x()">Oi</h1><script>alert(1)</script><img src="/logout"><a href="javascript:alert(1)">x</a>',
  '<p style="color:red;position:fixed;background:url(//x)">a</p><!-- oi --><center>b</center>',
  '<form action="/x"><input><button>Pagar</button></form><svg><path d="x"/></svg><div id="x" class="ok 1ruim">b</div>',
  '<img><img src=""><IMG SRC="javascript:x"><img src="https://x.com/a.png" srcset="b.png 2x">',
  '<svg><script>x</script><p>oi</p></svg>depois<iframe src="https://x.com">y</iframe>',
  '<p title="x" data-a="1">y</p><a href="//x.com">z</a><a href="mailto:x@y.z">e</a>',
  "<style>p{color:red}</style><math><mi>x</mi></math><custom-element>a</custom-element>",
];

const CSS = [
  ".ck-brand { color: red; }\n\n/* oi */\n.a, .ck-brand {\n  color: blue;\n  margin: 4px;\n}\n",
  "body{background:#fff;color:red}@import url(x);@media (max-width: 600px){.x{position:fixed}.y{color:red}}",
  "@media (max-width:1px){.x{position:fixed}} @media print { .z { color: red } }",
  ".a{color:red",
  "}} .a{color:red}",
  ".a{&:hover{color:red} color:blue}",
  ".a{width:9999px;margin:-10px;color:red!important;background:url(x);--x:1;color:var(--x)}",
  "@font-face{src:url(x)} @keyframes a{from{color:red}} .a{animation:a 1s}",
  "#a{color:red} .b::before{content:'x'} .c:has(.d){color:red} [href]{color:red} + .e{color:red}",
  ".a{color:red;;font-size:2px} lixo",
  "@media all{@media (min-width:1px){.a{color:red}}}@media all{@media print{#a{color:red}}}",
  ".ck-brand,.a,body,.ck-brand:hover,#x{color:red;padding:8px;margin:1px;font-family:Georgia}",
  "#a{color:red}\n#b{color:red}\n.c{color:red}\n\n#d{color:red}  .e{color:red}",
  ".ck-brand{padding:600px;line-height:1000}body{font-family:Wingdings}.ck-brand:hover{padding:1px}",
];

test.each(HTML)(
  "what is stored of the HTML %j is what is shown, and nothing more is removed from it",
  (html) => {
    const { text: stored } = tidyHtml(html);
    expect(tidyHtml(stored)).toEqual({ text: stored, removed: [] });
    expect(sanitizeHtml(stored, "h")).toEqual(sanitizeHtml(html, "h"));
  },
);

test.each(CSS)(
  "what is stored of the CSS %j is what is shown, and nothing more is removed from it",
  (css) => {
    const { text: stored } = tidyCss(css);
    expect(tidyCss(stored)).toEqual({ text: stored, removed: [] });
    expect(sanitizeCss(stored)).toBe(sanitizeCss(css));
  },
);

test("a tag or attribute named like a part of every object is refused like any other", () => {
  expect(tidyHtml('<constructor a="1"><p constructor="2" __proto__="3">x</p></constructor>')).toEqual({
    text: "<p>x</p>",
    removed: [
      { what: "<constructor>", why: "esta tag não é aceita" },
      { what: 'constructor="2"', why: "não é aceito em <p>" },
    ],
  });
});

test("allowed code keeps every letter of its layout", () => {
  const css = "/* marca */\n.ck-brand  { color : #fff; }\n";
  expect(tidyCss(css)).toEqual({ text: css, removed: [] });
  const html = "<p class='a'  >Olá<br>você</p>\n";
  expect(tidyHtml(html)).toEqual({ text: html, removed: [] });
});

test("a rule keeps the allowed parts for each selector, in its original layout", () => {
  expect(tidyCss(".a,\n.ck-brand {\n  color: blue;\n  margin: 4px;\n}")).toEqual({
    text: ".a {\n  color: blue;\n  margin: 4px;\n}\n.ck-brand {\n  color: blue;\n}",
    removed: [{ what: "margin: 4px", why: "só vale no seu próprio HTML" }],
  });
});

test("many equal refusals are reported once each, and at most twelve", () => {
  expect(tidyHtml("<script></script>".repeat(50)).removed).toHaveLength(1);
  const many = Array.from({ length: 50 }, (_, at) => `#a${at}{color:red}`).join("");
  expect(tidyCss(many).removed).toHaveLength(12);
});

test("of a seller's settings only the fields are listed from which something was removed", () => {
  const header = "<p>Oi</p><script></script>";
  const { settings, removed } = tidyCheckout({ ...CHECKOUT_DEFAULTS, custom_header: header });
  expect([settings.custom_header, Object.keys(removed)]).toEqual(["<p>Oi</p>", ["custom_header"]]);
  expect(tidyThankYou({ ...THANK_YOU_DEFAULTS, custom_message: "<p>Oi</p>" }).removed).toEqual({});
});
