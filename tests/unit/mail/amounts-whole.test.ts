import { expect, test } from "vitest";
import { renderMailLayout } from "#app/domain/mail/message/layout.server.ts";

test("an amount in a mail stays on one line; attributes stay as they are", () => {
  const html = renderMailLayout({ title: "R$ 1.234,56", bodyHtml: '<img alt="por R$ 10,00"> de R$ 47,00.' });
  expect(html).toContain('de <span style="white-space:nowrap">R$ 47,00</span>.');
  expect(html).toContain('<span style="white-space:nowrap">R$ 1.234,56</span></h1>');
  expect(html).toContain("<title>R$ 1.234,56</title>");
  expect(html).toContain('<img alt="por R$ 10,00">');
});
