import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { AttemptResult, SendingKind } from "#app/domain/delivery/destination.ts";
import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import { FAMILY_TEXTS } from "#app/domain/delivery/family-texts.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Of so many sales a message has to be refused before that is no fault of theirs. */
const MANY_REFUSED = 3;
/** So much of a log is read at most. Those of pixels are mostly of buyers who did not agree, or clicked no ad of theirs. */
const NEWEST = 5000;

const REASONS = {
  failing: "Há pelo menos três dias nada do que enviamos é aceito lá. O registro mostra cada tentativa.",
  gone: "O endereço respondeu que não quer mais receber avisos (410 Gone).",
  token: "O serviço recusou o token de acesso.",
};

type DestinationRow = typeof destinations.$inferSelect;
type Stopped = Pick<DestinationRow, "id" | "sellerId" | "name" | "kind">;

/** An attempt that did not succeed; `now`: when it began. */
type Failure = { kind: SendingKind; outcome: AttemptResult; now: Date; isTest: boolean; isRepeated: boolean };

/** Stops a destination that wants nothing any more, or has accepted nothing for too long. */
export async function stopIfFailing(
  tx: Tx,
  destination: DestinationRow,
  { kind, outcome, now, isTest, isRepeated }: Failure,
): Promise<void> {
  const { result, reason } = outcome.verdict;
  // Whoever tests sees the answer, so it stops nothing, unless the address wants nothing any more.
  if (isTest && (result !== "gone" || reason === "token")) return;
  if (result === "gone") return stopDestination(tx, destination, reason === "token" ? "token" : "gone");
  const since = destination.failingSince ?? now;
  const hasFailedTooLong = kind.stopAfter !== null && now.getTime() - since.getTime() >= kind.stopAfter;
  if (isRepeated || !hasFailedTooLong) return;
  // A message that is refused for what it says tells nothing of the others, unless it is so for sale after sale.
  if (reason === "rejected" && !(await refusesMany(tx, destination, since))) return;
  await stopDestination(tx, destination, "failing");
}

async function refusesMany(tx: Tx, { id, sellerId }: DestinationRow, since: Date): Promise<boolean> {
  const [refused] = await tx.execute<{ sales: number }>(sql`
    select count(distinct o.sale_id)::int as sales from (
      select sale_id, status, attempt_log from ${deliveries} where seller_id = ${sellerId} and destination_id = ${id}
      order by sequence desc limit ${NEWEST}) o
    where o.status = 'refused' and (o.attempt_log -> -1 ->> 'at')::timestamptz >= ${since.toISOString()}::timestamptz`);
  return refused!.sales >= MANY_REFUSED;
}

/**
 * Stops notifying a destination, and mails its seller why, once. Queued deliveries end by themselves. Only the seller stops
 * UTMify.
 */
export async function stopDestination(
  tx: Tx,
  { id, sellerId, name, kind }: Stopped,
  reason: keyof typeof REASONS,
): Promise<void> {
  const { family, advertiser } = kindOf(kind);
  if (!family) return;
  const stopped = await tx
    .update(destinations)
    .set({ stoppedAt: new Date(), stoppedReason: reason })
    .where(and(eq(destinations.id, id), isNull(destinations.stoppedAt)))
    .returning({ id: destinations.id });
  if (stopped.length === 0) return;
  // Whether the checkout asks for consent depends on the pixels.
  if (advertiser) await notify(tx, "storefront", `seller:${sellerId}`);
  const { title, subject, text, button } = FAMILY_TEXTS[family].stopped;
  const [seller] = await tx
    .select({ name: sellers.name, email: sellers.email })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  await queueMail(tx, {
    kind: "destination-stopped",
    idempotencyKey: `destination-stopped/${randomUUID()}`,
    recipient: seller!.email,
    sellerId,
    mail: {
      subject: `${subject}: ${name}`,
      html: renderMailLayout({
        title,
        preview: "As suas vendas seguem normais; só os avisos pararam.",
        bodyHtml: [
          renderParagraph(greeting(seller!.name)),
          renderParagraph(`Paramos de avisar <strong>${escapeHtml(name)}</strong>. ${REASONS[reason]}`),
          renderParagraph("As suas vendas seguem normais: só estes avisos pararam."),
          renderParagraph(text),
          renderMailButton(button, env.APP_URL + paths.destination(family, id)),
        ].join("\n"),
      }),
    },
  });
}
