import { beforeAll, describe, expect, test } from "vitest";
import { unseal } from "#app/platform/secrets.server.ts";
import { withVersion } from "#tests/integration/identity/form-version.ts";
import { ageSignIn, PASSWORD, signedInAgo } from "#tests/integration/identity/signed-in-ago.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

type Browser = ReturnType<typeof visitor>;
type Form = { page: string; fields: Record<string, string> };

const KEY: Form = {
  page: "/settings?tab=seguranca",
  fields: { intent: "create-key", name: "Integração", "scopes[0]": "read" },
};

/** A copy of a browser as it is now. */
const copyOf = (browser: Browser) => visitor(app.url, { Cookie: browser.cookies().join("; ") });

/** Posts a form that waits for the password. @returns its id */
async function hold(seller: { id: string }, browser: Browser, { page, fields }: Form): Promise<string> {
  const challenged = await browser.post(page, fields);
  expect(challenged.headers.get("location")).toBe("/confirm-identity");
  const [row] =
    await sql`select id from held_forms where seller_id = ${seller.id} order by created_at desc limit 1`;
  return row!.id;
}

const heldOf = (seller: { id: string }) => sql<{ fieldsSealed: string }[]>`
  select fields_sealed as "fieldsSealed" from held_forms where seller_id = ${seller.id}`;

describe("a second confirmation, as of a double click or after a lost answer,", () => {
  /** A seller whose form waits, and who confirmed; `before` is the browser as it was until then. */
  async function confirmed() {
    const { seller, browser } = await signedInAgo(app, 11);
    await browser.get("/settings");
    const held = await hold(seller, browser, KEY);
    const before = copyOf(browser);
    expect((await browser.post("/confirm-identity", { held, password: PASSWORD })).status).toBe(307);
    const second = await before.post("/confirm-identity", { held, password: PASSWORD });
    expect(second.headers.get("location")).toBe("/login?returnTo=%2Fconfirm-identity");
    return { seller, browser, before, second };
  }

  test("stores no password", async () => {
    const { seller } = await confirmed();
    const rows = await heldOf(seller);
    expect(rows).toHaveLength(1);
    expect(unseal(rows[0]!.fieldsSealed)).not.toContain(PASSWORD);
  });

  test("signs nobody out, and leads to the form that waits", async () => {
    const { browser, second } = await confirmed();
    expect(second.headers.getSetCookie()).toEqual([]);
    const { at, answer } = await browser.follow(await browser.get(second.headers.get("location")!));
    expect(at.pathname).toBe("/confirm-identity");
    expect(await answer.text()).toContain("Continuar e");
  });

  test("offers the form after signing in, where the new session never arrived", async () => {
    const { seller, browser, before } = await confirmed();
    const held = browser.cookies().find((pair) => pair.startsWith("retomar="))!;
    const fields = { email: seller.email, password: PASSWORD, returnTo: "/confirm-identity" };
    await before.post("/login", fields);
    const again = visitor(app.url, { Cookie: [...before.cookies(), held].join("; ") });
    expect(await (await again.get("/confirm-identity")).text()).toContain("Confirmado: é você.");
  });
});

test("a change of password whose session had ended is not stored", async () => {
  const { seller, browser } = await signedInAgo(app, 0);
  await browser.get("/settings");
  await sql`delete from sessions where seller_id = ${seller.id}`;
  const password = "quatro cavalos de papel";
  const fields = { intent: "password", currentPassword: PASSWORD, password, confirmPassword: password };
  const answer = await browser.post("/settings?tab=seguranca", fields);
  expect(answer.headers.get("location")).toBe(
    `/login?returnTo=${encodeURIComponent("/settings?tab=seguranca")}`,
  );
  expect(await heldOf(seller)).toEqual([]);
});

