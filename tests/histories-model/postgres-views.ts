import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { readPixStatuses } from "#app/domain/pix/watch-pix.server.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { showStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { statusLabel } from "#app/domain/reports/labels.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { checkPix } from "#app/domain/settlement/check-pix.server.ts";
import {
  type Claim,
  claimOf,
  type Seen,
  type SeenCharge,
  type SeenSale,
} from "#tests/histories-model/seen.ts";
import { sql } from "#tests/support/database.ts";

type Row = Pick<SeenSale, "id" | "status" | "amountCents" | "feeCents"> & {
  events: string[] | null;
  charges:
    | (Omit<SeenCharge, "createdAt" | "expiresAt" | "paidAt" | "overpaidAt" | "announcedAt"> &
        Record<"createdAt" | "expiresAt" | "paidAt" | "overpaidAt" | "announcedAt", string | null>)[]
    | null;
};

/**
 * A seller's books as the tables and every view show them. Views are read only if the tables differ from `before`, or
 * time has passed.
 * @returns `before` for the next read
 */
export async function readSellerViews(
  sellerId: string,
  before: string,
): Promise<{ seen: Seen; before: string }> {
  const rows = await readRows(sellerId);
  const same = JSON.stringify(rows);
  const now = new Date();
  if (same === before) {
    const sales = rows.map((row) => ({ ...withEvents(row), claims: [] }));
    return { seen: { now, sales, sold: [] }, before };
  }
  return { seen: await readViews(sellerId, rows), before: same };
}

function withEvents(row: Row): Omit<SeenSale, "claims"> {
  return { ...row, events: row.events ?? [], charges: (row.charges ?? []).map(withMoments) };
}

async function readViews(sellerId: string, rows: Row[]): Promise<Seen> {
  const now = new Date();
  if (rows.length === 0) return { now, sales: [], sold: [] };
  const period = periodOf("1y", now);
  const filter = {
    period,
    status: "all",
    productId: null,
    method: null,
    couponId: null,
    offerId: null,
    search: "",
  } as const;
  const [statuses, { items }, waiting, csv, days, byProduct] = await Promise.all([
    readPixStatuses(rows.map(({ id }) => id)),
    listSales(sellerId, filter, { limit: 100 }),
    findActionItems(sellerId),
    readCsv(sellerId, filter),
    readDays(sellerId, period),
    readBreakdown(sellerId, "product", period),
  ]);
  const stats = await showStats(sellerId, period, days);
  const sales = await Promise.all(
    rows.map(async (row): Promise<SeenSale> => {
      const at = items.findIndex(({ id }) => id === row.id);
      const listed = items[at]!;
      const field = (name: string) => csv[at]!.get(name)!;
      const pages = await readPages(sellerId, row);
      const actionItems = waiting.flatMap((one) =>
        "saleId" in one && one.saleId === row.id ? [one.kind] : [],
      );
      const { status, feeCents, refundedCents, netCents } = listed;
      const claims: Claim[] = [
        ...pages,
        { view: "event stream", says: { api: statuses.get(row.id)!.apiStatus } },
        { view: "list", says: { status, feeCents, refundedCents, netCents, inCents: listed.receivedCents } },
        {
          view: "CSV",
          says: {
            feeCents: field("Taxa") === "" ? null : cents(field("Taxa")),
            refundedCents: cents(field("Devolvido")),
            netCents: field("Líquido") === "" ? null : cents(field("Líquido")),
            inCents: cents(field("Recebido")),
            ...(field("Status") === statusLabel(row.status) ? { status: row.status } : {}),
          },
        },
        {
          view: "dashboard",
          says: {
            actionItems: actionItems
              .filter((actionItem) => actionItem !== "disputed")
              .sort()
              .join(),
            disputed: actionItems.includes("disputed"),
          },
        },
      ];
      return { ...withEvents(row), claims };
    }),
  );
  const sold = [
    { view: "report", count: stats.sales, cents: stats.revenueCents, netCents: stats.netCents },
    {
      view: "breakdown",
      count: byProduct.rows.reduce((sum, row) => sum + row.sold, 0),
      cents: byProduct.rows.reduce((sum, row) => sum + row.revenueCents, 0),
      netCents: null,
    },
  ];
  return { now: new Date(), sales, sold };
}

