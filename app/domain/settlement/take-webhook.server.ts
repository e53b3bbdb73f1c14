import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { inGroups } from "#app/db/in-groups.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { notifying } from "#app/db/notify.server.ts";
import { AT_ONCE } from "#app/domain/charge/next-look.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { cut } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { finish } from "#app/platform/shutdown.server.ts";
import { CHECKS } from "#app/queue/names.ts";

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

/** Deliveries in one statement. */
const TOGETHER = 50;

/** What became of a delivery; only `rubbish`, `unknown-address` and `wrong-secret` are told to the sender. */
export type Taken = "taken" | "known" | "no-charge" | "rubbish" | "unknown-address" | "wrong-secret";

/**
 * Puts a provider's news into the inbox and makes a look at the charge due, in one statement. Nothing is believed:
 * whoever looks asks the provider. The same news twice is one row. No network call, so the answer is quick.
 */
export async function takeWebhook(delivery: WebhookDelivery): Promise<Taken> {
  const provider = pick(providers, delivery.provider);
  if (!provider || !TOKEN.test(delivery.hookToken)) return refuse("unknown-address", delivery);
  const news = provider.readNews(delivery.body);
  const { account, charge } = await find({
    provider: provider.name,
    hook_token: delivery.hookToken,
    provider_id: news?.providerId ?? null,
    reference: TOKEN.test(delivery.reference ?? "") ? delivery.reference : null,
  });
  if (!account) return refuse("unknown-address", delivery);
  if (!isGenuine(provider, account.secret, delivery)) return refuse("wrong-secret", delivery);
  if (!news) return refuse("rubbish", delivery);
  const dedupeKey = [provider.name, account.sellerId, news.providerId, news.word, news.endToEndId ?? ""]
    .join("|")
    .slice(0, 400)
    .toWellFormed();
  // A repeated `paid` is worth another look as long as we have not settled: the first may have come too early.
  // Of a settled one only other news is: the money may have gone back. Of a disputed one `paid` is, too: it was won.
  const isKnownPaid = charge?.status === "paid" && !charge.isDisputed && news.state === "paid";
  const worthALook = charge && news.state !== "open" && !isKnownPaid ? charge : null;
  const written = await write({
    provider: provider.name,
    charge_id: charge?.id ?? null,
    seller_id: account.sellerId,
    is_settled: isKnownPaid,
    dedupe_key: dedupeKey,
    provider_id: news.providerId,
    state: news.state,
    word: cut(news.word, 40),
    look_for: worthALook?.saleId ?? null,
    asked_by: requestId() ?? null,
  });
  const isNew = written !== "known";
  log.info(
    {
      provider: provider.name,
      providerId: news.providerId,
      word: news.word,
      chargeId: charge?.id ?? null,
      again: !isNew,
    },
    charge ? "webhook taken" : "webhook for an unknown charge",
  );
  if (!charge) return "no-charge";
  if (worthALook && written === "new") lookSoon(worthALook);
  if (worthALook && written === "known") await tellAnew(dedupeKey, worthALook);
  return isNew ? "taken" : "known";
}

/** News that were told before, perhaps too early, or `canceled` before it was paid, count as new. */
async function tellAnew(dedupeKey: string, charge: Charge): Promise<void> {
  const free = sql`select id from charges where id = ${charge.id} for no key update skip locked`;
  const [looked] = await db.execute(sql`
    with anew as (update payment_webhooks set handled_at = null, received_at = now() where dedupe_key = ${dedupeKey})
    ${looking(charge, free)}`);
  if (!looked) lookSoon(charge);
}

/**
 * Makes a look at a charge due that somebody else holds, once they let go of it: whoever told us is not kept waiting for
 * that. Should this process die before, the sweeper finds news that nobody asked about. All who tell of one charge take
 * turns, so that they do not wait with a connection each.
 */
function lookSoon(charge: Charge): void {
  const waiting = inTurn(charge.id, () => db.execute(looking(charge, sql`select ${charge.id}::uuid`)));
  void finish(
    waiting.then(
      () => {},
      (err) => log.warn({ err, chargeId: charge.id }, "no look yet: the charge is held"),
    ),
  );
}

/** Makes a charge's next look due and tells open pages, unless `free` leaves it out. */
function looking({ id, saleId }: Charge, free: SQL): SQL {
  return sql`update charges set next_check_at = ${AT_ONCE}, asked_by = ${requestId() ?? null}
    where id = ${id} and id = any(array(${free}))
    returning ${notifying("sale", saleId)}, ${notifying("due", CHECKS)}`;
}

/** Signed news are never taken unproven; others only where the seller saved no secret to prove them by. */
function isGenuine(provider: Provider, sealedSecret: string | null, delivery: WebhookDelivery): boolean {
  if (!sealedSecret) return !provider.areNewsSigned;
  return provider.areNewsGenuine(unseal(sealedSecret), delivery);
}

