import { expect, test } from "vitest";
import { formatAddress } from "#app/domain/mail/message/mail-address.ts";
import { chooseSender } from "#app/domain/mail/sending/choose-sender.ts";
import { hasAccessLink } from "#app/domain/mail/template/access-button.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import {
  BODY_PLACEHOLDERS,
  fillHtml,
  fillSender,
  fillSubject,
  findUnknownPlaceholders,
} from "#app/domain/mail/template/placeholders.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";

const VALUES = {
  ...BODY_PLACEHOLDERS,
  customer_name: `<b onload="x">Bia & 'Cia'</b>`,
  product_name: "A $& B",
};

test("single and double braces are replaced, values escaped, also inside attributes", () => {
  expect(fillHtml('<a href="{product_file_url}">{{ customer_name }} {{product_name}}</a>', VALUES, "")).toBe(
    '<a href="https://exemplo.com.br/minha-compra">&lt;b onload=&quot;x&quot;&gt;Bia &amp; &#39;Cia&#39;&lt;/b&gt; A $&amp; B</a>',
  );
});

const ADDRESS = "https://loja.exemplo.com.br/thank-you/1?chave=K";

test.each([
  ["{{ PRODUCT_FILE_URL }}", ADDRESS],
  ["{Product_File_Url}", ADDRESS],
  ["https://{product_file_url}", ADDRESS],
  [" http://{{product_file_url}}", ` ${ADDRESS}`],
  ["{product_file_url}?utm_source=email", `${ADDRESS}&amp;utm_source=email`],
  ["https://{product_file_url}?utm_source=email&amp;a=1#b", `${ADDRESS}&amp;utm_source=email&amp;a=1#b`],
])("a link to %s leads to the purchase", (href, expected) => {
  const html = `<p>Abriu {product_file_url}? <a href="${href}">Abrir</a></p>`;
  expect(fillHtml(html, { ...VALUES, product_file_url: ADDRESS }, "")).toBe(
    `<p>Abriu ${ADDRESS}? <a href="${expected}">Abrir</a></p>`,
  );
  expect(hasAccessLink(`<a href="${href}">Abrir</a>`)).toBe(true);
  expect(findUnknownPlaceholders(html, "body")).toEqual([]);
});

test.each(["https://www.{product_file_url}", "{product_file_url}/baixar", "mailto:{product_file_url}", "/x"])(
  "a link to %s is none to the purchase",
  (href) => {
    expect(hasAccessLink(`<a href="${href}">Abrir</a>`)).toBe(false);
  },
);

test("a value that looks like a placeholder is not replaced again", () => {
  expect(fillHtml("{customer_name}", { ...VALUES, customer_name: "{customer_email}" }, "")).toBe(
    "{customer_email}",
  );
});

test("unknown placeholders stay and are pointed out, braces of style sheets are none", () => {
  const html = "<style>a{color:red} b{margin}</style><p>{customer_nome} {{foo}} {customer_name}</p>";
  expect(fillHtml(html, VALUES, "")).toContain("{customer_nome} {{foo}} <".slice(0, 20));
  expect(findUnknownPlaceholders(html, "body")).toEqual(["{customer_nome}", "{{foo}}"]);
  expect(findUnknownPlaceholders("{product_name} {brand_name}", "subject")).toEqual(["{brand_name}"]);
  expect(findUnknownPlaceholders("{product}", "sender")).toEqual([]);
});

test("subject and sender support only the known placeholders", () => {
  expect(fillSubject("{product_name} por {amount_formatted}, {brand_name}", VALUES)).toBe(
    "A $& B por R$ 97,00, {brand_name}",
  );
  expect(fillSender("{product}", VALUES)).toBe("A $& B");
});

test("the lines' table replaces the comment, whatever its text", () => {
  expect(fillHtml("<!-- itens -->", VALUES, "<table>$1 $&</table>")).toBe("<table>$1 $&</table>");
});

test("the default template uses every placeholder kind and leaves none unfilled", () => {
  const preview = previewTemplate(DEFAULT_TEMPLATE, {
    ...BODY_PLACEHOLDERS,
    brand_name: "Escola da Vera",
  });
  expect(preview.unknown).toEqual([]);
  expect(preview.html).not.toMatch(/\{[a-z_]+\}/);
  expect(preview.html).toContain("Escola da Vera");
  expect(preview.text).toContain("Acessar minha compra (https://exemplo.com.br/minha-compra)");
  expect(preview.text).toContain("Maria Silva");
});

test("a name can neither end itself nor start another address", () => {
  expect(formatAddress('Loja "X" <a@b.c>\r\nBcc: d@e.f', "loja@exemplo.com.br")).toBe(
    "Loja X a b.c Bcc d e.f <loja@exemplo.com.br>",
  );
  expect(formatAddress("", "loja@exemplo.com.br")).toBe("loja@exemplo.com.br");
});

const CONFIG = {
  hasKey: true,
  senderEmail: "oi@loja.com.br",
  verifiedDomain: "loja.com.br",
  contactEmail: "vera@gmail.com",
};
test.each([
  [CONFIG, { via: "seller", from: "Loja <oi@loja.com.br>", replyTo: "oi@loja.com.br" }],
  [
    { ...CONFIG, hasKey: false },
    { via: "platform", from: "Loja <p@plat.br>", replyTo: "oi@loja.com.br" },
  ],
  [{ ...CONFIG, verifiedDomain: null }, { via: "platform" }],
  [{ ...CONFIG, verifiedDomain: "outra.com.br" }, { via: "platform" }],
  [
    { ...CONFIG, senderEmail: "" },
    { via: "platform", replyTo: "vera@gmail.com" },
  ],
])("%j leaves by %j", (config, expected) => {
  expect(chooseSender(config, "Loja", "Plataforma <p@plat.br>")).toMatchObject(expected);
});
