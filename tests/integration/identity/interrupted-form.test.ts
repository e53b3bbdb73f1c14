import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { PASSWORD, passwordHash } from "#tests/integration/identity/signed-in-ago.ts";
import { SELLER_FORMS, type SellerForm } from "#tests/journeys/seller/form-table.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { describeAnswer, formsOf } from "#tests/support/clients/page-forms.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { everyNth } from "#tests/support/run/ways.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

type Browser = ReturnType<typeof visitor>;

async function signIn(browser: Browser, { email }: { email: string }) {
  expect((await browser.json("/api/sessions", { email, password: PASSWORD })).status).toBe(200);
}

/** A seller's browser that showed the dashboard, and whose session then ended. */
async function interrupted(how: "expired" | "gone" = "gone") {
  const seller = await makeSeller({ passwordHash, name: "Vera" });
  const browser = visitor(app.url);
  await signIn(browser, seller);
  await browser.get("/settings");
  await end(seller, how);
  return { seller, browser };
}

async function end(seller: { id: string }, how: "expired" | "gone") {
  if (how === "gone") await sql`delete from sessions where seller_id = ${seller.id}`;
  else await sql`update sessions set expires_at = now() - interval '1 minute' where seller_id = ${seller.id}`;
}

const rows = (seller: { id: string }) => sql<{ id: string; fieldsSealed: string; change: string }[]>`
  select id, change, fields_sealed as "fieldsSealed" from held_forms where seller_id = ${seller.id} order by created_at desc`;

const nameOf = async (seller: { id: string }) =>
  (await sql`select name from sellers where id = ${seller.id}`)[0]!.name;

const PROFILE = (email: string, name = "Vera Lúcia") => ({
  intent: "profile",
  saves: "profile",
  name,
  email,
});

/** Where the sign-in page leads: the held form. */
function waitsAt(answer: Response): string {
  const to = new URL(answer.headers.get("location")!, app.url);
  expect(to.pathname).toBe("/login");
  return to.searchParams.get("returnTo") ?? "";
}

async function signInOnPage(browser: Browser, email: string, returnTo: string) {
  const answer = await browser.post("/login", { email, password: PASSWORD, returnTo });
  expect(answer.headers.get("location")).toBe(returnTo);
}

const idIn = (address: string) => new URL(address, app.url).searchParams.get("form")!;

const forms = Object.entries(SELLER_FORMS).flatMap(([file, all]) =>
  typeof all === "string"
    ? []
    : Object.entries(all).flatMap(([name, form]) =>
        // Passwords are not stored.
        typeof form === "string" || name === "password"
          ? []
          : [{ name: `${name} of ${file.split("/").at(-1)}`, form }],
      ),
);

describe.each(everyNth(2, forms))("$name", ({ form, name }) => {
  test("is restored with every field after the session ended, and is sent with one click", async () => {
    const seller = await makeSeller({ passwordHash });
    await makeGateway(seller);
    const product = await makeProduct(seller);
    const sale = await makeSale(product, { status: "completed" });
    if (form.given) await sql.unsafe(form.given.replace("{sealed}", seal("re_restricted-vera")), [seller.id]);
    const address = form.address({ seller: seller as never, productId: product.id, saleId: sale.id });
    const browser = visitor(app.url);
    await signIn(browser, seller);
    const { action, fields } = formOn(address, await (await browser.get(address)).text(), form);
    await end(seller, name.length % 2 ? "expired" : "gone");
    const body = new URLSearchParams(fields);
    const response = await browser.get(action, { method: "POST", body });
    const page = waitsAt(response);
    expect(page).toMatch(/^\/resume-form\?form=/);
    const [row] = await rows(seller);
    expect(JSON.parse(unseal(row!.fieldsSealed))).toEqual(fields);

    expect(await (await browser.get(`/login?returnTo=${encodeURIComponent(page)}`)).text()).toContain(
      "O que você digitou está guardado",
    );
    await signInOnPage(browser, seller.email, page);
    const html = await (await browser.get(page)).text();
    const [submit] = formsOf(page, html).filter((one) => one.action !== "/theme");
    expect([submit!.action, submit!.fields]).toEqual([action, [["resume", row!.id]]]);
    const done = await browser.post(submit!.action, { resume: row!.id });
    expect(
      done.status,
      describeAnswer({ status: done.status, html: await done.clone().text() }),
    ).toBeLessThan(500);
    expect(done.headers.get("location") ?? "").not.toMatch(/login|confirm-identity/);
    expect(await done.text()).not.toContain("já não está guardado");
    const [after] = await sql`select resumed_at from held_forms where id = ${row!.id}`;
    expect(after!.resumedAt ?? after!.resumed_at).not.toBeNull();
  });
});

