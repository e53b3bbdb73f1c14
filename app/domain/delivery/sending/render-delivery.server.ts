import { and, eq, ne, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { anyOf, ownOfSale } from "#app/db/conditions.server.ts";
import { deliveries } from "#app/db/schema/deliveries.server.ts";
import { ACCESS_EVENTS, type DeliveryEvent } from "#app/db/schema/lists.ts";
import type {
  OpenDestination,
  Opened,
  Openings,
  ReceiverPeriod,
  SendingKind,
  Skipped,
} from "#app/domain/delivery/destination.ts";
import { asOfEvent, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import type { ClaimedDelivery } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { wasAccepted } from "#app/domain/delivery/sending/end-delivery.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * Reads a sale as it is sent to destinations; null where the sale is gone. Passed in, since this folder does not depend on
 * sales.
 */
export type ReadNotification = (request: {
  sellerId: string;
  saleId: string;
  aboutId: string;
  event: DeliveryEvent;
  at: Date;
  /** Whose access it is about, where that is not the sale's buyer now. */
  email: string | null;
  /** Left out, what the buyer still has counts wherever it was opened. */
  destinationId?: string;
}) => Promise<SaleNotification | null>;

/**
 * The bodies to send, rendered at the first attempt: the sale without what happened to it later. Several where a destination
 * receives each line separately.
 */
export async function renderDelivery(
  delivery: ClaimedDelivery,
  to: OpenDestination,
  kind: SendingKind,
  read: ReadNotification,
): Promise<string[] | Skipped> {
  const { sellerId, saleId, aboutId, event, createdAt: at, destinationId } = delivery;
  const email = delivery.aboutEmailSealed && unseal(delivery.aboutEmailSealed);
  const notification = saleId
    ? await read({ sellerId, saleId, aboutId, event, at, email, destinationId })
    : sampleNotification(event, delivery);
  const openings =
    notification && ACCESS_EVENTS.includes(event) && kind.openedBy
      ? await readOpenings(delivery, notification.stillOwnedSaleIds, kind)
      : undefined;
  let bodies = notification ? kind.render(asOfEvent(notification), to, openings) : [];
  // A PIX that the destination never received did not count: the payment does, or the next PIX, as one without a PIX before it.
  if (notification && isSaidBefore(bodies) && !(await wasPixSent(delivery, kind.receiverPeriods?.(to))))
    bodies = kind.render({ ...asOfEvent(notification), pix: null }, to);
  if ("skipReason" in bodies) return bodies;
  const stored = delivery.bodySealed && unseal(delivery.bodySealed);
  const part = stored && kind.partOf ? kind.partOf(stored) : null;
  if (part !== null) {
    const own = bodies.find((each) => kind.partOf!(each) === part);
    return own === undefined ? { skipReason: "still-held" } : [own];
  }
  // An attempt that was lost is counted, not logged. After one that was rejected the next counts from 0: the delivery ended with
  // it, or its receiver was replaced meanwhile.
  const mayHaveOpened =
    delivery.attempts > 0 || delivery.attemptLog.some(({ result }) => result !== "rejected");
  if (stored && kind.keepOpened && mayHaveOpened)
    bodies = bodies.map((each) => kind.keepOpened!(each, stored));
  const [body, ...others] = bodies.slice(delivery.part);
  if (body === undefined) return { skipReason: "nothing-to-say" };
  return delivery.part === 0 ? [body, ...others] : [body];
}

/**
 * What a destination was told to open for a sale, and for other ones. What it refused is not open.
 * For an opening: what other ones of the sale opened that the destination accepted.
 */
async function readOpenings(
  { id, sellerId, destinationId, saleId, event }: ClaimedDelivery,
  keptSaleIds: string[],
  kind: SendingKind,
): Promise<Openings> {
  if (!saleId) return { own: [], kept: [] };
  const counts =
    event === "access.granted"
      ? and(ne(deliveries.id, id), wasAccepted)
      : sql`(${deliveries.reason} is distinct from 'rejected' or ${wasAccepted})`;
  const rows = await db
    .select({
      saleId: deliveries.saleId,
      bodySealed: deliveries.bodySealed,
      attemptLog: deliveries.attemptLog,
    })
    .from(deliveries)
    .where(
      and(
        ...[eq(deliveries.sellerId, sellerId), anyOf(deliveries.saleId, [saleId, ...keptSaleIds])],
        ...[eq(deliveries.destinationId, destinationId), eq(deliveries.event, "access.granted")],
        counts,
      ),
    );
  const openedBy = (ids: string[]) =>
    rows.flatMap((row) => (ids.includes(row.saleId!) ? openedByRow(row, kind) : []));
  return { own: openedBy([saleId]), kept: openedBy(keptSaleIds) };
}

type Row = Pick<typeof deliveries.$inferSelect, "bodySealed" | "attemptLog">;

/** What a body opened, and what only the log knows since the body was cleared. */
function openedByRow({ bodySealed, attemptLog }: Row, kind: SendingKind): Opened[] {
  const known = bodySealed === null ? [] : kind.openedBy!(unseal(bodySealed));
  const logged = attemptLog.flatMap(({ opened = [] }) => opened);
  const ids = logged.filter((id) => !known.some((one) => one.ids.includes(id)));
  return ids.length === 0 ? known : [...known, { email: null, ids }];
}

function isSaidBefore(bodies: string[] | Skipped): boolean {
  return "skipReason" in bodies && bodies.skipReason === "said-before";
}

const ALWAYS: ReceiverPeriod = { since: null, until: null };

/** Whether the destination accepted a PIX of the sale in one of the periods: also one that is being sent again. */
async function wasPixSent(
  { sellerId, saleId, destinationId }: ClaimedDelivery,
  periods: ReceiverPeriod[] = [ALWAYS],
): Promise<boolean> {
  const isCounted = periods.some(({ since, until }) => since === null && until === null)
    ? wasAccepted
    : sql`exists (select from jsonb_array_elements(${deliveries.attemptLog}) attempt
        inner join jsonb_to_recordset(${JSON.stringify(periods)}::text::jsonb) as p(since timestamptz, until timestamptz)
          on (attempt ->> 'at')::timestamptz >= coalesce(p.since, '-infinity') and (attempt ->> 'at')::timestamptz < coalesce(p.until, 'infinity')
        where attempt ->> 'result' = 'taken')`;
  const [sent] = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        ownOfSale(deliveries, sellerId, saleId!),
        eq(deliveries.destinationId, destinationId),
        eq(deliveries.event, "pix.generated"),
        isCounted,
      ),
    )
    .limit(1);
  return sent !== undefined;
}
