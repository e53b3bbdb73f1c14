import { expect, test } from "vitest";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { findStorefront } from "#app/domain/storefront/find-storefront.server.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import * as checkoutApi from "#app/routes/api/customization/checkout.ts";
import * as thankYouApi from "#app/routes/api/customization/thank-you.ts";
import * as checkoutPage from "#app/routes/seller/customization/checkout.tsx";
import * as thankYouPage from "#app/routes/seller/customization/thank-you.tsx";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call, refused } from "#tests/support/routes/call.ts";
import { EVERYTHING_ON } from "#tests/support/rows/make-storefront.ts";

const CHECKOUT = "/api/checkout/customization";
const THANK_YOU = "/api/thank-you/customization";

async function visit() {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  return {
    seller,
    get: async (path = CHECKOUT) => (await send(path, { headers })).json(),
    post: (body: unknown, path = CHECKOUT) => send(path, { method: "POST", headers, body }),
    /** The page's own form. */
    save: (fields: Record<string, unknown>, page = checkoutPage as object) =>
      call(page, "/checkout-customization", { method: "POST", headers, body: formOf(fields) }),
  };
}

function send(path: string, options: Parameters<typeof call>[2]) {
  return call(path === CHECKOUT ? checkoutApi : thankYouApi, path, options);
}

/** As a browser posts it: a ticked box as `on`, one that is not ticked not at all. */
function formOf(fields: Record<string, unknown>) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== false) form.set(name, value === true ? "on" : String(value));
  return form;
}

const FULL = { ...CHECKOUT_DEFAULTS, ...EVERYTHING_ON };
const THANKS = {
  enabled: true,
  title: "Muito obrigada!",
  subtitle: "Já pode começar.",
  background_color: "#101418",
  primary_color: "#7C3AED",
  logo_url: "https://imagens.exemplo.com.br/logo.png",
  custom_message: '<p>Entre no <a href="https://grupo.exemplo.com.br/">grupo</a>.</p>',
  show_download_button: false,
  download_button_text: "Baixar tudo",
  redirect_url: "https://membros.exemplo.com.br/entrar",
  auto_redirect_seconds: 15,
};

test("a seller who never saved gets the defaults, as version 0", async () => {
  const { get } = await visit();
  expect(await get()).toEqual({ ...CHECKOUT_DEFAULTS, version: 0 });
  expect(await get(THANK_YOU)).toEqual({ ...THANK_YOU_DEFAULTS, version: 0 });
});

test("stored values are merged over the defaults; invalid ones become the default", async () => {
  const { seller, get } = await visit();
  const stored = { brand_name: "Aurora", primary_color: "red", require_phone: 0, unknown: 1 };
  await sql`insert into checkout_customizations (seller_id, settings) values (${seller.id}, ${sql.json(stored)})`;
  expect(await get()).toEqual({
    ...CHECKOUT_DEFAULTS,
    brand_name: "Aurora",
    require_phone: false,
    version: 1,
  });
});

test("every field of the checkout comes back as it was sent, through the API and through the page", async () => {
  const { get, post, save } = await visit();
  const turned = Object.fromEntries(
    Object.entries(FULL).map(([name, value]) => [name, typeof value === "boolean" ? !value : value]),
  );
  for (const settings of [FULL, { ...turned, require_email: true, require_email_confirmation: false }]) {
    expect((await post(settings)).status).toBe(200);
    expect(await get()).toMatchObject(settings);
    await post(CHECKOUT_DEFAULTS);
    const saved = await save({ ...settings, version: (await get()).version });
    expect(saved.status).toBe(302);
    expect(await get()).toMatchObject(settings);
  }
});

test("every field of the thank-you page comes back as it was sent, through the API and through the page", async () => {
  const { get, post, save } = await visit();
  expect((await post(THANKS, THANK_YOU)).status).toBe(200);
  expect(await get(THANK_YOU)).toMatchObject(THANKS);
  await post(THANK_YOU_DEFAULTS, THANK_YOU);
  expect((await save({ ...THANKS, version: 2 }, thankYouPage)).status).toBe(302);
  expect(await get(THANK_YOU)).toMatchObject(THANKS);
});