/** The buyer's page and API, and the seller's details. */
async function readPages(sellerId: string, row: Row): Promise<Claim[]> {
  const [found, pix, shown] = await Promise.all([
    findPaymentSummary({ saleId: row.id }),
    showPix(row.id),
    showSale(sellerId, row.id),
  ]);
  const { status, feeCents, refundedCents, netCents } = shown.sale;
  const claims: Claim[] = [
    claimOf("standing", found!),
    claimOf("PIX page", pix!.paymentSummary),
    { view: "PIX page's code", says: { chargeId: pix!.charge?.id ?? null } },
    claimOf("details", shown.paymentSummary),
    { view: "details' sale", says: { status, feeCents, refundedCents, netCents } },
  ];
  if (found!.chargeId) {
    const { status: api, paymentSummary: standing } = await checkPix(found!.chargeId, {
      asksProvider: false,
    });
    claims.push({ view: "status API", says: { api, buyer: standing } });
  }
  return claims;
}

function readRows(sellerId: string): Promise<Row[]> {
  return sql<Row[]>`
    select s.id, s.status, s.amount_cents as "amountCents", s.fee_cents as "feeCents",
      (select json_agg(e.kind order by e.id) from sale_events e where e.sale_id = s.id) as events,
      (select json_agg(json_build_object(
        'id', c.id, 'method', c.method, 'status', c.status, 'providerId', c.provider_id, 'amountCents', c.amount_cents,
        'paidCents', c.paid_cents, 'feeCents', c.fee_cents, 'createdAt', c.created_at, 'expiresAt', c.expires_at,
        'paidAt', c.paid_at, 'overpaidAt', c.overpaid_at,
        'isDisputed', (select e.data->>'state' = 'disputed' from charge_events e where e.charge_id = c.id and e.kind = 'asked'
          and e.data->>'state' not in ('unknown', 'unclear') order by e.id desc limit 1),
        'announcedAt', (select max(w.received_at) from payment_webhooks w
          where w.charge_id = c.id and w.handled_at is null and w.state = 'paid'),
        'refunds', (select coalesce(json_agg(json_build_object('status', r.status, 'amountCents', r.amount_cents, 'origin', r.origin)
          order by r.requested_at), '[]') from refunds r where r.charge_id = c.id),
        'events', (select json_agg(e.kind order by e.id) from charge_events e where e.charge_id = c.id)
      ) order by c.created_at) from charges c where c.sale_id = s.id) as charges
    from sales s where s.seller_id = ${sellerId} order by s.created_at`;
}

function withMoments(charge: NonNullable<Row["charges"]>[number]): SeenCharge {
  const moment = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...charge,
    createdAt: new Date(charge.createdAt!),
    expiresAt: moment(charge.expiresAt),
    paidAt: moment(charge.paidAt),
    overpaidAt: moment(charge.overpaidAt),
    announcedAt: moment(charge.announcedAt),
  };
}

/** The rows, each with its fields by column. */
async function readCsv(...of: Parameters<typeof streamCsv>): Promise<Map<string, string>[]> {
  let text = "";
  for await (const piece of streamCsv(...of)) text += piece;
  const [columns, ...lines] = text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(";"));
  // From the end, since a name may hold a separator.
  return lines.map(
    (line) => new Map(columns!.map((column, at) => [column, line.at(at - columns!.length) ?? ""])),
  );
}

function cents(field: string): number {
  return Math.round(Number(field.replace(/[.']/g, "").replace(",", ".")) * 100);
}
