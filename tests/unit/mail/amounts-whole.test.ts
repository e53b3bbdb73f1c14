import { expect, test } from "vitest";
import { renderMailLayout } from "#app/domain/mail/message/layout.server.ts";

test("an amount in a mail stays on one line; attributes stay as they are", () => {
  const html = renderMailLayout({ title: "R$ 1.234,56", bodyHtml: '<img alt="por R$ 10,00"> de R$ 47,00.' });
  expect(html).toContain('de <span style="white-space:nowrap">R$ 47,00</span>.');
  expect(html).toContain('<span style="white-space:nowrap">R$ 1.234,56</span></h1>');
  expect(html).toContain("<title>R$ 1.234,56</title>");
  expect(html).toContain('<img alt="por R$ 10,00">');
  for (const written of ["{amount_formatted}", "{{amount_formatted}}", "{{ amount_formatted }}"]) {
    const template = renderMailLayout({ title: "Oi", bodyHtml: `de ${written}.` });
    expect(template).toContain(`de <span style="white-space:nowrap">${written}</span>.`);
  }
});

test("a long address is broken in the footer, too, so that no phone scrolls sideways", () => {
  const html = renderMailLayout({ title: "Oi", bodyHtml: "Oi", footerHtml: "por alguem@exemplo.com.br" });
  for (const cell of html.match(/<td [^>]*font-size[^>]*>/g)!)
    expect(cell).toContain("word-break:break-word");
});