test("fields not sent to the API stay unchanged", async () => {
  const { get, post } = await visit();
  await post(FULL);
  await post({ button_text: "Quero já", require_phone: 0 });
  expect(await get()).toMatchObject({ ...FULL, button_text: "Quero já", require_phone: false });
});

test("a field that is null stays as it is, and so does a flag that is empty; a version that is null is none", async () => {
  const { get, post } = await visit();
  for (const [path, settings] of [
    [CHECKOUT, FULL],
    [THANK_YOU, { ...THANKS, show_download_button: true }],
  ] as const) {
    await post(settings, path);
    const all = Object.entries(settings);
    const flags = all.filter(([, value]) => typeof value === "boolean");
    expect(flags.filter(([, value]) => value).length).toBeGreaterThan(1);
    for (const unset of [all.map(([name]) => [name, null]), flags.map(([name]) => [name, ""])]) {
      expect((await post({ ...Object.fromEntries(unset), version: null }, path)).status).toBe(200);
      expect(await get(path)).toMatchObject(settings);
    }
  }
});

const MINUTES = "Os minutos do timer devem ser um número inteiro de 5 a 120";
const ADDRESS = "deve ser um endereço que começa com http:// ou https://";
const WRONG: [string, Record<string, unknown>, string][] = [
  ["a timer of 4 minutes", { urgency_timer_minutes: 4 }, MINUTES],
  ["a timer of 121 minutes", { urgency_timer_minutes: 121 }, MINUTES],
  ["a timer of half a minute", { urgency_timer_minutes: 5.5 }, MINUTES],
  ["a timer of words", { urgency_timer_minutes: "meia hora" }, MINUTES],
  [
    "a guarantee shorter than the law's",
    { guarantee_days: 6 },
    "A garantia deve ter de 7 a 365 dias: menos que 7 a lei não permite",
  ],
  ["a logo that runs", { brand_logo_url: "javascript:alert(1)" }, `Endereço do logo ${ADDRESS}`],
  ["terms without an address", { terms_url: "termos" }, `Link dos termos de uso ${ADDRESS}`],
  ["a colour's name", { primary_color: "red" }, "Cor principal deve ser uma cor como #3B82F6"],
  [
    "an unknown style",
    { button_style: "neon" },
    "Estilo do botão: escolha uma das opções (standard, gradient, glow)",
  ],
  ["endless CSS", { custom_css: "a".repeat(20_001) }, "CSS customizado deve ter até 20000 caracteres"],
  ["an endless name", { brand_name: "a".repeat(81) }, "Nome da marca deve ter até 80 caracteres"],
];

test.each(WRONG)(
  "%s is refused by API and page with the same message, and nothing is saved",
  async (_, wrong, message) => {
    const { get, post, save } = await visit();
    const api = await post({ ...FULL, ...wrong });
    expect([api.status, await api.json()]).toEqual([400, refused(message, { field: Object.keys(wrong)[0] })]);
    const page = await save({ ...FULL, ...wrong, version: 0 });
    expect(page.status).toBe(400);
    const { result } = await page.json();
    expect(result.error[Object.keys(wrong)[0]!]).toEqual([message]);
    expect(result.error[""]).toEqual(["Erro: confira os campos marcados"]);
    expect(result.initialValue.button_text).toBe(FULL.button_text);
    expect(await get()).toEqual({ ...CHECKOUT_DEFAULTS, version: 0 });
  },
);

