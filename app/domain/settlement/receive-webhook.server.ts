import { sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import { WEBHOOK_ARRIVALS, type WebhookArrival } from "#app/db/schema/lists.ts";
import { UNPROVED, UNREADABLE } from "#app/domain/charge/unclear-webhooks.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider, ProviderWebhook } from "#app/domain/gateway/providers/port.ts";
import { DECIDING_ARRIVALS } from "#app/domain/gateway/webhook-setup/plan-webhook-test.ts";
import { lookUpDispute } from "#app/domain/settlement/look-up-dispute.server.ts";
import { storeWebhook, toJson, type WebhookCharge } from "#app/domain/settlement/store-webhook.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { countInWindow } from "#app/platform/count-in-window.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { WEBHOOK_TESTS } from "#app/queue/names.ts";

/** A webhook as received: parts of its URL, the raw body, its headers. */
export type ReceivedWebhook = {
  provider: string;
  hookToken: string;
  body: string;
  header: (name: string) => string | null;
  query: (name: string) => string | null;
};

/** The parameter of a charge's webhook URL that holds its reference. */
const REFERENCE = "charge";

/** The parts of the URL that we generated. */
const TOKEN_PATTERN = /^[\w-]{1,200}$/;

/** Webhooks whose accounts and charges are found in one statement. */
const BATCH_SIZE = 50;

/** Unproved webhooks of an account that lead to a check within a minute, in each process. */
const MAX_UNPROVED = 20;

/** What became of a webhook; only `rubbish`, `unknown-address` and `wrong-secret` are reported to the sender. */
export type WebhookOutcome =
  | "taken"
  | "known"
  | "no-charge"
  | "nothing"
  | "rubbish"
  | "unknown-address"
  | "wrong-secret";

/**
 * Stores a provider webhook and schedules a check of its charge, in one statement. The webhook itself proves nothing: the
 * check fetches the state from the provider. A repeated webhook is one row. Makes no network call, so the answer is quick,
 * unless a provider that signs with keys of its own has a new one. One about a dispute names no charge: a job looks it up.
 */
export async function receiveWebhook(webhook: ReceivedWebhook): Promise<WebhookOutcome> {
  const provider = pick(providers, webhook.provider);
  if (!provider || !TOKEN_PATTERN.test(webhook.hookToken)) return refuse("unknown-address", webhook);
  const read = provider.parseWebhook(webhook.body);
  const about = read === "nothing" ? null : read;
  const disputeId = about && "disputeId" in about ? about.disputeId : null;
  const parsed = about && "disputeId" in about ? null : about;
  const reference = webhook.query(REFERENCE) ?? parsed?.reference ?? "";
  const { account, charge, test } = await findTarget({
    provider: provider.name,
    hook_token: webhook.hookToken,
    provider_id: parsed?.providerId ?? null,
    reference: TOKEN_PATTERN.test(reference) ? reference : null,
  });
  if (!account) return refuse("unknown-address", webhook);
  if (read === "nothing") {
    if (test) await recordArrival(test.id, "other-topic");
    return "nothing";
  }
  const genuine = await isGenuine(provider, account.secret, webhook);
  if (test && parsed && !charge) await recordArrival(test.id, arrivalOf(test, genuine));
  // Of one without proof, or whose body cannot be read, only the charge counts, and only where we know its transaction.
  const knownId = charge?.providerId ?? null;
  const isAccepted =
    genuine || ((knownId !== null || disputeId !== null) && mayCheckUnproved(provider, account.sellerId));
  if (!isAccepted) return refuse("wrong-secret", webhook);
  if (test?.isMeant) return "taken";
  if (disputeId !== null) {
    const ids = { sellerId: account.sellerId, provider: provider.name, disputeId };
    await enqueue(db, lookUpDispute, ids, { key: Object.values(ids).join("/") });
    log.info({ provider: provider.name, disputeId }, "webhook of a dispute received");
    return "taken";
  }
  const reported = parsed && genuine ? parsed : unclearAbout(knownId, genuine);
  if (!reported) return refuse("rubbish", webhook);
  return storeWebhook(provider.name, account.sellerId, reported, charge);
}

/** An unproved webhook is accepted only where the secret is optional and the seller saved none. */
function isGenuine(
  provider: Provider,
  sealedSecret: string | null,
  webhook: ReceivedWebhook,
): boolean | Promise<boolean> {
  const { webhookProof } = provider;
  if (webhookProof === "public-keys") return provider.isWebhookGenuine("", webhook);
  if (!sealedSecret) return webhookProof !== "secret";
  return provider.isWebhookGenuine(unseal(sealedSecret), webhook);
}

const countUnproved = countInWindow(MAX_UNPROVED, MINUTE);

/** Whether to ask the provider about an unproved webhook: a stranger must not make us call it often. */
function mayCheckUnproved({ webhookProof }: Provider, sellerId: string): boolean {
  return webhookProof === "optional-signature" && countUnproved(sellerId) === 0;
}

/** A webhook that reports only which charge is meant, with the transaction id that we stored; null where none is stored. */
function unclearAbout(providerId: string | null, isProved: boolean): ProviderWebhook | null {
  const providerStatus = isProved ? UNREADABLE : UNPROVED;
  return providerId === null ? null : { providerId, state: "unclear", providerStatus, endToEndId: null };
}

function arrivalOf({ isMeant }: RelatedTest, isGenuine: boolean): WebhookArrival {
  if (!isMeant) return "other-payment";
  return isGenuine ? "verified" : "wrong-signature";
}

/**
 * Records what came to a seller's webhook address while a test is running, unless something better came before. One that
 * comes before the provider's answer to the order only counts if it has our reference; that of the cancellation follows.
 */
async function recordArrival(testId: string, arrival: WebhookArrival): Promise<void> {
  const worse = WEBHOOK_ARRIVALS.slice(0, WEBHOOK_ARRIVALS.indexOf(arrival));
  const isDeciding = DECIDING_ARRIVALS.includes(arrival);
  await db.execute(sql`
    update webhook_tests set arrival = ${arrival}, arrived_at = now(),
      scheduled_at = case when ${isDeciding} and provider_id is not null then date_trunc('milliseconds', now()) else scheduled_at end
    where id = ${testId} and ended_at is null
      and (arrival is null or arrival = any(string_to_array(${worse.join(" ")}, ' ')))
    returning ${notifyExpression("due", WEBHOOK_TESTS)}`);
}

type TargetQuery = {
  provider: string;
  hook_token: string;
  provider_id: string | null;
  reference: string | null;
};
type WebhookTarget = {
  account: { sellerId: string; secret: string | null } | null;
  charge: WebhookCharge | null;
  test: RelatedTest | null;
};
/** A test of the account's webhooks: the one whose PIX is meant, else the one that is running. */
type RelatedTest = { id: string; isMeant: boolean };

/** Finds the account of a URL and the charge that is meant. Concurrent webhooks share one statement. */
const findTarget = batch<TargetQuery, WebhookTarget>(BATCH_SIZE, async (queries) => {
  const rows = await db.execute<{
    at: number;
    seller_id: string;
    webhook_secret_sealed: string | null;
    id: string | null;
    sale_id: string;
    charge_provider_id: string | null;
    status: string;
    is_disputed: boolean;
    test_id: string | null;
    is_of_test: boolean | null;
  }>(sql`
    select d.at, a.seller_id, a.webhook_secret_sealed, c.id, c.sale_id, c.provider_id as charge_provider_id, c.status,
      c.status = 'paid' and coalesce((select true from disputes o where o.seller_id = a.seller_id and o.sale_id = c.sale_id and o.status = 'open'), false)
        as is_disputed,
      t.id as test_id, t.is_meant as is_of_test
    from jsonb_to_recordset(${toJson(queries.map((query, at) => ({ at, ...query })))}::jsonb)
      as d(at int, provider text, hook_token text, provider_id text, reference text)
    join gateway_accounts a on a.hook_token = d.hook_token and a.provider = d.provider
    left join lateral (
      select c.id, c.sale_id, c.provider_id, c.status from charges c
      where ((c.provider = d.provider and c.provider_id = d.provider_id) or c.reference = d.reference)
        and c.seller_id = a.seller_id
      limit 1) c on true
    left join lateral (
      select t.id, coalesce(t.provider_id = d.provider_id or t.reference = d.reference, false) as is_meant
      from webhook_tests t where t.seller_id = a.seller_id and t.provider = a.provider
        and (t.ended_at is null or t.provider_id = d.provider_id or t.reference = d.reference)
      order by is_meant desc limit 1) t on true`);
  const found = new Map(rows.map((row) => [row.at, row]));
  return queries.map((_, at) => {
    const row = found.get(at);
    if (!row) return { account: null, charge: null, test: null };
    const { id, sale_id: saleId, charge_provider_id: providerId, status, is_disputed: isDisputed } = row;
    const charge = id === null ? null : { id, saleId, providerId, status, isDisputed };
    const test = row.test_id === null ? null : { id: row.test_id, isMeant: row.is_of_test === true };
    return { account: { sellerId: row.seller_id, secret: row.webhook_secret_sealed }, charge, test };
  });
});

function refuse(outcome: WebhookOutcome, { provider, body }: ReceivedWebhook): WebhookOutcome {
  // The body is not logged, as it may hold the payer's name and document. Nor is the provider of the URL, which can be
  // any text, unless it is a known one.
  const known = Object.hasOwn(providers, provider) ? provider : null;
  log.warn({ provider: known, why: outcome, bytes: body.length }, "webhook refused");
  return outcome;
}
