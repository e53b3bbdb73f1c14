import { afterEach, expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { registerFile } from "#app/domain/file/register-file.server.ts";
import { findSession } from "#app/domain/identity/access/find-session.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { schedulePicture } from "#app/domain/picture/begin-picture.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { watchWebClock } from "#app/metrics/web-clock.server.ts";
import { metricsText } from "#app/platform/metrics.server.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";

await startApp({ web: 0, worker: 0 });

/** What this process's clock is ahead of the database's, which is another machine's. */
const AHEAD = [-20 * MINUTE, 20 * MINUTE];
const setClock = (ahead: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ahead });

afterEach(() => void vi.useRealTimers());

test.each(AHEAD)(
  "a code that can be paid is the only one, though this clock is ahead by %i ms",
  async (ahead) => {
    const { product } = await openShop();
    const sale = await makeSale(product);
    const { id } = await makeCharge(sale, { expiresAt: new Date(Date.now() + 10 * MINUTE) });
    setClock(ahead);
    expect(await startPix(sale.id)).toEqual({ chargeId: id });
  },
);

test.each(AHEAD)(
  "a new code ends by the database's clock, though this one is ahead by %i ms",
  async (ahead) => {
    const { product } = await openShop();
    const sale = await makeSale(product);
    setClock(ahead);
    const { chargeId } = await startPix(sale.id);
    // PushinPay does not say when its codes end.
    const [row] = await sql`select expires_at - now() between '29 minutes' and '30 minutes' as is_half_hour
    from charges where id = ${chargeId}`;
    expect(row).toEqual({ is_half_hour: true });
  },
);

test.each(AHEAD)(
  "a sale that is paid after it was anonymized is its buyer's, though this clock is ahead by %i ms",
  async (ahead) => {
    const { product } = await openShop();
    const sale = await makeSale(product, { customerEmail: null, customerName: null });
    const { id, providerId } = await makeCharge(sale);
    await sql`update sales set anonymized_at = now() where id = ${sale.id}`;
    setClock(ahead);
    const paid = { providerStatus: "paid", feeCents: null, refundedCents: null, webhookUrl: null };
    const answer = { ...paid, providerId: providerId!, state: "paid", amountCents: 9700 } as const;
    expect(await settleCharge(id, answer)).toBe("settled");
    const [row] = await sql`select completed_at > anonymized_at as is_later from sales where id = ${sale.id}`;
    expect(row).toEqual({ is_later: true });
  },
);

test.each(AHEAD)("a sign-in counts as recent, though this clock is ahead by %i ms", async (ahead) => {
  const { id } = await makeSeller();
  setClock(ahead);
  const token = await openSession(id, { ip: null, userAgent: null });
  expect(await findSession(token)).toMatchObject({ id, isRecent: true });
});

test.each(AHEAD)(
  "an upsell can be accepted while it is shown, though this clock is ahead by %i ms",
  async (ahead) => {
    const { product, seller } = await openShop();
    const upsell = await makeUpsell(product);
    const { id: saleId } = await makeSale(product, { status: "completed" });
    const show = () => startNextUpsell({ sellerId: seller.id, saleId, productId: product.id });
    setClock(ahead);
    expect(await show()).toMatchObject({ id: upsell.id });
    setClock(-ahead);
    expect(await show()).toMatchObject({ id: upsell.id });
    const accepted = { ...ANY_TERMS, saleId, upsellId: upsell.id, buyerContext: { client: saleId } };
    expect(await acceptUpsell(accepted)).toEqual({ saleId: expect.any(String), isEarlier: false });
  },
);

test.each(AHEAD)("a picture is due at once, though this clock is ahead by %i ms", async (ahead) => {
  const { id: sellerId } = await makeSeller();
  setClock(ahead);
  const id = await db.transaction(async (tx) => {
    const fileId = await registerFile(tx, sellerId, { name: "a.png", size: 1000 });
    await tx.insert(pictures).values({ id: fileId, sellerId, use: "product", sourceId: fileId });
    await schedulePicture(tx, fileId);
    return fileId;
  });
  const [row] =
    await sql`select scheduled_at between now() - interval '1 minute' and now() + interval '1 second' as is_due,
    touched_at > now() - interval '1 minute' as is_new from pictures where id = ${id}`;
  expect(row).toEqual({ is_due: true, is_new: true });
});

const compareWebClock = watchWebClock();

test.each(AHEAD)("a web measures that its clock is ahead by %i ms", async (ahead) => {
  setClock(ahead);
  // One that the scrape before began may be under way.
  for (let i = 0; i < 2; i++) await compareWebClock();
  const [, seconds] = /^checkintelli_web_clock_offset_seconds (\S+)$/m.exec(await metricsText())!;
  expect(Math.round((Number(seconds) * SECOND) / MINUTE)).toBe(ahead / MINUTE);
});
