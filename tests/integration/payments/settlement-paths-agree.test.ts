import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { settleCharge, settleInOneStatement } from "#app/domain/settlement/settle-charge.server.ts";
import { buy } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { columnName, schemaTables } from "#tests/support/rows/schema-tables.ts";

await startApp({ web: 0, worker: 0 });

/** Tables whose rows belong to a sale or a charge, including future ones. */
const TABLES = schemaTables
  .map(({ name, columns }) => ({ name, columns: columns.map((column) => columnName(column.name)) }))
  .flatMap(({ name, columns }) => {
    if (columns.includes("sale_id")) return [{ name, where: "sale_id = $1" }];
    if (columns.includes("charge_id"))
      return [{ name, where: "charge_id in (select id from charges where sale_id = $1)" }];
    return name === "sales" ? [{ name, where: "id = $1" }] : [];
  });

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const MOMENT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?(\d\d)?)?/g;

/** All rows of a sale, without what differs between two of the same kind: ids, times, random texts. */
async function rowsOf(saleId: string) {
  const found: Record<string, unknown[]> = {};
  for (const { name, where } of TABLES) {
    const rows = await sql.unsafe(`select * from ${name} where ${where}`, [saleId]);
    found[name] = rows.map((row) => normalize(row)).sort();
  }
  return found;
}

function normalize(row: Record<string, unknown>): string {
  const entries = Object.entries(row).map(([column, value]) => {
    const isOwn =
      /^(id|reference|provider_id|pix_code|sequence|part_of|.*_key|.*_sealed|.*seller_id|product_id|.*_id)$/.test(
        column,
      );
    return [column, isOwn && value !== null ? "own" : value];
  });
  return JSON.stringify(Object.fromEntries(entries))
    .replace(UUID, "id")
    .replace(MOMENT, "moment")
    .replace(/"pixCode":"[^"]+"/g, "code")
    .replace(/"tookMs":\d+/g, "duration");
}

/** The next number of a row that a seed names. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random shop with an order and a payment of it, the same for the same seed. */
async function paidOrder(seed: number) {
  const next = numbers(seed);
  const email = `vende-${crypto.randomUUID()}@exemplo.com.br`;
  const seller = await makeSeller({
    ...{ email, notifyNewSale: next(2) === 0, notifyFailedPayment: next(2) === 0 },
  });
  await makeGateway(seller);
  const product = await makeProduct(seller, { priceCents: 500 + next(50_000) });
  const bump = await makeBump(product);
  const forms = ["standard", "kiwify", "hotmart"] as const;
  for (let n = next(3); n > 0; n--)
    await makeWebhook(seller, {
      ...{ name: `alike-${n}`, form: forms[next(3)]! },
      ...(next(4) === 0 ? { stoppedAt: new Date() } : {}),
    });
  const customer = {
    name: "Bia Compradora",
    email: next(5) === 0 ? null : "bia@exemplo.com.br",
    phone: null,
    document: next(2) === 0 ? "52998224725" : null,
  };
  const campaign = next(2) === 0 ? { utm_source: "instagram", src: "bio" } : {};
  const buyerContext = { client: crypto.randomUUID(), userAgent: "test", placedSaleIds: [] };
  const bumpIds = next(2) === 0 ? [bump.id] : [];
  const { saleId, chargeId, providerId } = await buy(product.id, {
    customer,
    campaign,
    buyerContext,
    bumpIds,
  });
  const before = (["open", "expired"] as const)[next(2)]!;
  await sql`update charges set status = ${before} where id = ${chargeId}`;
  const closed = (["pending", "pending", "failed", "cancelled"] as const)[next(4)]!;
  await sql`update sales set status = ${closed} where id = ${saleId}`;
  const [charge] =
    await sql`select id, seller_id as "sellerId", status, method, amount_cents as "amountCents" from charges where id = ${chargeId}`;
  const sale = (await readSaleContacts(db, saleId))!;
  const paid: ProviderTransaction = {
    ...{ providerId, state: "paid", providerStatus: "paid", amountCents: charge!.amountCents },
    ...{ feeCents: next(3) === 0 ? null : next(300), refundedCents: null, webhookUrl: null },
  };
  return { email, saleId, chargeId, paid, read: { charge: charge as never, sale } };
}

test.for(Array.from({ length: 24 }, (_, seed) => seed))(
  "one statement and several write the same rows: history %s",
  async (seed) => {
    const [one, other] = [await paidOrder(seed), await paidOrder(seed)];
    expect(await settleInOneStatement(one.read, one.paid)).toBe(true);
    expect(await settleCharge(other.chargeId, other.paid)).toBe("settled");
    const written = JSON.stringify(await rowsOf(one.saleId)).replaceAll(one.email, "seller");
    const alike = JSON.stringify(await rowsOf(other.saleId)).replaceAll(other.email, "seller");
    expect(JSON.parse(written)).toEqual(JSON.parse(alike));
    expect(JSON.parse(written)).toMatchObject({
      sale_events: expect.arrayContaining([expect.stringContaining('"kind":"completed"')]),
      charge_events: expect.arrayContaining([expect.stringContaining('"kind":"paid"')]),
      paced_checks: [expect.any(String)],
    });
  },
);
