import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { ProviderFailure } from "#app/db/schema/lists.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { recordKeyAnswer } from "#app/domain/gateway/record-key-answer.server.ts";
import { requestCode } from "#app/domain/pix/request-code.server.ts";
import { testAmount } from "#app/domain/pix/test-amount.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { randomToken, unseal } from "#app/platform/secrets.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

const BATCH_SIZE = 50;
/** At the same time. */
const PARALLEL = 5;
const tests = counter(
  "spare_tests_total",
  "Daily tests of accounts that are tried after another one of their seller, by outcome.",
  ["provider", "outcome"],
);

type Spare = {
  sellerId: string;
  provider: string;
  keyId: string;
  hookToken: string;
  apiKeySealed: string;
  email: string;
  name: string;
};

/**
 * Every ten minutes: tests the accounts that are spares, each once a day, so that a seller learns of one that creates no
 * codes before it is needed. Where the provider can cancel, a small PIX is created and cancelled; elsewhere the key is
 * checked.
 */
export const testSpares = defineJob<Record<string, never>>("test-spares", async () => {
  const due = await claimDue();
  const testNext = async (): Promise<void> => {
    for (let spare = due.pop(); spare; spare = due.pop()) {
      const { sellerId, provider } = spare;
      await testSpare(spare).catch((error: unknown) =>
        log.error({ err: error, sellerId, provider }, "spare account not tested"),
      );
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, testNext));
});

/** Schedules the next test before this one, in case this process dies; also of accounts that are not tested now. */
async function claimDue(): Promise<Spare[]> {
  const rows = await db.execute<Spare>(sql`
    with due as (
      select seller_id, provider from ${gatewayAccounts} where next_spare_test_at <= now()
      order by next_spare_test_at limit ${BATCH_SIZE} for no key update skip locked
    ), claimed as (
      update ${gatewayAccounts} a set next_spare_test_at = now() + interval '1 day' from due
      where a.seller_id = due.seller_id and a.provider = due.provider returning a.*
    )
    select a.seller_id as "sellerId", a.provider, a.key_id as "keyId", a.hook_token as "hookToken",
      k.api_key_sealed as "apiKeySealed", s.email, s.name
    from claimed a inner join ${gatewayKeys} k on k.id = a.key_id inner join ${sellers} s on s.id = a.seller_id
    where a.enabled_at is not null and k.api_key_sealed is not null and s.closed_at is null`);
  return [...rows];
}

async function testSpare(spare: Spare): Promise<void> {
  const { sellerId, provider: name, keyId } = spare;
  const provider = pick(providers, name);
  if (!provider) return;
  const failure = await findFailure(provider, spare);
  tests.inc({ provider: name, outcome: failure?.kind ?? "passed" });
  const logFields = { sellerId, provider: name, kind: failure?.kind, error: failure?.message };
  if (failure) log.warn(logFields, "spare account failed its test");
  // What passes by itself says nothing about the account.
  if (failure?.kind === "busy" || failure?.kind === "no-answer") return;
  await recordKeyAnswer(spare, failure?.kind ?? null);
  await db
    .update(gatewayAccounts)
    // A refused key is shown as such.
    .set({
      spareFailure: failure && failure.kind !== "credentials" ? truncate(failure.message, 300) : null,
    })
    .where(
      and(
        eq(gatewayAccounts.sellerId, sellerId),
        eq(gatewayAccounts.provider, name),
        eq(gatewayAccounts.keyId, keyId),
        sql`${gatewayAccounts.nextSpareTestAt} is not null`,
      ),
    );
}

async function findFailure(
  provider: Provider,
  { keyId, hookToken, apiKeySealed, email, name }: Spare,
): Promise<{ kind: ProviderFailure; message: string } | null> {
  const credentials = { apiKey: unseal(apiKeySealed) };
  try {
    if (!provider.cancelCharge || provider.needsDocument) {
      if (await provider.checkCredentials(credentials)) return null;
      return { kind: "credentials", message: "401" };
    }
    const { providerId } = await requestCode(
      { provider, credentials, keyId, hookToken },
      {
        amountCents: testAmount(provider),
        reference: randomToken(),
        payer: { name, email, document: null },
      },
    );
    // Nobody has its code, and it ends by itself.
    await provider.cancelCharge(credentials, providerId).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ provider: provider.name, providerId, error: error.message }, "test charge not cancelled");
    });
    return null;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}