/** The form of a page that the button saves, as a browser posts it. A seller with a password changes it. */
function formOn(page: string, html: string, { save }: SellerForm) {
  const blocks = [...html.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([block]) => block);
  const block = blocks.find((one) =>
    [...one.matchAll(/<button\b[^>]*>([\s\S]*?)<\/button>/g)].some(
      ([, label = ""]) =>
        label.replace(/<[^>]*>/g, "").trim() === (save === "Criar senha" ? "Alterar senha" : save),
    ),
  );
  const [first] = formsOf(page, block ?? "");
  if (!first) throw new Error(`${page} has no form with the button ${save}`);
  return { action: first.action, fields: first.fields };
}

test("it is saved by the click and not before", async () => {
  const { seller, browser } = await interrupted("expired");
  const page = waitsAt(await browser.post("/settings?tab=perfil", PROFILE(seller.email)));
  await signInOnPage(browser, seller.email, page);
  expect(await (await browser.get(page)).text()).toContain("Vera Lúcia");
  expect(await nameOf(seller)).toBe("Vera");
  // As filled in before a concurrent save: it overwrites nothing unseen.
  expect((await browser.post("/settings?tab=perfil", { resume: idIn(page) })).status).toBe(409);
  const { version } = await profileForm(browser);
  await end(seller, "gone");
  const again = waitsAt(await browser.post("/settings?tab=perfil", { ...PROFILE(seller.email), version }));
  await signInOnPage(browser, seller.email, again);
  const saved = await browser.post("/settings?tab=perfil", { resume: idIn(again) });
  expect(saved.headers.get("location")).toBe("/settings?tab=perfil");
  expect(await nameOf(seller)).toBe("Vera Lúcia");
  expect(await (await browser.get(again)).text()).toContain("Nada guardado aqui");
});

async function profileForm(browser: Browser) {
  const html = await (await browser.get("/settings")).text();
  return { version: /name="version" value="([^"]+)"/.exec(html)![1]! };
}

test("a stranger's form is not held, nor one with a made-up cookie", async () => {
  const { seller } = await interrupted();
  const forged: Record<string, string>[] = [
    {},
    { Cookie: `conta=${btoa(JSON.stringify(seal("x")))}` },
    // The values of our other cookies, encrypted with the same secret.
    {
      Cookie: `conta=${btoa(JSON.stringify(seal(JSON.stringify({ productId: 1, at: Date.now(), typed: {} }))))}`,
    },
    { Cookie: `conta=${btoa(JSON.stringify(seal(JSON.stringify({ account: seller.id, at: 1 }))))}` },
    {
      Cookie: `conta=${btoa(JSON.stringify(seal(JSON.stringify({ account: seller.id, at: 1, typed: {} }))))}`,
    },
    {
      Cookie: `conta=${btoa(JSON.stringify(seal(JSON.stringify({ account: crypto.randomUUID(), at: Date.now() }))))}`,
    },
    { Cookie: "sessao=xyz; conta=%00; interrompido=%ff" },
  ];
  const before = await sql`select count(*)::int as n from held_forms`;
  for (const headers of forged) {
    const answer = await visitor(app.url, headers).post("/settings", PROFILE("a@exemplo.com.br"));
    expect([answer.status, waitsAt(answer)]).toEqual([302, "/settings"]);
  }
  expect(await sql`select count(*)::int as n from held_forms`).toEqual(before);
});

