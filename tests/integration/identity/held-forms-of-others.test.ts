import { beforeAll, describe, expect, test } from "vitest";
import { withVersion } from "#tests/integration/identity/form-version.ts";
import { ageSignIn, PASSWORD, passwordHash, signedInAgo } from "#tests/integration/identity/signed-in-ago.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

type Browser = ReturnType<typeof visitor>;

/** A browser's cookie, as it sends it. */
function cookieOf(browser: Browser, name: string): string {
  const cookie = browser.cookies().find((pair) => pair.startsWith(`${name}=`));
  if (!cookie) throw new Error(`the browser has no cookie ${name}`);
  return cookie;
}

/** A browser with the cookies of several. */
const browserWith = (...cookies: string[]) => visitor(app.url, { Cookie: cookies.join("; ") });

async function signIn(browser: Browser, { email }: { email: string }, password = PASSWORD) {
  expect((await browser.json("/api/sessions", { email, password })).status).toBe(200);
}

/** The two reasons why a form is held: a sign-in that is not recent, and a session that ended. */
const WAYS = [
  {
    name: "a form that waits for the password",
    cookie: "retomar",
    field: "held",
    page: (_id: string) => "/confirm-identity",
    /** A seller signed in, and a form of theirs that waits in that browser. */
    async hold() {
      const { seller, browser } = await signedInAgo(app, 11);
      const challenged = await browser.post("/settings?tab=gateways", await keyOf(seller, browser));
      expect(challenged.headers.get("location")).toBe("/confirm-identity");
      return { seller, browser, id: await newestOf(seller) };
    },
  },
  {
    name: "a form whose session had ended",
    cookie: "interrompido",
    field: "resume",
    page: (id: string) => `/resume-form?form=${id}`,
    async hold() {
      const { seller, browser } = await signedInAgo(app, 0);
      const fields = await keyOf(seller, browser);
      await sql`delete from sessions where seller_id = ${seller.id}`;
      const challenged = await browser.post("/settings?tab=gateways", fields);
      expect(challenged.headers.get("location")).toContain("/login?returnTo=");
      await signIn(browser, seller);
      return { seller, browser, id: await newestOf(seller) };
    },
  },
];

/** The form that gives a seller's shop another key of a payment provider. */
const keyOf = (seller: { id: string }, browser: Browser) =>
  withVersion(browser.get, {
    intent: "gateways",
    saves: "gateways",
    pushinpay_enabled: "on",
    pushinpay_api_key: `6|sandbox-de-${seller.id}`,
  });

