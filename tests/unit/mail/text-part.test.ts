import { expect, test } from "vitest";
import { textPart } from "#app/domain/mail/message/text-part.ts";

test("links keep their addresses, blocks become lines, styles and heads go", () => {
  const html = `<html><head><style>p{}</style></head><body><h1>Oi</h1><p>Abra <a class='x' href='https://a.b/c'>aqui</a>.</p><p>Fim</p></body></html>`;
  expect(textPart(html)).toBe("Oi\nAbra aqui (https://a.b/c).\nFim");
});

test("accents in entities are read, and what was escaped is not read twice", () => {
  expect(textPart("Viol&atilde;o &amp; Can&ccedil;&otilde;es &#8211; &Aacute;gua &amp;lt;")).toBe(
    "Violão & Canções – Água &lt;",
  );
});
