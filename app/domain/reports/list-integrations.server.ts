import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import type { StopReason } from "#app/db/schema/lists.ts";
import { emailTemplates } from "#app/db/schema/mail-settings.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { kindsOf } from "#app/domain/delivery/destinations.server.ts";
import type { Family } from "#app/domain/delivery/kind.ts";
import { type LastAttempt, lastAttempt } from "#app/domain/delivery/list-destinations.server.ts";
import { utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import { isQueued } from "#app/domain/delivery/waiting.server.ts";
import {
  type AccountState,
  accountState,
  findKnownOfAccounts,
} from "#app/domain/gateway/account-state.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { usesOwnAccount } from "#app/domain/mail/sending/choose-sender.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { isPurchaseMailSql } from "#app/domain/reports/figures/purchase-mails.server.ts";

/** Queued rows are counted up to here. */
export const MAX_COUNTED = 100;

export type ListedAccount = { name: string; title: string; acceptsPayments: boolean; state: AccountState };

/** A destination with its number of queued deliveries, at most `MAX_COUNTED`. */
export type ListedDestination = {
  id: string;
  kind: string;
  name: string;
  stopped: StopReason | null;
  failing: boolean;
  last: LastAttempt | null;
  waiting: number;
};

export type Integrations = {
  accounts: ListedAccount[];
  tracking: { state: "connected" | "paused" | "missing"; destination: ListedDestination | null };
  mail: {
    /** `unused`: a key is saved, and the platform sends the mails until a domain and an address of it are set up. */
    state: "connected" | "unused" | "missing";
    domain: { name: string; verified: boolean } | null;
    /** Mails to buyers: the last one that was sent or failed, with the account that it was sent by, and how many are queued. */
    last: { status: "sent" | "failed"; via: "platform" | "seller"; at: string } | null;
    waiting: number;
  };
  webhooks: ListedDestination[];
  pixels: ListedDestination[];
  memberAreas: ListedDestination[];
};

/** Everything a seller's shop is connected to, with its state. The number of statements does not grow with it. */
export async function listIntegrations(sellerId: string): Promise<Integrations> {
  const [gateways, known, domain, listedDestinations, [mailState]] = await Promise.all([
    showGateways(sellerId),
    findKnownOfAccounts(sellerId),
    findDomain(sellerId),
    listDestinations(sellerId),
    readMailState(sellerId),
  ]);
  const ofFamily = (family: Family) => {
    const ids = kindsOf(family).map(({ id }) => id);
    return listedDestinations.filter(({ kind }) => ids.includes(kind));
  };
  const hasKey = gateways.resend_api_key !== "";
  const senderEmail = mailState?.senderEmail ?? "";
  const verifiedDomain = domain?.isVerified ? domain.domainName : null;
  return {
    accounts: connectableAccounts().map((account) => ({
      ...{ name: account.name, title: account.title, acceptsPayments: account.charges !== null },
      state: accountState(account, gateways, known),
    })),
    tracking: {
      state: gateways.utmfy_api_token === "" ? "missing" : gateways.utmfy_enabled ? "connected" : "paused",
      destination: listedDestinations.find(({ kind }) => kind === utmify.id) ?? null,
    },
    mail: {
      state: !hasKey
        ? "missing"
        : usesOwnAccount({ hasKey, senderEmail, verifiedDomain })
          ? "connected"
          : "unused",
      domain: domain && { name: domain.domainName, verified: domain.isVerified },
      last: mailState?.last ?? null,
      waiting: mailState?.waiting ?? 0,
    },
    webhooks: ofFamily("webhook"),
    pixels: ofFamily("pixel"),
    memberAreas: ofFamily("members"),
  };
}

const pendingCount = sql<number>`(select count(*)::int from (
  select from ${deliveries} o where o.destination_id = ${destinations}.id and ${isQueued()} limit ${MAX_COUNTED}) few)`;

async function listDestinations(sellerId: string): Promise<ListedDestination[]> {
  const rows = await db
    .select({
      ...{ id: destinations.id, kind: destinations.kind, name: destinations.name },
      ...{ stoppedAt: destinations.stoppedAt, stoppedReason: destinations.stoppedReason },
      ...{ failingSince: destinations.failingSince, last: lastAttempt, waiting: pendingCount },
    })
    .from(destinations)
    .where(and(eq(destinations.sellerId, sellerId), isNull(destinations.deletedAt)))
    .orderBy(desc(destinations.createdAt));
  return rows.map(({ stoppedAt, stoppedReason, failingSince, ...row }) => ({
    ...row,
    stopped: stoppedAt && (stoppedReason ?? "seller"),
    failing: failingSince !== null,
  }));
}

/** Only the newest mails: older ones do not show the current state. */
const NEWEST_MAILS = sql.raw("50");

function readMailState(sellerId: string) {
  return db
    .select({
      last: sql<Integrations["mail"]["last"]>`(
        select json_build_object('status', mails.status, 'via', mails.via, 'at', coalesce(mails.sent_at, mails.created_at))
        from (select * from ${mails} where seller_id = ${sellerId} order by created_at desc limit ${NEWEST_MAILS}) mails
        where mails.status <> 'attempting' and ${isPurchaseMailSql} order by mails.created_at desc limit 1)`,
      senderEmail: sql<
        string | null
      >`(select sender_email from ${emailTemplates} where seller_id = ${sellerId})`,
      waiting: sql<number>`(select count(*)::int from (
        select from ${queuedMails} inner join ${mails} on mails.id = queued_mails.id
        where queued_mails.seller_id = ${sellerId} and mails.status = 'attempting' and ${isPurchaseMailSql}
        limit ${MAX_COUNTED}) few)`,
    })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
}