test("of two tabs that wait for the password each gets its own form back", async () => {
  const { seller, browser } = await signedInAgo(app, 11);
  const first = await hold(seller, browser, KEY);
  const gateways = { intent: "gateways", saves: "gateways", pushinpay_enabled: "on" };
  const fields = await withVersion(browser.get, { ...gateways, pushinpay_api_key: "6|sandbox-segunda" });
  const second = await hold(seller, browser, { page: "/settings?tab=gateways", fields });
  for (const [held, page] of [
    [first, KEY.page],
    [second, "/settings?tab=gateways"],
  ] as const) {
    await ageSignIn(seller, 11);
    const confirmed = await browser.post("/confirm-identity", { held, password: PASSWORD });
    expect([confirmed.status, confirmed.headers.get("location")]).toEqual([307, page]);
    expect((await browser.post(page, { held, password: PASSWORD })).status).toBeLessThan(400);
  }
  expect(await sql`select from api_keys where seller_id = ${seller.id}`).toHaveLength(1);
  expect(
    await sql`select from gateway_accounts where seller_id = ${seller.id} and provider = 'pushinpay'`,
  ).toHaveLength(1);
});

test("a form that is no longer stored is reported where its password was asked for", async () => {
  const { seller, browser } = await signedInAgo(app, 11);
  const held = await hold(seller, browser, KEY);
  await sql`update held_forms set expires_at = now() where id = ${held}`;
  const answer = await browser.post("/confirm-identity", { held, password: PASSWORD });
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("O que você digitou já não está guardado");
});

describe("a form sent again is not made twice, and its page says that it was sent:", () => {
  const ALREADY = "Isto já foi enviado: confira abaixo.";

  async function sentTwice(browser: Browser, page: string, fields: Record<string, string>) {
    const answers = await Promise.all([browser.post(page, fields), browser.post(page, fields)]);
    answers.push(await browser.post(page, fields));
    const again = answers.filter(({ headers }) => headers.get("location") === page);
    expect(again).toHaveLength(2);
    expect(await (await browser.get(page)).text()).toContain(ALREADY);
  }

  test("one that waited for the password", async () => {
    const { seller, browser } = await signedInAgo(app, 11);
    const held = await hold(seller, browser, KEY);
    await ageSignIn(seller, 0);
    await sentTwice(browser, KEY.page, { held });
    expect(await sql`select from api_keys where seller_id = ${seller.id}`).toHaveLength(1);
  });

  test("one whose session had ended", async () => {
    const { seller, browser } = await signedInAgo(app, 0);
    await browser.get("/settings");
    await sql`delete from sessions where seller_id = ${seller.id}`;
    const ended = await browser.post(KEY.page, KEY.fields);
    const returnTo = new URL(ended.headers.get("location")!, app.url).searchParams.get("returnTo")!;
    await browser.post("/login", { email: seller.email, password: PASSWORD });
    const resume = new URL(returnTo, app.url).searchParams.get("form")!;
    await sentTwice(browser, KEY.page, { resume });
    expect(await sql`select from api_keys where seller_id = ${seller.id}`).toHaveLength(1);
  });
});

describe("a copy of this browser's cookie opens nothing", () => {
  const isSignedIn = async (browser: Browser) => (await browser.get("/api/users/me")).status === 200;

  test("once the password was changed", async () => {
    const { browser } = await signedInAgo(app, 0);
    const stolen = copyOf(browser);
    const password = "quatro cavalos de papel";
    const fields = { intent: "password", currentPassword: PASSWORD, password, confirmPassword: password };
    const { answer } = await browser.follow(await browser.post("/settings", fields));
    expect(await answer.text()).toContain("As outras sessões foram encerradas");
    expect([await isSignedIn(browser), await isSignedIn(stolen)]).toEqual([true, false]);
  });

  test("once all other access was ended", async () => {
    const { browser } = await signedInAgo(app, 0);
    const stolen = copyOf(browser);
    const { answer } = await browser.follow(await browser.post("/settings/access", { intent: "end-access" }));
    expect(await answer.text()).toContain("só esta sessão ficou aberta");
    expect([await isSignedIn(browser), await isSignedIn(stolen)]).toEqual([true, false]);
  });
});
