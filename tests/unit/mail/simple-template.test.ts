import { expect, test } from "vitest";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { BODY_PLACEHOLDERS } from "#app/domain/mail/template/placeholders.ts";
import { renderTemplate } from "#app/domain/mail/template/render-template.server.ts";
import { renderSimpleTemplate } from "#app/domain/mail/template/simple-template.server.ts";
import { buttonColors } from "#app/domain/storefront/build-palette.ts";

const render = (title: string, text: string, button: string, values = {}) =>
  renderTemplate(
    { ...DEFAULT_TEMPLATE, htmlContent: renderSimpleTemplate({ title, text, button }) },
    { ...BODY_PLACEHOLDERS, ...values },
    "<p>itens</p>",
  );

test("an empty line ends a paragraph, a line break stays, and nothing typed is HTML", () => {
  const { html, text } = render("A & B", "Um <b>dois</b>\ntrês\n \n{customer_name}\n\n\n", "Abrir <já>", {
    customer_name: "<i>Bia</i>",
  });
  expect(html.match(/<p style="margin:0 0 16px;">/g)).toHaveLength(2);
  expect(html).toContain("Um &lt;b&gt;dois&lt;/b&gt;<br>\ntrês");
  expect(html).toContain("&lt;i&gt;Bia&lt;/i&gt;");
  expect(html).toContain("Abrir &lt;já&gt;");
  expect(html.indexOf("itens")).toBeLessThan(html.indexOf("Abrir"));
  expect(text).toContain("Abrir <já> (https://exemplo.com.br/minha-compra)");
});

test("an amount in double braces is filled in without them, in the title as in the text", () => {
  const { text } = render("Por {{amount_formatted}}", "De {{ amount_formatted }}.", "Abrir");
  expect(text).toContain("Por R$ 97,00");
  expect(text).toContain("De R$ 97,00.");
});

test("its button wears the colours of the checkout's", () => {
  const { html } = render("T", "t", "b", buttonColors({ button_color: "#fde047" }));
  expect(html).toContain('bgcolor="#fde047"');
  expect(html).not.toContain("{button");
  // Yellow is read in black.
  expect(html).toMatch(/color:#(?!ffffff)[0-9a-f]{6};text-decoration:none/i);
  for (const odd of [null, undefined, {}, { button_color: 'red"><script>' }])
    expect(buttonColors(odd).button_color).toMatch(/^#[0-9a-f]{6}$/i);
});
