import { and, eq, or, type SQLWrapper, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify, notifying } from "#app/db/notify.server.ts";
import { charges, gatewayAccounts, paymentWebhooks } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { enqueue, enqueuing } from "#app/queue/job.server.ts";
import { CHECK_CHARGE } from "#app/queue/names.ts";

/** A delivery as it came in: the address's parts, the raw body, one header. */
export type WebhookDelivery = {
  provider: string;
  hookToken: string;
  reference: string | null;
  body: string;
  header: (name: string) => string | null;
};

/** The parts of the address that are ours. */
const TOKEN = /^[\w-]{1,200}$/;

/** What became of a delivery; only `rubbish`, `unknown-address` and `wrong-secret` are told to the sender. */
export type Taken = "taken" | "known" | "no-charge" | "rubbish" | "unknown-address" | "wrong-secret";

/**
 * Puts a provider's news into the inbox and queues a look at the charge, in one statement. Nothing is believed:
 * the job asks the provider. The same news twice is one row. No network call, so the answer is quick.
 */
export async function takeWebhook(delivery: WebhookDelivery): Promise<Taken> {
  const provider = pick(providers, delivery.provider);
  if (!provider || !TOKEN.test(delivery.hookToken)) return refuse("unknown-address", delivery);
  const news = provider.readNews(delivery.body);
  const { account, charge } = await find(delivery, news?.providerId ?? null);
  if (!account) return refuse("unknown-address", delivery);
  if (!isGenuine(provider, account.secret, delivery)) return refuse("wrong-secret", delivery);
  if (!news) return refuse("rubbish", delivery);
  const dedupeKey = [account.sellerId, news.providerId, news.word, news.endToEndId ?? ""]
    .join("|")
    .slice(0, 400);
  // A repeated `paid` is worth another look as long as we have not settled: the first may have come too early.
  // Of a settled one only other news is: the money may have gone back.
  const worthALook =
    charge && news.state !== "open" && (charge.status !== "paid" || news.state !== "paid") ? charge : null;
  const written = db
    .insert(paymentWebhooks)
    .values({
      provider: provider.name,
      chargeId: charge?.id ?? null,
      dedupeKey,
      providerId: news.providerId,
      state: news.state,
      word: news.word.slice(0, 40),
      ...(charge ? {} : { handledAt: new Date() }),
    })
    .onConflictDoNothing({ target: paymentWebhooks.dedupeKey })
    .returning({ id: paymentWebhooks.id });
  const [row] = worthALook
    ? await db.execute(withLook(written, worthALook.id, worthALook.saleId))
    : await written;
  log.info(
    {
      provider: provider.name,
      providerId: news.providerId,
      word: news.word,
      chargeId: charge?.id ?? null,
      again: !row,
    },
    charge ? "webhook taken" : "webhook for an unknown charge",
  );
  if (!charge) return "no-charge";
  if (row) return "taken";
  if (worthALook) await lookAgain(dedupeKey, worthALook);
  return "known";
}

/** The look at the charge is queued by the statement that writes the row, and open pages told: all or nothing. */
function withLook(written: SQLWrapper, chargeId: string, saleId: string) {
  const look = enqueuing(CHECK_CHARGE, sql`${JSON.stringify({ chargeId })}::json`, sql`${chargeId}::text`);
  return sql`with written as ${written} select id, ${look}, ${notifying("sale", saleId)} from written`;
}

/** Told before, perhaps too early, or `canceled` before it was paid: it counts as new. */
async function lookAgain(
  dedupeKey: string,
  { id: chargeId, saleId }: { id: string; saleId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(paymentWebhooks)
      .set({ handledAt: null, receivedAt: new Date() })
      .where(eq(paymentWebhooks.dedupeKey, dedupeKey));
    await enqueue(tx, CHECK_CHARGE, { chargeId }, { key: chargeId });
    await notify(tx, "sale", saleId);
  });
}

/** Signed news are never taken unproven; others only where the seller saved no secret to prove them by. */
function isGenuine(provider: Provider, sealedSecret: string | null, delivery: WebhookDelivery): boolean {
  if (!sealedSecret) return !provider.areNewsSigned;
  return provider.areNewsGenuine(unseal(sealedSecret), delivery);
}

/** Whose address it is, and which of that seller's charges is meant. One statement. */
async function find({ provider, hookToken, reference }: WebhookDelivery, providerId: string | null) {
  const byId = providerId
    ? and(eq(charges.provider, provider), eq(charges.providerId, providerId))
    : sql`false`;
  const byReference = TOKEN.test(reference ?? "") ? eq(charges.reference, reference!) : sql`false`;
  const rows = await db
    .select({
      account: { sellerId: gatewayAccounts.sellerId, secret: gatewayAccounts.webhookSecretSealed },
      charge: { id: charges.id, saleId: charges.saleId, status: charges.status },
      isTheirs: sql<boolean>`${sales.id} is not null`,
    })
    .from(gatewayAccounts)
    .leftJoin(charges, or(byId, byReference))
    .leftJoin(sales, and(eq(sales.id, charges.saleId), eq(sales.sellerId, gatewayAccounts.sellerId)))
    .where(and(eq(gatewayAccounts.hookToken, hookToken), eq(gatewayAccounts.provider, provider)));
  const account = rows[0]?.account ?? null;
  return { account, charge: rows.find((row) => row.isTheirs)?.charge ?? null };
}

function refuse(why: Taken, { provider, body }: WebhookDelivery): Taken {
  // The body is not logged: it may hold the payer's name and document.
  // Nor is what the address calls the provider, which is anybody's text, unless it is one of ours.
  const known = Object.hasOwn(providers, provider) ? provider : null;
  log.warn({ provider: known, why, bytes: body.length }, "webhook refused");
  return why;
}