test("a text that becomes too long when it is tidied is refused at its field, so that all that is stored can be saved again", async () => {
  const { post, save } = await visit();
  const grows = { custom_header: `<!-- topo --><p>${"A & B ".repeat(3000)}</p>` };
  const api = await post(grows);
  expect([api.status, await api.json()]).toMatchObject([400, { field: "custom_header" }]);
  const page = await save({ ...FULL, ...grows, version: 0 });
  expect((await page.json()).result.error).toMatchObject({
    "": ["Erro: confira os campos marcados"],
    custom_header: [expect.stringContaining("deve ter até 20000 caracteres")],
  });
  expect((await post({ custom_message: grows.custom_header }, THANK_YOU)).status).toBe(400);
});

test("what was stored under older rules stays, and keeps nothing else from being saved over the API", async () => {
  const { seller, get, post } = await visit();
  await post(FULL);
  const custom_header = `<p>${"A &amp; B ".repeat(3000)}</p>`;
  await sql`update checkout_customizations set settings = settings || ${sql.json({ custom_header })}
    where seller_id = ${seller.id}`;
  expect((await post({ brand_name: "Outra" })).status).toBe(200);
  expect(await get()).toMatchObject({ ...FULL, brand_name: "Outra", custom_header });
  expect((await post({ brand_name: "a".repeat(81) })).status).toBe(400);
});

test("the redirect's seconds are one of the choices", async () => {
  const { post, save } = await visit();
  expect((await post({ auto_redirect_seconds: 7 }, THANK_YOU)).status).toBe(400);
  const page = await save({ ...THANKS, auto_redirect_seconds: 7, version: 0 }, thankYouPage);
  expect((await page.json()).result.error[""]).toEqual(["Erro ao salvar: confira os campos marcados"]);
  expect((await post({ auto_redirect_seconds: 30 }, THANK_YOU)).status).toBe(200);
});

test("without an e-mail there is no confirmation of it", async () => {
  const { get, post } = await visit();
  await post({ require_email: false, require_email_confirmation: true });
  expect(await get()).toMatchObject({ require_email: false, require_email_confirmation: false });
});

test("texts are cleaned of what the database cannot store, and a required text that becomes empty is its default", async () => {
  const { get, post } = await visit();
  await post({ brand_name: "Au\u0000ro\ud800ra", order_bump_title: "  ", button_text: "" });
  const { brand_name, order_bump_title, button_text } = await get();
  expect([brand_name, order_bump_title, button_text]).toEqual(["Auro\ufffdra", "Ofertas Especiais", ""]);
});

test("the later of two tabs gets a conflict, keeps its values, and may overwrite", async () => {
  const { get, save } = await visit();
  expect((await save({ ...FULL, brand_name: "Primeira", version: 0 })).status).toBe(302);
  const late = await save({ ...FULL, brand_name: "Segunda", version: 0 });
  expect(late.status).toBe(409);
  const { conflict, result } = await late.json();
  expect(conflict).toEqual({
    version: 1,
    differences: [{ label: "Nome da marca", saved: "Primeira", mine: "Segunda" }],
  });
  expect(result.initialValue.brand_name).toBe("Segunda");
  expect((await get()).brand_name).toBe("Primeira");
  const over = await save({ ...FULL, brand_name: "Segunda", version: 0, over: 1 });
  expect(over.status).toBe(302);
  expect(await get()).toMatchObject({ brand_name: "Segunda", version: 2 });
});

test("of two saves at once from one version exactly one gets a conflict", async () => {
  const { get, save } = await visit();
  const answers = await Promise.all(
    ["A", "B"].map((name) => save({ ...FULL, brand_name: name, version: 0 })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 409]);
  expect((await get()).version).toBe(1);
});

