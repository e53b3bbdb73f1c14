import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { paths } from "#app/kit/paths.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { action } from "#app/routes/api/webhooks/payment.ts";
import { order } from "#tests/integration/payments/support.ts";
import { mercadopagoRig } from "#tests/integration/providers/mercadopago-rig.ts";
import { pushinpayRig, type Rig, secondRig } from "#tests/integration/providers/rigs.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";
import { wooviRig } from "#tests/integration/providers/woovi-rig.ts";
import { endKept, keepsDatabase, startApp } from "#tests/support/app.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { afterFile, setForFile } from "#tests/support/run/after-file.ts";
import { testInTurn } from "#tests/support/run/ways.ts";

/** Each provider with its side of the wire, the second one registered as a real one would be. */
export async function openRigs(): Promise<[string, Rig][]> {
  return (await openRigsWithSandbox()).rigs;
}

/**
 * `test` for rules of ours that are the same at every provider: each is tested at two of them, the next one at two others; at
 * all of them with `EVERY_WAY`. What a provider's own code decides is tested at each.
 */
export function testAtTwo({ provider }: Rig) {
  const names = Object.keys(providers);
  return testInTurn(names.indexOf(provider.name), names.length, 2);
}

/** What Woovi signs with for all files of this process: the app fetches unknown keys once a minute. */
const state = globalThis as { wooviKey?: string };

/**
 * The same, and the sandbox that plays the real ones. The webhooks' route has the port of the web process that an earlier
 * file may have left.
 */
export async function openRigsWithSandbox(): Promise<{ sandbox: SandboxControl; rigs: [string, Rig][] }> {
  if (keepsDatabase()) await endKept();
  const { sandbox } = await startApp({ web: 0, worker: 0 });
  state.wooviKey ??= generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  await sandbox.post("/woovi", { useKey: state.wooviKey });
  await sandbox.gate({ enabled: false });
  const first = pushinpayRig(sandbox);
  await sandbox.webhooks({ header: { name: "x-pushinpay-token", value: first.secret } });
  const rigs = [first, secondRig(), wooviRig(sandbox), mercadopagoRig(sandbox)];
  setForFile(providers, secondProvider.name, secondProvider);
  // Each provider of the app has to be here.
  const missing = Object.keys(providers).filter(
    (name) => !rigs.some(({ provider }) => provider.name === name),
  );
  if (missing.length > 0) throw new Error(`no rig for ${missing.join(", ")}`);
  await openWebhookRoute();
  return { sandbox, rigs: rigs.map((rig) => [rig.provider.label, rig]) };
}

/** The public webhook address of an account. */
export function webhookUrlOf({ provider }: Rig, { hookToken }: { hookToken: string }): string {
  return process.env.APP_URL + paths.paymentWebhook(provider.name, hookToken);
}

/** A shop that is paid through a provider, its webhook secret saved. */
export async function openShopAt(rig: Rig, priceCents = 9700) {
  const { provider, apiKey, secret } = rig;
  const seller = await makeSeller();
  const sealed = { webhookSecretSealed: secret === "" ? null : seal(secret) };
  const gateway = await makeGateway(seller, { provider: provider.name, apiKey, ...sealed });
  await rig.connect?.(apiKey, webhookUrlOf(rig, gateway));
  const product = await makeProduct(seller, { priceCents });
  return { seller, product, gateway };
}

/** Orders as a new buyer. @returns the sale's id */
export async function orderAt(productId: number, document: string | null = "52998224725"): Promise<string> {
  const email = `${crypto.randomUUID()}@exemplo.com.br`;
  const customer = { name: "Bia Compradora", email, phone: null, document };
  return (await placeSale(order(productId, { customer }))).saleId;
}

/** An order with a code. */
export async function buyAt(productId: number) {
  const saleId = await orderAt(productId);
  return { saleId, ...(await chargeOf((await startPix(saleId)).chargeId)) };
}

export async function chargeOf(chargeId: string) {
  const [row] = await sql`select * from charges where id = ${chargeId}`;
  return { chargeId, providerId: row!.provider_id as string, charge: row! };
}

/** Checks a charge as if enough time had passed since the last check. */
export async function checkAgain(chargeId: string) {
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  return checkCharge(chargeId);
}

/** Claims the check of a charge that a webhook scheduled. @returns whether there was one */
export async function claimCheck(chargeId: string): Promise<boolean> {
  const due =
    await sql`update charges set next_check_at = null where id = ${chargeId} and next_check_at <= now() returning 1`;
  return due.length > 0;
}

/**
 * The webhook's route on this test file's own public address, in the test's process: there a provider that tests
 * registered is known. Ends with the file.
 */
async function openWebhookRoute(): Promise<void> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url!, process.env.APP_URL);
    const [, , , provider, hookToken] = url.pathname.split("/");
    const headers = new Headers(incoming.headers as Record<string, string>);
    const request = new Request(url, { method: "POST", headers, body: Buffer.concat(chunks) });
    const answer = await action({ request, params: { provider, hookToken }, context: {} });
    outgoing.writeHead(answer.status).end(await answer.text());
  }).unref();
  await new Promise<void>((resolve) => server.listen(Number(new URL(process.env.APP_URL!).port), resolve));
  afterFile(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
}
