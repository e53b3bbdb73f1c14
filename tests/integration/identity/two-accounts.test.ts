import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, passwordHash } from "#tests/integration/identity/signed-in-ago.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { formsOf } from "#tests/support/clients/page-forms.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

const PAGE = "/settings?tab=seguranca";
type Browser = ReturnType<typeof visitor>;

async function signIn(browser: Browser, { email }: { email: string }) {
  expect((await browser.json("/api/sessions", { email, password: PASSWORD })).status).toBe(200);
}

const keysOf = async (seller: { id: string }) =>
  (await sql`select from api_keys where seller_id = ${seller.id}`).length;
const heldOf = (seller: { id: string }) =>
  sql<{ id: string }[]>`select id from held_forms where seller_id = ${seller.id}`;

/** A form of the first seller's page, and their browser, in which the second has signed in since, in another tab. */
async function twoTabs() {
  const [first, second] = [await makeSeller({ passwordHash }), await makeSeller({ passwordHash })];
  const browser = visitor(app.url);
  await signIn(browser, first);
  const html = await (await browser.get(PAGE)).text();
  const form = formsOf(PAGE, html).find(({ fields }) => fields.some(([, value]) => value === "create-key"))!;
  const account = /data-account="([^"]+)"/.exec(html)![1]!;
  await signIn(browser, second);
  await browser.get("/dashboard");
  const fields = { ...Object.fromEntries(form.fields), intent: "create-key", name: "Chave da primeira" };
  return { first, second, browser, fields, account };
}

describe("a form of one account's page, sent after another account signed in in its browser,", () => {
  test("is saved in neither, and kept for the first alone", async () => {
    const { first, second, browser, fields } = await twoTabs();
    const answer = await browser.post(PAGE, fields);
    const [held] = await heldOf(first);
    const kept = `/resume-form?form=${held!.id}`;
    expect([answer.status, answer.headers.get("location")]).toEqual([302, kept]);
    expect([await keysOf(first), await keysOf(second), (await heldOf(second)).length]).toEqual([0, 0, 0]);
    const shown = await (await browser.get(kept)).text();
    expect(shown).toContain("O que foi digitado em outra conta só aparece para ela");
    expect(shown).not.toContain("Chave da primeira");
    const [leave] = formsOf(kept, shown).filter(({ action }) => action.startsWith("/logout"));
    const left = await browser.post(leave!.action, {});
    expect(left.headers.get("location")).toBe(`/login?returnTo=${encodeURIComponent(kept)}`);
    await signIn(browser, first);
    expect(await (await browser.get(kept)).text()).toContain("Chave da primeira");
    await browser.post(PAGE, { resume: held!.id });
    expect([await keysOf(first), await keysOf(second)]).toEqual([1, 0]);
  });

  test("is kept for the first though the second has signed out again", async () => {
    const { first, second, browser, fields } = await twoTabs();
    await sql`delete from sessions where seller_id = ${second.id}`;
    expect((await browser.post(PAGE, fields)).headers.get("location")).toContain("/login?returnTo=");
    expect([(await heldOf(first)).length, (await heldOf(second)).length]).toEqual([1, 0]);
  });

  test("is answered to the page's script as after the end of a session, and kept by the page", async () => {
    const { first, second, browser, fields, account } = await twoTabs();
    const body = new URLSearchParams(fields);
    const headers = { "X-Account": account, "X-Signs-In-Here": "1", "Sec-Fetch-Dest": "empty" };
    const answer = await browser.get("/settings.data?tab=seguranca", { method: "POST", body, headers });
    expect(answer.headers.get("x-session-ended")).toBe("other");
    expect([await keysOf(first), await keysOf(second), (await heldOf(first)).length]).toEqual([0, 0, 0]);
    await signIn(browser, first);
    await browser.get("/settings.data?tab=seguranca", { method: "POST", body, headers });
    expect(await keysOf(first)).toBe(1);
  });

  test("is accepted without the field, as from a program, and with one that nobody signed", async () => {
    const { first, second, browser, fields } = await twoTabs();
    const { account: _, ...unnamed } = fields as Record<string, string>;
    await browser.post(PAGE, unnamed);
    await browser.post(PAGE, { ...unnamed, account: `${first.id}.x` });
    expect([await keysOf(second), (await heldOf(first)).length]).toEqual([2, 0]);
  });
});

test("every form of the dashboard says whose page it is on", () => {
  const files = ["app/ui/seller", "app/routes/seller"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx"))
      .map((file) => join(folder, file)),
  );
  const plain = files.filter((file) =>
    /\bForm\b[^;]*\} from "@remix-run\/react"/.test(readFileSync(file, "utf8").replace(/\bFormProps\b/g, "")),
  );
  expect(plain).toEqual(["app/ui/seller/form/form.tsx"]);
});
