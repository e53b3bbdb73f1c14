import { type SQL, sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import { CHECK_NOW } from "#app/domain/charge/next-check-time.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { trackWork } from "#app/platform/shutdown.server.ts";
import { CHECKS } from "#app/queue/names.ts";

/** A webhook as received: parts of its URL, the raw body, its headers. */
export type ReceivedWebhook = {
  provider: string;
  hookToken: string;
  reference: string | null;
  body: string;
  header: (name: string) => string | null;
};

/** The parts of the URL that we generated. */
const TOKEN_PATTERN = /^[\w-]{1,200}$/;

/** Webhooks in one statement. */
const BATCH_SIZE = 50;

/** What became of a webhook; only `rubbish`, `unknown-address` and `wrong-secret` are reported to the sender. */
export type WebhookOutcome = "taken" | "known" | "no-charge" | "rubbish" | "unknown-address" | "wrong-secret";

/**
 * Stores a provider webhook and schedules a check of its charge, in one statement. The webhook itself proves nothing: the
 * check fetches the state from the provider. A repeated webhook is one row. Makes no network call, so the answer is quick.
 */
export async function receiveWebhook(webhook: ReceivedWebhook): Promise<WebhookOutcome> {
  const provider = pick(providers, webhook.provider);
  if (!provider || !TOKEN_PATTERN.test(webhook.hookToken)) return refuse("unknown-address", webhook);
  const parsed = provider.parseWebhook(webhook.body);
  const { account, charge } = await findTarget({
    provider: provider.name,
    hook_token: webhook.hookToken,
    provider_id: parsed?.providerId ?? null,
    reference: TOKEN_PATTERN.test(webhook.reference ?? "") ? webhook.reference : null,
  });
  if (!account) return refuse("unknown-address", webhook);
  if (!isGenuine(provider, account.secret, webhook)) return refuse("wrong-secret", webhook);
  if (!parsed) return refuse("rubbish", webhook);
  const dedupeKey = [
    provider.name,
    account.sellerId,
    parsed.providerId,
    parsed.providerStatus,
    parsed.endToEndId ?? "",
  ]
    .join("|")
    .slice(0, 400)
    .toWellFormed();
  // A repeated `paid` is checked again until it is settled: the first may have come too early. A settled charge is only
  // checked for another state (it may be refunded), and a disputed one also for `paid`: the dispute was won.
  const isKnownPaid = charge?.status === "paid" && !charge.isDisputed && parsed.state === "paid";
  const chargeToCheck = charge && parsed.state !== "open" && !isKnownPaid ? charge : null;
  const outcome = await insertWebhooks({
    provider: provider.name,
    charge_id: charge?.id ?? null,
    seller_id: account.sellerId,
    is_settled: isKnownPaid,
    dedupe_key: dedupeKey,
    provider_id: parsed.providerId,
    state: parsed.state,
    provider_status: truncate(parsed.providerStatus, 40),
    check_sale_id: chargeToCheck?.saleId ?? null,
    requested_by: requestId() ?? null,
  });
  const isNew = outcome !== "known";
  log.info(
    {
      provider: provider.name,
      providerId: parsed.providerId,
      word: parsed.providerStatus,
      chargeId: charge?.id ?? null,
      again: !isNew,
    },
    charge ? "webhook received" : "webhook for an unknown charge",
  );
  if (!charge) return "no-charge";
  if (chargeToCheck && outcome === "new") scheduleCheck(chargeToCheck);
  if (chargeToCheck && outcome === "known") await reopenWebhook(dedupeKey, chargeToCheck);
  return isNew ? "taken" : "known";
}

/** Counts a repeated webhook as new: the first may have come too early, or been `canceled` before the payment. */
async function reopenWebhook(dedupeKey: string, charge: Charge): Promise<void> {
  const unlocked = sql`select id from charges where id = ${charge.id} for no key update skip locked`;
  const [scheduled] = await db.execute(sql`
    with anew as (update payment_webhooks set handled_at = null, received_at = now() where dedupe_key = ${dedupeKey})
    ${schedulingCheck(charge, unlocked)}`);
  if (!scheduled) scheduleCheck(charge);
}

/**
 * Schedules the check of a charge that is locked elsewhere as soon as the lock is released; the sender does not wait for
 * it. If this process dies first, `sweepCharges` finds the webhook. One at a time per charge, so that repeated webhooks do
 * not hold a connection each.
 */
function scheduleCheck(charge: Charge): void {
  const scheduling = keyedMutex(charge.id, () =>
    db.execute(schedulingCheck(charge, sql`select ${charge.id}::uuid`)),
  );
  void trackWork(
    scheduling.then(
      () => {},
      (err) => log.warn({ err, chargeId: charge.id }, "check not scheduled: the charge is locked"),
    ),
  );
}

/** Schedules a charge's check and notifies open pages, unless `lockable` leaves it out. */
function schedulingCheck({ id, saleId }: Charge, lockable: SQL): SQL {
  return sql`update charges set next_check_at = ${CHECK_NOW}, requested_by = ${requestId() ?? null}
    where id = ${id} and id = any(array(${lockable}))
    returning ${notifyExpression("sale", saleId)}, ${notifyExpression("due", CHECKS)}`;
}

/** An unsigned webhook is accepted only where the provider does not sign and the seller saved no secret. */
function isGenuine(provider: Provider, sealedSecret: string | null, webhook: ReceivedWebhook): boolean {
  if (!sealedSecret) return !provider.signsWebhooks;
  return provider.isWebhookGenuine(unseal(sealedSecret), webhook);
}

type TargetQuery = {
  provider: string;
  hook_token: string;
  provider_id: string | null;
  reference: string | null;
};
type WebhookTarget = {
  account: { sellerId: string; secret: string | null } | null;
  charge: (Charge & { status: string; isDisputed: boolean }) | null;
};
type Charge = { id: string; saleId: string };

/** Finds the account of a URL and the charge that is meant. Concurrent webhooks share one statement. */
const findTarget = batch<TargetQuery, WebhookTarget>(BATCH_SIZE, async (queries) => {
  const rows = await db.execute<{
    at: number;
    seller_id: string;
    webhook_secret_sealed: string | null;
    id: string | null;
    sale_id: string;
    status: string;
    is_disputed: boolean;
  }>(sql`
    select d.at, a.seller_id, a.webhook_secret_sealed, c.id, c.sale_id, c.status,
      c.status = 'paid' and coalesce((select true from disputes o where o.seller_id = a.seller_id and o.sale_id = c.sale_id and o.status = 'open'), false)
        as is_disputed
    from jsonb_to_recordset(${toJson(queries.map((query, at) => ({ at, ...query })))}::jsonb)
      as d(at int, provider text, hook_token text, provider_id text, reference text)
    join gateway_accounts a on a.hook_token = d.hook_token and a.provider = d.provider
    left join lateral (
      select c.id, c.sale_id, c.status from charges c
      where ((c.provider = d.provider and c.provider_id = d.provider_id) or c.reference = d.reference)
        and c.seller_id = a.seller_id
      limit 1) c on true`);
  const found = new Map(rows.map((row) => [row.at, row]));
  return queries.map((_, at) => {
    const row = found.get(at);
    if (!row) return { account: null, charge: null };
    const { id, sale_id: saleId, status, is_disputed: isDisputed } = row;
    const charge = id === null ? null : { id, saleId, status, isDisputed };
    return { account: { sellerId: row.seller_id, secret: row.webhook_secret_sealed }, charge };
  });
});

type InboxRow = {
  provider: string;
  charge_id: string | null;
  seller_id: string;
  /** The payment is booked already: there is nothing to check. */
  is_settled: boolean;
  dedupe_key: string;
  provider_id: string;
  state: string;
  provider_status: string;
  /** The sale whose open pages are notified; null where the charge needs no check. */
  check_sale_id: string | null;
  /** The request that brought it. */
  requested_by: string | null;
};

/** What became of a row. `scheduled`: it is new, and its charge's check is scheduled. */
type InsertOutcome = "known" | "new" | "scheduled";

/**
 * Inserts webhooks, schedules the checks of their charges and notifies open pages in one statement: all or nothing. Rows
 * are written in a fixed order, so that two processes do not deadlock. A charge that is locked is skipped: nothing waits
 * for a lock here.
 */
const insertWebhooks = batch<InboxRow, InsertOutcome>(BATCH_SIZE, async (rows) => {
  const written = await db.execute<{ dedupe_key: string; is_scheduled: boolean }>(sql`
    with received as (
      select * from jsonb_to_recordset(${toJson(rows)}::jsonb) as n(provider text, charge_id uuid, seller_id uuid,
        is_settled boolean, dedupe_key text, provider_id text, state text, provider_status text, check_sale_id text, requested_by text)
    ), written as (
      insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, handled_at)
      select provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status,
        case when charge_id is null or is_settled then now() end
      from received order by dedupe_key
      on conflict (seller_id, dedupe_key) do nothing
      returning dedupe_key
    ), wanted as (
      select distinct on (charge_id) charge_id, check_sale_id, requested_by from received join written using (dedupe_key)
      where check_sale_id is not null order by charge_id
    ), unlocked as (
      select c.id from charges c where c.id in (select charge_id from wanted) for no key update skip locked
    ), scheduled as (
      update charges c set next_check_at = ${CHECK_NOW}, requested_by = l.requested_by from wanted l
      where c.id = l.charge_id and c.id = any(array(select id from unlocked))
      returning c.id, ${notifyExpression("sale", sql`l.check_sale_id`)}, ${notifyExpression("due", CHECKS)}
    )
    select dedupe_key, n.charge_id in (select id from scheduled) as is_scheduled
    from written join received n using (dedupe_key)`);
  // Of equal webhooks in one batch, the first is the new one.
  const inserted = new Map(
    written.map((row) => [row.dedupe_key, row.is_scheduled ? "scheduled" : "new"] as const),
  );
  return rows.map((row) => {
    const outcome = inserted.get(row.dedupe_key) ?? "known";
    inserted.delete(row.dedupe_key);
    return outcome;
  });
});

/** Postgres rejects JSON with a lone surrogate, which truncating may leave. */
function toJson(rows: object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

function refuse(outcome: WebhookOutcome, { provider, body }: ReceivedWebhook): WebhookOutcome {
  // The body is not logged, as it may hold the payer's name and document. Nor is the provider of the URL, which can be
  // any text, unless it is a known one.
  const known = Object.hasOwn(providers, provider) ? provider : null;
  log.warn({ provider: known, why: outcome, bytes: body.length }, "webhook refused");
  return outcome;
}
