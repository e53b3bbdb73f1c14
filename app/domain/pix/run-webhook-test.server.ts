import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { webhookTests } from "#app/db/schema/charge-checks.server.ts";
import type { ProviderFailure, TRANSACTION_STATES } from "#app/db/schema/lists.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { type Gateway, toGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { type CreatedCharge, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { recordKeyAnswer } from "#app/domain/gateway/record-key-answer.server.ts";
import { planWebhookTest } from "#app/domain/gateway/webhook-setup/plan-webhook-test.ts";
import { canFindLostCode, findLostCode, requestCode } from "#app/domain/pix/request-code.server.ts";
import { testAmount } from "#app/domain/pix/test-amount.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { WEBHOOK_TESTS } from "#app/queue/names.ts";

type WebhookTest = typeof webhookTests.$inferSelect;
type Changes = Partial<WebhookTest>;
type Payer = { name: string; email: string };

/** Longer than the calls of one step take. */
const LEASE = MINUTE;

const PAID: (typeof TRANSACTION_STATES)[number][] = ["paid", "disputed", "refunded", "chargedback"];

/**
 * Runs the tests of webhooks that sellers set up at providers: creates a small PIX, waits for its webhook, cancels it. Each
 * run does what is due by then; after a crash the next one finds the PIX by its reference, and cancels it.
 */
export const webhookTestQueue = defineQueue<WebhookTest>({
  name: WEBHOOK_TESTS,
  concurrency: 4,
  pollInterval: 5 * SECOND,
  claim: claimTests,
  handle: runWebhookTest,
  logIds: ({ id }) => ({ webhookTestId: id }),
});

async function claimTests(max: number): Promise<WebhookTest[]> {
  return db
    .update(webhookTests)
    .set({ scheduledAt: sql`now() + make_interval(secs => ${LEASE / SECOND})` })
    .where(
      sql`${webhookTests.id} = any(array(select id from webhook_tests where scheduled_at <= ${nowRoundedUp}
        order by scheduled_at limit ${max} for update skip locked))`,
    )
    .returning();
}

/** @returns in how many milliseconds it is due again, if at all */
async function runWebhookTest(test: WebhookTest): Promise<number | undefined> {
  const { gateway, payer } = await loadGateway(test);
  const codeLifetimeMs = gateway?.provider.codeLifetimeMs ?? 0;
  const isDue = planWebhookTest(test, { codeLifetimeMs, now: Date.now() });
  let changes: Changes = {};
  if (!gateway) changes = withoutGateway(test);
  else if (isDue.orders) changes = await order(test, gateway, payer);
  else if (isDue.cancels) changes = await cancel(test, gateway);
  const scheduledAt = await record(test, changes, codeLifetimeMs);
  return scheduledAt ? Math.max(0, scheduledAt.getTime() - Date.now()) : undefined;
}

/** The gateway is null where its key was deleted or its provider is unknown: nothing can be asked there any more. */
async function loadGateway({ sellerId, provider, gatewayKeyId }: WebhookTest) {
  const [row] = await db
    .select({
      ...{ provider: gatewayKeys.provider, keyId: gatewayKeys.id, apiKeySealed: gatewayKeys.apiKeySealed },
      ...{ position: gatewayAccounts.position, hookToken: gatewayAccounts.hookToken },
      ...{ name: sellers.name, email: sellers.email },
    })
    .from(gatewayKeys)
    .innerJoin(
      gatewayAccounts,
      sql`${gatewayAccounts.sellerId} = ${sellerId} and ${gatewayAccounts.provider} = ${provider}`,
    )
    .innerJoin(sellers, eq(sellers.id, gatewayAccounts.sellerId))
    .where(eq(gatewayKeys.id, gatewayKeyId));
  return { gateway: row ? toGateway(row) : null, payer: { name: row?.name ?? "", email: row?.email ?? "" } };
}

function withoutGateway({ providerId }: WebhookTest): Changes {
  if (providerId) return { cancelFailure: "a chave foi removida" };
  return failed("credentials", "a chave foi removida", false);
}

