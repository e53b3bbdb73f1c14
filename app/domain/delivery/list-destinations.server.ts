import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent, StopReason } from "#app/db/schema/lists.ts";
import { versionOf } from "#app/db/version.server.ts";
import { listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import type { DestinationRow, Family } from "#app/domain/delivery/kind.ts";
import { missing, ofFamily } from "#app/domain/delivery/own-destination.server.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A destination's last attempt and its result. `at` is an ISO timestamp. */
export type LastAttempt = {
  event: string;
  status: string;
  reason: string | null;
  responseStatus: number | null;
  responseBody: string | null;
  at: string;
};

/** Among so many deliveries is the last attempt looked for: a pixel may have skipped all of its buyers, who agreed to nothing. */
const NEWEST = sql.raw("1000");

/**
 * The last attempt, as a column of a query of destinations; null where none is recent. A delivery that was claimed and skipped is
 * none, so of what was skipped when it was to be sent again the attempt of before counts.
 */
export const lastAttempt = sql<LastAttempt | null>`(
  select json_build_object('event', o.event, 'status', o.status, 'reason', o.reason, 'responseStatus', o.response_status,
    'responseBody', o.response_body, 'at', coalesce((o.attempt_log -> -1 ->> 'at')::timestamptz, o.attempted_at))
  from (select * from ${deliveries} where seller_id = ${destinations}.seller_id and destination_id = ${destinations}.id
    order by sequence desc limit ${NEWEST}) o
  where o.attempted_at is not null and (o.attempts > 0 or o.attempt_log <> '[]')
  order by o.sequence desc limit 1)`;

/** Whether the last attempt arrived, or is under way. A test that was refused marks no destination as failing. */
export function isLastSent(last: LastAttempt | null): boolean {
  return last?.status === "sent" || last?.status === "queued";
}

/** A destination as its seller may see it, with its secrets masked. Its kind knows its settings. */
export type DestinationView = {
  id: string;
  kind: string;
  name: string;
  events: DeliveryEvent[];
  productIds: number[] | null;
  settings: unknown;
  token: string;
  secret: string;
  /** Until when the secret before the last rotation signs too. */
  previousUntil: Date | null;
  stopped: StopReason | null;
  stoppedAt: Date | null;
  failingSince: Date | null;
  /** The last delivery attempted; null where none is recent. */
  last: LastAttempt | null;
  /** The version of its form. */
  version: string;
  /** The version for programs. */
  switchedVersion: string;
};

/** A seller's destinations of a family, newest first. */
export async function listDestinations(family: Family, sellerId: string): Promise<DestinationView[]> {
  return (await select(family, sellerId).orderBy(desc(destinations.createdAt))).map(toView);
}

/** @throws Refusal not-found */
export async function showDestination(
  family: Family,
  sellerId: string,
  id: string,
): Promise<DestinationView> {
  const [row] = isUuid(id) ? await select(family, sellerId, id) : [];
  if (!row) throw missing(family);
  return toView(row);
}

/** Changes with anything that a destination's form shows. */
export function versionOfRow(row: DestinationRow): string {
  const { kind, name, events, settings, productIds, tokenSealed } = row;
  return versionOf([name, listedKindOf(kind).valuesOf({ settings, events }), productIds, tokenSealed]);
}

/** The same for programs, which also send whether it is active. */
export function switchedVersionOf(row: DestinationRow): string {
  return versionOf([versionOfRow(row), row.stoppedAt === null]);
}

function select(family: Family, sellerId: string, id?: string) {
  return db
    .select({ row: destinations, last: lastAttempt })
    .from(destinations)
    .where(
      and(
        eq(destinations.sellerId, sellerId),
        ofFamily(family),
        isNull(destinations.deletedAt),
        id ? eq(destinations.id, id) : undefined,
      ),
    );
}

function toView({ row, last }: Awaited<ReturnType<typeof select>>[number]): DestinationView {
  const { id, kind, name, events, productIds, settings, previousUntil, stoppedAt, failingSince } = row;
  return {
    ...{ id, kind, name, events, productIds, settings, stoppedAt, failingSince, last },
    token: masked(row.tokenSealed),
    secret: masked(row.secretSealed),
    previousUntil: previousUntil && previousUntil > new Date() ? previousUntil : null,
    stopped: stoppedAt && (row.stoppedReason ?? "seller"),
    version: versionOfRow(row),
    switchedVersion: switchedVersionOf(row),
  };
}

function masked(sealed: string | null): string {
  return sealed ? maskSecret(unseal(sealed)) : "";
}
