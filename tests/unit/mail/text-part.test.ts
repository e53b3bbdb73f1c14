import { expect, test } from "vitest";
import { toTextPart } from "#app/domain/mail/message/to-text-part.ts";

test("links keep their addresses, blocks become lines, styles and heads are dropped", () => {
  const html = `<html><head><style>p{}</style></head><body><h1>Oi</h1><p>Abra <a class='x' href='https://a.b/c'>aqui</a>.</p><p>Fim</p></body></html>`;
  expect(toTextPart(html)).toBe("Oi\nAbra aqui (https://a.b/c).\nFim");
});

test("entities for accents are decoded, and escaped text is not decoded twice", () => {
  expect(toTextPart("Viol&atilde;o &amp; Can&ccedil;&otilde;es &#8211; &Aacute;gua &amp;lt;")).toBe(
    "Violão & Canções – Água &lt;",
  );
});