/** Creates the PIX, or finds the one that an earlier run may have created. */
async function order(test: WebhookTest, gateway: Gateway, payer: Payer): Promise<Changes> {
  const codeRequest = {
    amountCents: testAmount(gateway.provider),
    reference: test.reference,
    payer: { ...payer, document: null },
  };
  const key = { sellerId: test.sellerId, provider: test.provider, keyId: gateway.keyId };
  try {
    if (test.requestedAt) {
      const found = await findLostCode(gateway, codeRequest);
      if (found) await recordKeyAnswer(key, null);
      return found ? ordered(found) : lost(test);
    }
    await db.update(webhookTests).set({ requestedAt: new Date() }).where(eq(webhookTests.id, test.id));
    const made = await requestCode(gateway, codeRequest);
    await recordKeyAnswer(key, null);
    await clearSpareFailure(key);
    return ordered(made);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await recordKeyAnswer(key, error.kind);
    if (test.requestedAt) return lost(test);
    log.warn({ testId: test.id, kind: error.kind, error: error.message }, "no PIX for a webhook test");
    const mayExist = ["no-answer", "nonsense"].includes(error.kind) && canFindLostCode(gateway);
    return failed(error.kind, error.message, mayExist);
  }
}

/** An account that created a PIX serves as a spare, whatever its last daily test said. */
async function clearSpareFailure({ sellerId, keyId }: { sellerId: string; keyId: string }): Promise<void> {
  await db
    .update(gatewayAccounts)
    .set({ spareFailure: null })
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.keyId, keyId)));
}

function ordered({ providerId, expiresAt }: CreatedCharge): Changes {
  return { providerId, expiresAt, orderedAt: new Date() };
}

/** The search is repeated until the code has expired: a new order may take a while to be found. */
function lost({ failureKind, failureDetail }: WebhookTest): Changes {
  return failed(failureKind ?? "no-answer", failureDetail ?? "", true);
}

function failed(failureKind: ProviderFailure, detail: string, mayExist: boolean): Changes {
  const failureDetail = truncate(detail, 300);
  return { failureKind, failureDetail, ...(mayExist ? {} : { cancelledAt: new Date() }) };
}

/** Cancels the PIX. Where that fails its state decides: it may have ended before, or been paid. */
async function cancel(test: WebhookTest, { provider, credentials }: Gateway): Promise<Changes> {
  const providerId = test.providerId!;
  const ids = { sellerId: test.sellerId, provider: provider.name, providerId };
  const failure = provider.cancelCharge
    ? await messageOf(provider.cancelCharge(credentials, providerId))
    : "sem cancelamento";
  if (failure === null) return { cancelledAt: new Date(), cancelFailure: null };
  const found = await provider.findTransaction(credentials, providerId).catch((error: unknown) => {
    if (error instanceof ProviderError) return null;
    throw error;
  });
  if (found && PAID.includes(found.state)) {
    log.warn({ ...ids, amountCents: found.amountCents }, "the PIX of a webhook test was paid");
    return { paidAt: new Date(), cancelFailure: null };
  }
  if (found?.state === "cancelled" || found?.state === "expired")
    return { cancelledAt: new Date(), cancelFailure: null };
  log.warn({ ...ids, error: failure }, "the PIX of a webhook test was not cancelled");
  return { cancelFailure: truncate(failure, 300) };
}

async function messageOf(call: Promise<void>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof ProviderError) return error.message;
    throw error;
  }
}

/** Stores what a run did, and plans the next one by the row as it is now: a webhook may have come meanwhile. */
async function record({ id }: WebhookTest, changes: Changes, codeLifetimeMs: number): Promise<Date | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(webhookTests).where(eq(webhookTests.id, id)).for("update");
    if (!row) return null;
    const { endedAt, scheduledAt } = planWebhookTest(
      { ...row, ...changes },
      { codeLifetimeMs, now: Date.now() },
    );
    await tx
      .update(webhookTests)
      .set({ ...changes, endedAt, scheduledAt })
      .where(eq(webhookTests.id, id));
    return scheduledAt;
  });
}
