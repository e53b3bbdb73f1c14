import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { stopRemindersUrl } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import { buildPurchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { CURRENT_SEAL_SUFFIX, seal } from "#app/platform/secrets.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { order, sellOne } from "#tests/support/clients/sold-through.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeSale } from "#tests/support/make.ts";
import { makeOwnSender, stopLinkTo } from "#tests/support/rows/make-mail.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const OLD = env.APP_SECRET;
const NEW = "o segredo que vem depois, com mais de 32 letras";
const BUYER = "bia@exemplo.com.br";
const HOOK = "segredo-do-painel";

longTest(
  "the secret is changed: what was sealed, signed and ordered before stands, is sealed again, and the old one goes",
  async () => {
    const { seller, product } = await openShop();
    await sql`update gateway_accounts set webhook_secret_sealed = ${seal(HOOK)} where seller_id = ${seller.id}`;
    // As a version that named no key wrote it.
    await sql`update gateway_keys set api_key_sealed = regexp_replace(api_key_sealed, '\\.[0-9a-f]{8}$', '')`;
    await makeOwnSender(seller);
    await makeTracking(seller);
    const sell = async (app: App, email: string) => {
      await app.sandbox.webhooks({ header: { value: HOOK } });
      await sellOne(app, product.id, email);
      await mailed(app, email);
    };

    const before = await startApp();
    await sell(before, "antes@exemplo.com.br");
    const client = newAddress();
    const ordered = await order(before.url, product.id, BUYER, client);
    const named = await orderNamed(before, product.id);
    const buyer = visitor(before.url);
    await buyer.post(`/checkout/${product.id}`, TYPED);
    const page = await buyer.get(`/checkout/${product.id}?retry=1`);
    expect(await page.text()).toContain(TYPED.customer_name);
    const quiet = await makeSale(product, { customerEmail: "silencio@exemplo.com.br" });
    await stopReminders(stopLinkTo(quiet.id, quiet.customerEmail!));
    const bought = await makeSale(product, { status: "completed" });
    const [line] = await sql`select id from sale_lines where sale_id = ${bought.id}`;
    const links = [stopRemindersUrl(ordered, BUYER), downloadUrl(bought.id, line!.id)].map(pathOf);
    const moved = await makeSale(product, {
      ...{ status: "completed", customerEmail: "nova@exemplo.com.br" },
      emailCorrectedAt: new Date(Date.now() - DAY),
    });
    const purchaseLink = pathOf(buildPurchaseUrl(moved, moved.customerEmail));
    expect((await before.fetch(purchaseLink)).status).toBe(200);
    const open = (app: App) => Promise.all(links.map(async (link) => (await app.fetch(link)).status));
    expect(await open(before)).toEqual([200, 302]);
    await before.close();

    const during = await startApp({ env: { APP_SECRET: NEW, APP_SECRET_OLD: OLD } });
    expect(await order(during.url, product.id, BUYER, client)).toBe(ordered);
    expect(await orderNamed(during, product.id)).toBe(named);
    expect(await (await buyer.get(`/checkout/${product.id}?retry=1`)).text()).toContain(TYPED.customer_name);
    expect(await open(during)).toEqual([200, 302]);
    expect((await during.fetch(purchaseLink)).status).toBe(200);
    await until(() => during.log().some(({ msg }) => String(msg).includes("APP_SECRET_OLD any more")), {
      what: "everything to be sealed again",
    });
    expect(await sealedWithOld()).toEqual([]);
    await sell(during, "durante@exemplo.com.br");
    await during.close();

    const after = await startApp({ env: { APP_SECRET: NEW } });
    await sell(after, "depois@exemplo.com.br");
    // An old link that only its key opens is of no use any more; the page names the way that always leads there first.
    const ended = await after.fetch(purchaseLink);
    expect(ended.status).toBe(403);
    const shown = await ended.text();
    expect(shown).toMatch(/este link já não vale\. O acesso está em Minhas compras/);
    expect(shown).toContain('href="/minhas-compras"');
    const fresh = pathOf(underNew("buildPurchaseUrl", { id: moved.id }, moved.customerEmail));
    expect((await after.fetch(fresh)).status).toBe(200);
    expect(pathOf(underNew("stopRemindersUrl", ordered, BUYER))).not.toBe(links[0]);
    expect((await after.fetch(pathOf(underNew("stopRemindersUrl", ordered, BUYER)))).status).toBe(200);
    const [optOut] = await sql`select email_hash from reminder_opt_outs where seller_id = ${seller.id}`;
    expect(underNew("computeAddressHashes", "silencio@exemplo.com.br").split(",")).toEqual([
      optOut!.email_hash,
    ]);
  },
);

longTest("orders sent at once to processes that write with either secret are one sale", async () => {
  const { product } = await openShop();
  const first = await startApp({ worker: 0, env: { APP_SECRET_OLD: NEW } });
  const { APP_URL, SANDBOX_PORT, PUSHINPAY_BASE_URL } = process.env as Record<string, string>;
  const own = { APP_URL, SANDBOX_PORT, PUSHINPAY_BASE_URL } as Record<string, string>;
  const second = await startApp({
    worker: 0,
    sandbox: false,
    env: { ...own, APP_SECRET: NEW, APP_SECRET_OLD: OLD },
  });
  for (let i = 0; i < 5; i++) {
    const [client, email] = [newAddress(), `${randomUUID()}@exemplo.com.br`];
    const sent = [first, second, first, second].map((app) =>
      order(app.web[0]!.url, product.id, email, client),
    );
    expect(new Set(await Promise.all(sent)).size).toBe(1);
    const name = randomUUID();
    const again = [first, second].map((app) =>
      until(() => orderNamed(app, product.id, name).catch(() => undefined)),
    );
    expect(new Set(await Promise.all(again)).size).toBe(1);
  }
});

const TYPED = {
  customer_name: "Ana Que Volta",
  customer_email: "ana@exemplo.com.br",
  customer_email_confirmation: "ana@exemplo.com.br",
  customer_phone: "(11) 98765-4321",
  customer_document: "529.982.247-25",
};

/** @returns the sale of an order that has a name, sent from another browser each time */
async function orderNamed(app: App, productId: number, name = "pedido-1"): Promise<string> {
  const answer = await fetch(`${app.web[0]!.url}/api/payments/pushinpay`, {
    method: "POST",
    headers: {
      "Idempotency-Key": name,
      "User-Agent": randomUUID(),
      "X-Forwarded-For": "198.51.100.77",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({
      product_id: productId,
      customer_name: "Rui",
      customer_email: "rui@exemplo.com.br",
      customer_phone: "11987654321",
      customer_document: "52998224725",
    }),
  });
  const body = (await answer.json()) as { sale_id?: string };
  if (!answer.ok || !body.sale_id) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
  return body.sale_id;
}

/** The buyer's mail was sent with the seller's own key, and UTMify got the order with the buyer's document. */
async function mailed(app: App, email: string): Promise<void> {
  const [sale] = await sql`select id from sales where customer_email = ${email}`;
  await until(
    async () => {
      const mail = JSON.stringify(await app.sandbox.emails(email)).includes("loja@exemplo.com.br");
      const claimed = (await app.sandbox.orders()).find((one) => one.orderId === sale!.id);
      return mail && JSON.stringify(claimed ?? "").includes("52998224725");
    },
    { what: `mail and order of ${email}` },
  );
}

/** Every sealed text in the database, as a dump shows it, that is not sealed with another secret than this process's. */
async function sealedWithOld(): Promise<string[]> {
  const tables = await sql`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows = await Promise.all(tables.map(({ name }) => sql`select t::text as row from ${sql(name)} t`));
  const texts = rows
    .flat()
    .flatMap(({ row }) => (row as string).match(/v1\.[\w-]{16}\.[\w-]+(\.[0-9a-f]{8})?/g) ?? []);
  expect(texts.length).toBeGreaterThan(5);
  return texts.filter((text) => text.split(".").length < 4 || text.endsWith(CURRENT_SEAL_SUFFIX));
}

const FILES = {
  stopRemindersUrl: "#app/domain/reminder/schedule/reminder-link.server.ts",
  computeAddressHashes: "#app/domain/reminder/schedule/reminder-link.server.ts",
  buildPurchaseUrl: "#app/domain/sale/purchase-key.server.ts",
};

/** What the app reads from these if it has only the new secret. */
function underNew(make: keyof typeof FILES, ...values: unknown[]): string {
  const code = `import { ${make} } from "${FILES[make]}";
    console.log(String(${make}(...${JSON.stringify(values)})));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", APP_SECRET: NEW },
  });
  expect(stderr).toBe("");
  return stdout.trim();
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link, env.APP_URL);
  return pathname + search;
}
