import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { showWebhookSetup } from "#app/domain/gateway/webhook-setup/show-webhook-setup.server.ts";
import { webhookTestQueue } from "#app/domain/pix/run-webhook-test.server.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";

export const PROVIDER = "mercadopago";

/** A seller with saved keys, and what of them is entered in the provider's panel. */
export async function openSetup(app: App, panel: object = {}) {
  const seller = await makeSeller();
  const [accessToken, secret] = [
    `APP_USR-sandbox-${crypto.randomUUID()}`,
    `assinatura-${crypto.randomUUID()}`,
  ];
  await saveGateways(seller.id, {
    ...{
      mercadopago_enabled: true,
      mercadopago_access_token: accessToken,
      mercadopago_webhook_secret: secret,
    },
  });
  const { mercadopago_webhook_url: webhookUrl } = await showGateways(seller.id);
  await app.sandbox.post("/mercadopago", { accessToken, webhookUrl, secret, ...panel });
  return { seller, accessToken, secret, webhookUrl: String(webhookUrl) };
}

/** Runs what is due, as a worker does. */
export async function runDue(): Promise<void> {
  for (const test of await webhookTestQueue.claim(10)) await webhookTestQueue.handle(test);
}

/** As that many seconds later; whatever leased it is gone. */
export async function later({ id }: { id: string }, seconds: number): Promise<void> {
  await sql`update webhook_tests set started_at = started_at - make_interval(secs => ${seconds}),
    ordered_at = ordered_at - make_interval(secs => ${seconds}), expires_at = expires_at - make_interval(secs => ${seconds}),
    scheduled_at = case when scheduled_at is not null then now() end where seller_id = ${id}`;
}

export async function rowOf({ id }: { id: string }) {
  const [row] =
    await sql`select * from webhook_tests where seller_id = ${id} order by started_at desc limit 1`;
  return row!;
}

/** The test as its seller sees it: the result, the state of each step, and all that is said of them. */
export async function seen({ id }: { id: string }) {
  const { test } = await showWebhookSetup(id, PROVIDER);
  const { result, steps } = test!;
  return {
    result,
    states: steps.map(({ state }) => state),
    text: steps.flatMap(({ text }) => text ?? []).join(" "),
  };
}

/** The state of each order of this account at the provider. */
export async function ordersOf(app: App, seller: { id: string }): Promise<string[]> {
  const rows = await sql<{ provider_id: string }[]>`
    select provider_id from webhook_tests where seller_id = ${seller.id} and provider_id is not null order by started_at`;
  return Promise.all(rows.map(async (row) => (await app.sandbox.transaction(row.provider_id)).status));
}
