import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { type DestinationKind, MEMBER_KINDS, PIXEL_KINDS, type StopReason } from "#app/db/schema/lists.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { isKeyRefused } from "#app/domain/gateway/is-key-refused.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findDomain } from "#app/domain/mail/domain/find-domain.server.ts";
import { type LastTried, lastTried } from "#app/domain/outbox/last-tried.server.ts";
import { DELIVERIES } from "#app/domain/reports/figures/figures.server.ts";
import { pick } from "#app/kit/pick.ts";

/** Waiting rows are counted up to here: more than this is many. */
export const MANY = 100;

/** How an account stands: `missing`: it was never set up; `paused`: it was, and is switched off. */
export type AccountState = "connected" | "paused" | "missing" | "refused";
export type ListedAccount = { name: string; title: string; takesPayments: boolean; state: AccountState };

/** Who is told of sales, with what waits for it, `MANY` at most. */
export type ListedDestination = {
  id: string;
  kind: DestinationKind;
  name: string;
  stopped: StopReason | null;
  failing: boolean;
  last: LastTried | null;
  waiting: number;
};

export type Integrations = {
  accounts: ListedAccount[];
  tracking: { state: AccountState; told: ListedDestination | null };
  mail: {
    state: "connected" | "missing";
    domain: { name: string; verified: boolean } | null;
    /** Mails to buyers: the last one that was tried to its end, and how many have not left yet. */
    last: { status: "sent" | "failed"; at: string } | null;
    waiting: number;
  };
  webhooks: ListedDestination[];
  pixels: ListedDestination[];
  memberAreas: ListedDestination[];
};

/** Everything a seller's shop is connected to, and how each stands. The number of statements does not grow with it. */
export async function listIntegrations(sellerId: string): Promise<Integrations> {
  const [gateways, refused, domain, told, [mailed]] = await Promise.all([
    showGateways(sellerId),
    isKeyRefused(sellerId),
    findDomain(sellerId),
    listDestinations(sellerId),
    lookAtMail(sellerId),
  ]);
  const of = (kinds: readonly DestinationKind[]) => told.filter(({ kind }) => kinds.includes(kind));
  return {
    accounts: connectableAccounts()
      .filter(({ hasCard }) => hasCard)
      .map(({ name, title, toggle, keys, charges }) => ({
        ...{ name, title, takesPayments: charges !== null },
        state: accountState({
          isOn: pick(gateways, toggle.field) === true,
          hasKey: keys.every(({ field, isOptional }) => isOptional || pick(gateways, field) !== ""),
          isRefused: charges !== null && refused,
        }),
      })),
    tracking: {
      state: accountState({
        isOn: gateways.utmfy_enabled,
        hasKey: gateways.utmfy_api_token !== "",
        isRefused: false,
      }),
      told: of(["utmify"])[0] ?? null,
    },
    mail: {
      state: gateways.resend_api_key === "" ? "missing" : "connected",
      domain: domain && { name: domain.domainName, verified: domain.isVerified },
      last: mailed?.last ?? null,
      waiting: mailed?.waiting ?? 0,
    },
    webhooks: of(["webhook"]),
    pixels: of(PIXEL_KINDS),
    memberAreas: of(MEMBER_KINDS),
  };
}

function accountState(account: { isOn: boolean; hasKey: boolean; isRefused: boolean }): AccountState {
  if (!account.hasKey) return "missing";
  if (!account.isOn) return "paused";
  return account.isRefused ? "refused" : "connected";
}

/** What waits is found by its subject alone: docs/decisions/rows-are-their-own-queue.md. */
const waiting = sql<number>`(select count(*)::int from (
  select from ${outbox} o where o.destination_id = ${destinations}.id and o.status = 'queued'
    and o.subject_id > '00000000-0000-0000-0000-000000000000' limit ${MANY}) few)`;

async function listDestinations(sellerId: string): Promise<ListedDestination[]> {
  const rows = await db
    .select({
      ...{ id: destinations.id, kind: destinations.kind, name: destinations.name },
      ...{ stoppedAt: destinations.stoppedAt, why: destinations.stoppedWhy },
      ...{ failingSince: destinations.failingSince, last: lastTried, waiting },
    })
    .from(destinations)
    .where(and(eq(destinations.sellerId, sellerId), isNull(destinations.deletedAt)))
    .orderBy(desc(destinations.createdAt));
  return rows.map(({ stoppedAt, why, failingSince, ...row }) => ({
    ...row,
    stopped: stoppedAt && (why ?? "seller"),
    failing: failingSince !== null,
  }));
}

/** Of the newest mails only: what was long ago says nothing of how it stands. */
const NEWEST = sql.raw("50");

function lookAtMail(sellerId: string) {
  return db
    .select({
      last: sql<Integrations["mail"]["last"]>`(
        select json_build_object('status', mails.status, 'at', coalesce(mails.sent_at, mails.created_at))
        from (select * from ${mails} where seller_id = ${sellerId} order by created_at desc limit ${NEWEST}) mails
        where mails.status <> 'attempting' and ${DELIVERIES} order by mails.created_at desc limit 1)`,
      waiting: sql<number>`(select count(*)::int from (
        select from ${mails} where mails.seller_id = ${sellerId} and mails.status = 'attempting' and ${DELIVERIES}
        limit ${MANY}) few)`,
    })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
}
