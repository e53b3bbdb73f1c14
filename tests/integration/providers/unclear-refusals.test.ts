import { beforeAll, expect, test } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import {
  buyAt,
  checkAgain,
  openRigsWithSandbox,
  openShopAt,
  orderAt,
} from "#tests/integration/providers/support.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { everyNth } from "#tests/support/run/ways.ts";

let rigs: Map<string, Rig>;
let sandbox: SandboxControl;
beforeAll(async () => {
  const opened = await openRigsWithSandbox();
  sandbox = opened.sandbox;
  rigs = new Map(opened.rigs);
});

const PAGE = "<!DOCTYPE html><html><title>Attention Required! | Cloudflare</title></html>";
/** Answers that do not say that nothing was done. */
const UNCLEAR = [
  ...[302, 408, 409, 423, 425, 499, 500].map((status) => [status, ""] as const),
  ...[400, 403, 422].map((status) => [status, PAGE] as const),
];
/** Half of the answers at each provider, the others at the next one. */
const at = (...labels: string[]) =>
  labels.flatMap((label, nth) =>
    everyNth(2, UNCLEAR, nth % 2).map(([status, body]) => [label, status, body] as const),
  );

/** Does what it is asked, and answers so. */
function unclear(rig: Rig, route: string, status: number, body: string) {
  const service = rig.provider.name as "woovi";
  return sandbox.fault({ service, route, mode: `status-${status}`, body, after: true });
}

test.each(at("Woovi", "Mercado Pago"))(
  "a part refund that %s did and answered %i is not made twice",
  async (label, status, body) => {
    const rig = rigs.get(label)!;
    const { seller, product } = await openShopAt(rig);
    const { chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId);
    await checkAgain(chargeId);
    await sandbox.post(`/${rig.provider.name}`, { refunds: "processing" });
    await unclear(rig, "refund", status, body);
    expect(await refundCharge(seller.id, chargeId, 2500)).toEqual({ status: "pending" });
    // The check finds that it is not done yet.
    await checkAgain(chargeId);
    await expect(refundCharge(seller.id, chargeId, 2500)).rejects.toThrow("em andamento");
    expect((await sandbox.transaction(providerId)).refunds).toHaveLength(1);
    await sandbox.post(`/${rig.provider.name}`, { refunds: "confirmed" });
  },
);

test.each(at("PushInPay", "Woovi", "Mercado Pago"))(
  "a code that %s made and answered %i fails neither its order nor the seller's key",
  async (label, status, body) => {
    const rig = rigs.get(label)!;
    const { seller, product } = await openShopAt(rig);
    const saleId = await orderAt(product.id);
    await unclear(rig, rig.provider.name === "pushinpay" ? "cashIn" : "create", status, body);
    // The others find the code.
    if (label === "PushInPay") await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
    else await startPix(saleId);
    const { status: saleStatus, charges } = await stateOf(saleId);
    expect(saleStatus).toBe("pending");
    expect(charges.at(-1)).toMatchObject(
      label === "PushInPay" ? { failure: expect.stringMatching(/^no-answer: /) } : { status: "open" },
    );
    expect(await findRefusedAccounts(seller.id)).toEqual([]);
    const mails = await sql`select kind from mails where sale_id = ${saleId} or seller_id = ${seller.id}`;
    expect(mails.map(({ kind }) => kind)).not.toContain("failed-payment");
  },
);

test.each(["PushInPay", "Woovi", "Mercado Pago"])(
  "a check that a page of a firewall answers does not refuse the key of %s",
  async (label) => {
    const rig = rigs.get(label)!;
    const { seller, product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId);
    const service = rig.provider.name as "woovi";
    await sandbox.fault({ service, mode: "status-403", body: PAGE });
    await expect(checkAgain(chargeId)).rejects.toMatchObject({ kind: "busy" });
    expect(await findRefusedAccounts(seller.id)).toEqual([]);
    await sandbox.fault({ service, mode: "status-403", body: PAGE });
    await expect(rig.provider.checkCredentials({ apiKey: rig.apiKey })).rejects.toMatchObject({
      kind: "busy",
    });
    await checkAgain(chargeId);
    expect((await stateOf(saleId)).status).toBe("completed");
  },
);

test.each(["PushInPay", "Woovi", "Mercado Pago"])(
  "that %s limits our calls is an answer, in whatever words",
  async (label) => {
    const { provider, apiKey } = rigs.get(label)!;
    const service = provider.name as "woovi";
    // As Envoy's limit answers, which knows no provider's errors.
    const limited = () =>
      sandbox.fault({ service, mode: "status-429", body: "local_rate_limited", times: 1 });
    const payer = { name: "Bia", email: "bia@exemplo.com.br", document: null };
    const webhookUrl = "https://loja.test/w";
    const charge = { amountCents: 9700, reference: crypto.randomUUID(), webhookUrl, payer };
    await limited();
    await expect(provider.createCharge({ apiKey }, charge)).rejects.toMatchObject({ kind: "busy" });
    await limited();
    const refund = { reference: crypto.randomUUID(), amountCents: null };
    await expect(provider.refund({ apiKey }, "ORD01ABCDEF", refund)).rejects.toMatchObject({ kind: "busy" });
  },
);