type Asked = { provider: string; hook_token: string; provider_id: string | null; reference: string | null };
type Found = {
  account: { sellerId: string; secret: string | null } | null;
  charge: (Charge & { status: string; isDisputed: boolean }) | null;
};
type Charge = { id: string; saleId: string };

/** Whose address it is, and which of that seller's charges is meant. One statement for all that come at once. */
const find = inGroups<Asked, Found>(TOGETHER, async (asked) => {
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
      c.status = 'paid' and coalesce((select true from disputes o where o.sale_id = c.sale_id and o.status = 'open'), false)
        as is_disputed
    from jsonb_to_recordset(${jsonOf(asked.map((one, at) => ({ at, ...one })))}::jsonb)
      as d(at int, provider text, hook_token text, provider_id text, reference text)
    join gateway_accounts a on a.hook_token = d.hook_token and a.provider = d.provider
    left join lateral (
      select c.id, c.sale_id, c.status from charges c
      where ((c.provider = d.provider and c.provider_id = d.provider_id) or c.reference = d.reference)
        and a.seller_id = (select s.seller_id from sales s where s.id = c.sale_id)
      limit 1) c on true`);
  const found = new Map(rows.map((row) => [row.at, row]));
  return asked.map((_, at) => {
    const row = found.get(at);
    if (!row) return { account: null, charge: null };
    const { id, sale_id: saleId, status, is_disputed: isDisputed } = row;
    const charge = id === null ? null : { id, saleId, status, isDisputed };
    return { account: { sellerId: row.seller_id, secret: row.webhook_secret_sealed }, charge };
  });
});

type Written = {
  provider: string;
  charge_id: string | null;
  seller_id: string;
  /** It says what is booked: there is nothing to ask about. */
  is_settled: boolean;
  dedupe_key: string;
  provider_id: string;
  state: string;
  word: string;
  /** The sale of which open pages are told, where the charge is worth a look. */
  look_for: string | null;
  /** The request that brought it. */
  asked_by: string | null;
};

/** What became of a row: `looks`: it is new, and the look at its charge is due. */
type Wrote = "known" | "new" | "looks";

/**
 * Writes the rows. The looks at the charges are due by the same statement, and open pages told: all or nothing. Rows are
 * written in one order, whoever writes them, so that two processes never wait for each other. A charge that somebody
 * else holds is left out: nobody waits for a lock here.
 */
const write = inGroups<Written, Wrote>(TOGETHER, async (rows) => {
  const written = await db.execute<{ dedupe_key: string; looks: boolean }>(sql`
    with news as (
      select * from jsonb_to_recordset(${jsonOf(rows)}::jsonb) as n(provider text, charge_id uuid, seller_id uuid,
        is_settled boolean, dedupe_key text, provider_id text, state text, word text, look_for text, asked_by text)
    ), written as (
      insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, word, handled_at)
      select provider, charge_id, seller_id, dedupe_key, provider_id, state, word,
        case when charge_id is null or is_settled then now() end
      from news order by dedupe_key
      on conflict (dedupe_key) do nothing
      returning dedupe_key
    ), looks as (
      select distinct on (charge_id) charge_id, look_for, asked_by from news join written using (dedupe_key)
      where look_for is not null order by charge_id
    ), free as (
      select c.id from charges c where c.id in (select charge_id from looks) for no key update skip locked
    ), looked as (
      update charges c set next_check_at = ${AT_ONCE}, asked_by = l.asked_by from looks l
      where c.id = l.charge_id and c.id = any(array(select id from free))
      returning c.id, ${notifying("sale", sql`l.look_for`)}, ${notifying("due", CHECKS)}
    )
    select dedupe_key, n.charge_id in (select id from looked) as looks
    from written join news n using (dedupe_key)`);
  // The same news twice in one group: the first is the new one.
  const fresh = new Map(written.map((row) => [row.dedupe_key, row.looks ? "looks" : "new"] as const));
  return rows.map((row) => {
    const wrote = fresh.get(row.dedupe_key) ?? "known";
    fresh.delete(row.dedupe_key);
    return wrote;
  });
});

/** Half a character, as cutting may leave one, is no JSON to Postgres. */
function jsonOf(rows: object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

function refuse(why: Taken, { provider, body }: WebhookDelivery): Taken {
  // The body is not logged: it may hold the payer's name and document.
  // Nor is what the address calls the provider, which is anybody's text, unless it is one of ours.
  const known = Object.hasOwn(providers, provider) ? provider : null;
  log.warn({ provider: known, why, bytes: body.length }, "webhook refused");
  return why;
}