test("the API may leave the version out, and is refused with an old one", async () => {
  const { post } = await visit();
  const bodies = [{ brand_name: "A" }, { button_text: "B" }, { guarantee_days: 20 }];
  const all = await Promise.all(bodies.map((body) => post(body)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  const last = await post({ version: 3 });
  expect(await last.json()).toMatchObject({
    brand_name: "A",
    button_text: "B",
    guarantee_days: 20,
    version: 4,
  });
  const late = await post({ brand_name: "C", version: 3 });
  expect([late.status, await late.json()]).toEqual([
    409,
    refused("Estas configurações foram salvas em outro lugar depois que você as abriu"),
  ]);
});

test("another seller's settings can be neither read nor changed", async () => {
  const mine = await visit();
  const other = await visit();
  await mine.post({ brand_name: "Minha", seller_id: other.seller.id, sellerId: other.seller.id });
  await mine.post({ title: "Minha" }, THANK_YOU);
  expect(await other.get()).toEqual({ ...CHECKOUT_DEFAULTS, version: 0 });
  expect(await other.get(THANK_YOU)).toEqual({ ...THANK_YOU_DEFAULTS, version: 0 });
  await other.post({ brand_name: "Outra" });
  expect((await mine.get()).brand_name).toBe("Minha");
});

test("strangers and other sites are refused", async () => {
  const { seller } = await visit();
  const headers = await signedIn(seller);
  for (const [api, path] of [
    [checkoutApi, CHECKOUT],
    [thankYouApi, THANK_YOU],
  ] as const) {
    expect((await call(api, path)).status).toBe(401);
    expect((await call(api, path, { method: "POST", body: {} })).status).toBe(401);
    const foreign = { ...headers, "Sec-Fetch-Site": "cross-site" };
    expect((await call(api, path, { method: "POST", headers: foreign, body: {} })).status).toBe(403);
  }
  const page = await call(checkoutPage, "/checkout-customization", { method: "POST", body: formOf(FULL) });
  expect(page.headers.get("location")).toMatch(/^\/login(\?|$)/);
});

test("what is removed from HTML and CSS is reported, and what is stored is what is shown", async () => {
  const { seller, get, post, save } = await visit();
  const custom = {
    custom_header: '<p onclick="x()">Oi</p><script>alert(1)</script>',
    custom_css: ".ck-brand{color:red;position:fixed} #x{color:red}",
  };
  const answer = await (await post(custom)).json();
  expect(answer.removed).toEqual({
    custom_header: [
      { what: 'onclick="x()"', why: "código não roda na página de pagamento" },
      { what: "<script>", why: "código não roda na página de pagamento" },
    ],
    custom_css: [
      { what: "position:fixed", why: "moveria ou cobriria partes da página" },
      { what: "#x", why: "seletores por id ou atributo não são aceitos: use uma classe" },
    ],
  });
  const stored = await get();
  expect(stored).toMatchObject({ custom_header: "<p>Oi</p>", custom_css: ".ck-brand { color:red; }" });
  const page = await save({ ...FULL, ...custom, version: 1 });
  expect(page.status).toBe(200);
  expect(await page.json()).toMatchObject({
    message: "Configurações salvas com sucesso!",
    removed: answer.removed,
    savedVersion: 2,
  });
  expect((await findStorefront(seller.id)).settings.custom_header).toBe("<p>Oi</p>");
});

test("a thank-you page switched off keeps its settings and shows the default", async () => {
  const { seller, get, post } = await visit();
  await post({ ...THANKS, enabled: false }, THANK_YOU);
  expect((await get(THANK_YOU)).title).toBe(THANKS.title);
  expect((await findThankYou(seller.id)).settings.title).toBe(THANK_YOU_DEFAULTS.title);
});

test("an internal error returns the form with its fields and the catalogue's message", async () => {
  const { save } = await visit();
  await sql`alter table checkout_customizations add constraint none_for_now check (version < 1) not valid`;
  try {
    const answer = await save({ ...FULL, version: 0 });
    expect(answer.status).toBe(500);
    const { result } = await answer.json();
    expect(result.error[""]).toEqual(["Erro: Erro interno. Tente novamente."]);
    expect(result.initialValue.brand_name).toBe(FULL.brand_name);
  } finally {
    await sql`alter table checkout_customizations drop constraint none_for_now`;
  }
});
