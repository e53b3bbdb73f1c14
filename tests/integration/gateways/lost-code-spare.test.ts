import { expect, test } from "vitest";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { cardShop, orderCard } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway } from "#tests/support/make.ts";

const app = await startApp({ web: 0, worker: 0 });

/** An order whose first code was lost at Woovi, and whose code of the spare has expired. */
async function goneToSpare() {
  const { seller, product } = await cardShop();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  await saveGateways(seller.id, { first_provider: "woovi" });
  const saleId = await orderCard(product.id);
  await app.sandbox.fault({ service: "woovi", mode: "reset", times: 2 });
  const { chargeId } = await startPix(saleId);
  expect(await chargesOf(saleId)).toEqual([
    { provider: "woovi", status: "failed" },
    { provider: "pushinpay", status: "open" },
  ]);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  return { saleId, chargeId };
}

const chargesOf = async (saleId: string) => [
  ...(await sql`select provider, status from charges where sale_id = ${saleId} order by created_at`),
];

test.each(["reset", "status-503", "status-401"] as const)(
  "an order whose first code was lost goes on at the spare while that provider answers %s",
  async (mode) => {
    const { saleId, chargeId } = await goneToSpare();
    await app.sandbox.fault({ service: "woovi", mode, times: 50 });
    const again = await startPix(saleId).finally(() => app.sandbox.endFaults("woovi"));
    expect(again.chargeId).not.toBe(chargeId);
    expect(await chargesOf(saleId)).toEqual([
      { provider: "woovi", status: "failed" },
      { provider: "pushinpay", status: "open" },
      { provider: "pushinpay", status: "open" },
    ]);
    const [event] = await sql`select data ->> 'insteadOf' as other from charge_events
      where charge_id = ${again.chargeId} and kind = 'requested'`;
    expect(event).toEqual({ other: "a Woovi" });
  },
);