async function newestOf(seller: { id: string }): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select id from held_forms where seller_id = ${seller.id} order by created_at desc limit 1`;
  return row!.id;
}

const accountsOf = async (...sellers: { id: string }[]) =>
  (
    await sql`select 1 from gateway_accounts
      where provider = 'pushinpay' and seller_id = any(${sellers.map(({ id }) => id)})`
  ).length;

describe.each(WAYS)("$name", ({ cookie, field, page, hold }) => {
  /** That a browser neither sees nor sends the form. */
  async function expectClosed(browser: Browser, id: string) {
    const shown = await browser.get(page(id));
    expect(await shown.text()).not.toContain(`value="${id}"`);
    const sent = await browser.post("/settings?tab=gateways", { [field]: id });
    expect(sent.status).toBe(409);
    expect(await sent.text()).toContain("já não está guardado");
  }

  test("is refused to another seller with its cookie, and to its seller with another's", async () => {
    const a = await hold();
    const b = await hold();
    const sessionOf = (browser: Browser) => cookieOf(browser, "sessao");
    for (const [session, key] of [
      [b, a],
      [a, b],
    ] as const)
      for (const id of [a.id, b.id])
        await expectClosed(browserWith(sessionOf(session.browser), cookieOf(key.browser, cookie)), id);
    // Both cookies in one browser, in either order.
    const keys = [cookieOf(a.browser, cookie), cookieOf(b.browser, cookie)];
    await expectClosed(browserWith(sessionOf(a.browser), ...keys), b.id);
    await expectClosed(browserWith(sessionOf(a.browser), ...keys.toReversed()), b.id);
    expect(await accountsOf(a.seller, b.seller)).toBe(0);
  });

  test("does not follow a browser from one seller to the next, nor show that it exists", async () => {
    const { seller, browser, id } = await hold();
    const next = await makeSeller({ passwordHash });
    await signIn(browser, next);
    await ageSignIn(next, 11);
    expect(await (await browser.get(page(id))).text()).not.toContain("O que você digitou está guardado");
    const again = await browser.post("/confirm-identity", { held: id, password: PASSWORD });
    expect(again.status).toBe(409);
    await expectClosed(browser, id);
    expect(await accountsOf(seller, next)).toBe(0);
  });

  test("can be sent again where its save failed with an error of ours", async () => {
    const { seller, browser, id } = await hold();
    if (field === "held") await browser.post("/confirm-identity", { held: id, password: PASSWORD });
    await sql`create function break_save() returns trigger language plpgsql as $$ begin raise 'broken by a test'; end $$`;
    await sql`create trigger break_save before insert or update on gateway_accounts for each row execute function break_save()`;
    try {
      const failed = await browser.post("/settings?tab=gateways", { [field]: id });
      expect(failed.status).toBe(500);
    } finally {
      await sql`drop function break_save cascade`;
    }
    await until(
      async () => (await sql`select 1 from held_forms where id = ${id} and resumed_at is null`).length === 1,
    );
    const sent = await browser.post("/settings?tab=gateways", { [field]: id });
    expect(sent.status).toBeLessThan(400);
    expect(await accountsOf(seller)).toBe(1);
    // Once it was saved, a second click sends nothing.
    expect((await browser.post("/settings?tab=gateways", { [field]: id })).status).toBe(302);
  });

  test("is gone once its seller's password was changed elsewhere", async () => {
    const { seller, browser, id } = await hold();
    const elsewhere = visitor(app.url);
    await signIn(elsewhere, seller);
    const password = "outra-senha-nova-22";
    const fields = { intent: "password", currentPassword: PASSWORD, password, confirmPassword: password };
    const changed = await elsewhere.post("/settings", fields);
    expect(changed.headers.get("location")).toBe("/settings?tab=seguranca");
    // The session that ended with the old password, and one opened by the new password in the same browser.
    const ended = await browser.post("/settings?tab=gateways", { [field]: id });
    expect(ended.headers.get("location")).toMatch(/^\/login/);
    await signIn(browser, seller, password);
    await expectClosed(browser, id);
    expect(await accountsOf(seller)).toBe(0);
  });

  test("is shut once it expired, though its row is still there", async () => {
    const { seller, browser, id } = await hold();
    await sql`update held_forms set expires_at = now() where id = ${id}`;
    await expectClosed(browser, id);
    expect(await accountsOf(seller)).toBe(0);
  });

  test("is sent to no other page than its own", async () => {
    const { seller, browser, id } = await hold();
    await ageSignIn(seller, 0);
    for (const address of ["/settings/email", "/settings/utmfy", "/settings/webhooks/new"])
      expect((await browser.post(address, { [field]: id })).status, address).toBe(409);
    expect(await accountsOf(seller)).toBe(0);
    expect((await browser.post("/settings?tab=gateways", { [field]: id })).status).toBe(302);
    expect(await accountsOf(seller)).toBe(1);
  });

  test("sent many times at once is one change, with one notification", async () => {
    const { seller, browser, id } = await hold();
    await ageSignIn(seller, 0);
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => browser.post("/settings?tab=gateways", { [field]: id })),
    );
    const statuses = sent.map(({ status }) => status);
    expect(statuses).toContain(302);
    expect(
      statuses.filter((status) => ![302, 409].includes(status)),
      statuses.join(),
    ).toEqual([]);
    expect(await accountsOf(seller)).toBe(1);
    const mailed = await sql`select 1 from mails where seller_id = ${seller.id} and kind = 'security-notice'`;
    expect(mailed).toHaveLength(1);
  });
});