test("another site's form, previews, money, one-click forms and sign-ins over a page are not held", async () => {
  const { seller, browser } = await interrupted();
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    browser.get(path, { method: "POST", body: new URLSearchParams(fields), headers });
  const profile = PROFILE(seller.email);
  expect((await post("/settings", profile, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  await post("/settings", profile, { "Sec-Fetch-Dest": "iframe" });
  await post("/settings.data", profile, { "Sec-Fetch-Dest": "empty", "X-Signs-In-Here": "1" });
  await post("/checkout-customization/preview", { brandName: "Loja" });
  await post(`/reports/sales/${crypto.randomUUID()}/refund`, { intent: "refund-part", amount: "10,00" });
  await post("/products", { intent: "delete", id: "5" });
  await post("/products", { intent: "duplicate", id: "5", at: String(Date.now()) });
  await post(`/settings/webhooks/${crypto.randomUUID()}`, { intent: "rotate", secret: "••••••••1234" });
  await post("/products/5/content", { intent: "up", id: crypto.randomUUID(), version: "1" });
  await post("/settings/email", { intent: "remove-domain", version: "1" });
  await post("/settings/close", { intent: "close", understood: "yes" });
  expect(await rows(seller)).toEqual([]);
  expect((await browser.json("/api/products", { name: "X" })).status).toBe(401);
  expect(await rows(seller)).toEqual([]);
  const held = await post("/settings.data", profile, { "Sec-Fetch-Dest": "empty" });
  expect(held.headers.get("x-session-ended")).toBe("1");
  expect(await rows(seller)).toHaveLength(1);
});

test("the page that restores it names the one that it was typed on as the menu does", async () => {
  const { seller, browser } = await interrupted();
  const page = waitsAt(await browser.post("/coupons/create", { code: "NATAL" }));
  await signInOnPage(browser, seller.email, page);
  expect(await (await browser.get(page)).text()).toContain("Você estava em Cupons quando a sessão terminou");
});

test("it is found only by its seller, in the same browser, on the same page", async () => {
  const { seller, browser } = await interrupted();
  const page = waitsAt(await browser.post("/settings", PROFILE(seller.email, "Nome Secreto")));
  const other = await makeSeller({ passwordHash });
  await signInOnPage(browser, other.email, page);
  const view = await (await browser.get(page)).text();
  expect(view).toContain("Nada guardado aqui");
  expect(view).not.toContain("Nome Secreto");
  expect((await browser.post("/settings", { resume: idIn(page) })).status).toBe(409);
  expect(await nameOf(other)).not.toBe("Nome Secreto");

  const elsewhere = visitor(app.url);
  await signIn(elsewhere, seller);
  expect(await (await elsewhere.get(page)).text()).toContain("Nada guardado aqui");
  expect((await elsewhere.post("/settings", { resume: idIn(page) })).status).toBe(409);
  for (const id of ["x", "\0", "__proto__", "'", idIn(page).toUpperCase(), "a".repeat(5000)])
    expect((await elsewhere.post("/settings", { resume: id })).status, id).toBe(409);

  await signIn(browser, seller);
  expect(await (await browser.get(page)).text()).toContain("Nome Secreto");
  expect((await browser.post("/settings/email", { resume: idIn(page) })).status).toBe(409);
  await sql`update held_forms set expires_at = now() where seller_id = ${seller.id}`;
  expect((await browser.post("/settings", { resume: idIn(page) })).status).toBe(409);
  expect(await (await browser.get(page)).text()).toContain("Nada guardado aqui");
});

test("it is encrypted, and of a form with files the texts are restored and the page states it", async () => {
  const { seller, browser } = await interrupted();
  const body = new FormData();
  body.set("pushinpay_api_key", "6|sandbox-segredo");
  body.set("name", "Loja \u0000da Vera");
  body.set("logo", new File([new Uint8Array(3_000_000)], "logo.png"));
  body.append("__proto__", "x");
  const page = waitsAt(await browser.get("/settings", { method: "POST", body }));
  const [row] = await rows(seller);
  expect(JSON.stringify(row)).not.toMatch(/segredo|Loja/);
  expect(JSON.parse(unseal(row!.fieldsSealed))).toEqual([
    ["pushinpay_api_key", "6|sandbox-segredo"],
    ["name", "Loja da Vera"],
  ]);
  await signInOnPage(browser, seller.email, page);
  const html = await (await browser.get(page)).text();
  expect(html).toContain("Os arquivos escolhidos não ficam guardados");
  expect(html).not.toContain("segredo");
});

test("a hundred at once become five rows, including the newest tab's, and one that is too large is reported", async () => {
  const { seller, browser } = await interrupted();
  const cookies = browser.cookies().join("; ");
  await Promise.all(
    Array.from({ length: 29 }, (_, at) =>
      visitor(app.url, { Cookie: cookies }).post("/settings", PROFILE(seller.email, `Nome ${at}`)),
    ),
  );
  expect(await rows(seller)).toHaveLength(5);
  const large = visitor(app.url, { Cookie: cookies });
  const refused = await large.post("/settings", PROFILE(seller.email, "x".repeat(3_000_000)));
  expect(refused.headers.get("location")).toBe("/login?error=not_held");
  expect(await (await large.get("/login?error=not_held")).text()).toContain("não pôde ser guardado");
  // The rate limit is used up by now, also for the owner of the cookie.
  const over = await visitor(app.url, { Cookie: cookies }).post("/settings", PROFILE(seller.email));
  expect(over.headers.get("location")).toBe("/login?error=not_held");
});

test("the pages that lead to a new password say that it deletes what waits", async () => {
  const { seller, browser } = await interrupted();
  const page = waitsAt(await browser.post("/settings", PROFILE(seller.email)));
  const warning = "Com uma senha nova, o que você digitou é apagado";
  expect(await (await browser.get(`/login?returnTo=${encodeURIComponent(page)}`)).text()).toContain(warning);
  expect(await (await browser.get("/login")).text()).not.toContain(warning);
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  const reset = await (await browser.get(`/reset-password/${token}`)).text();
  expect(reset).toContain("espera o seu login, será apagado");
  const password = "quatro cavalos de papel";
  await browser.post(`/reset-password/${token}`, { password, confirmPassword: password });
  expect(await rows(seller)).toEqual([]);
});

test("two tabs of one browser both come back", async () => {
  const { seller, browser } = await interrupted();
  const first = waitsAt(await browser.post("/settings", PROFILE(seller.email, "Aba Um")));
  const second = waitsAt(await browser.post("/settings", PROFILE(seller.email, "Aba Dois")));
  await signInOnPage(browser, seller.email, second);
  expect(await (await browser.get(second)).text()).toContain("Aba Dois");
  expect(await (await browser.get(first)).text()).toContain("Aba Um");
});

test("all sellers together hold no more than the disk is meant for", async () => {
  const { seller, browser } = await interrupted();
  const crowd = await makeSeller();
  await sql`insert into held_forms (seller_id, token_hash, change, address, fields_sealed, expires_at)
    select ${crowd.id}, 'crowd-' || n, 'session', '/settings', 'x', now() + interval '1 hour' from generate_series(1, 2000) n`;
  const refused = await browser.post("/settings", PROFILE(seller.email));
  expect(refused.headers.get("location")).toBe("/login?error=not_held");
  expect(await rows(seller)).toEqual([]);
  // Expired ones free their space at once.
  await sql`update held_forms set expires_at = now() where seller_id = ${crowd.id}`;
  waitsAt(await browser.post("/settings", PROFILE(seller.email)));
  expect([(await rows(seller)).length, (await rows(crowd)).length]).toEqual([1, 0]);
});

test("the sign-in leads to the page that was requested, and nowhere outside", async () => {
  const { seller, browser } = await interrupted();
  const address = "/reports?range=30d&status=pending";
  expect(waitsAt(await browser.get(address))).toBe(address);
  await signInOnPage(browser, seller.email, address);
  for (const evil of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]) {
    const answer = await browser.post("/login", { email: seller.email, password: PASSWORD, returnTo: evil });
    expect(answer.headers.get("location")).toBe("/dashboard");
  }
});
