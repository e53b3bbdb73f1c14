import { eq, isNull, lte, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { outbox } from "#app/db/schema/outbox.server.ts";
import type { sales } from "#app/db/schema/sales.server.ts";
import { IN_HAND } from "#app/domain/outbox/resend-news.server.ts";
import type { ReadNews } from "#app/domain/outbox/telling/draw-news.server.ts";
import { tellSubject } from "#app/domain/outbox/telling/tell-news.server.ts";
import { findUtmify } from "#app/domain/outbox/utmify/connection.server.ts";
import { noteOf } from "#app/domain/outbox/utmify/note.server.ts";
import { ageLimitDays, NEWS_OF, type OrderState } from "#app/domain/outbox/utmify/states.ts";
import type { Tried } from "#app/domain/outbox/utmify/test-connection.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { requestId } from "#app/platform/request-id.server.ts";

type Sale = Pick<typeof sales.$inferSelect, "id" | "sellerId" | "createdAt">;

/**
 * Tells UTMify an order's present state once more because its seller asked, whatever the switches say, and waits for the
 * answer.
 * @throws Refusal conflict where UTMify is told nothing, the order is too old or being sent at this moment
 */
export async function resendOrder(sale: Sale, state: OrderState, read: ReadNews): Promise<Tried> {
  const destinationId = await findDestination(sale.sellerId);
  const days = ageLimitDays(state);
  if (Date.now() - sale.createdAt.getTime() > days * DAY)
    throw new Refusal("conflict", `o pedido tem mais de ${days} dias e a UTMify não o aceita mais`);
  const newsId = await queueAgain(sale, state, destinationId);
  if (!newsId) throw new Refusal("conflict", "este evento já está sendo enviado");
  await tellSubject({ destinationId, subjectId: sale.id }, read);
  const [news] = await db.select().from(outbox).where(eq(outbox.id, newsId));
  if (news?.status === "sent") return { success: true, message: "Evento reenviado com sucesso!" };
  const again = news?.status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  if (!news?.attempts && again)
    return {
      success: false,
      message: `A UTMify pediu para esperar, ou outro evento dele está sendo enviado.${again}`,
    };
  const seen = news?.responseStatus ? `HTTP ${news.responseStatus}. ` : "";
  return { success: false, message: `${seen}${(news && noteOf(news)) ?? "sem resposta"}${again}` };
}

async function findDestination(sellerId: string): Promise<string> {
  const row = await findUtmify(sellerId);
  if (!row || row.stoppedAt)
    throw new Refusal("conflict", "o rastreamento está desligado ou sem token da API");
  return row.id;
}

/** It is drawn anew, and stands first in the log. @returns its id; null where it is in somebody's hand */
async function queueAgain(
  { id: saleId, sellerId }: Sale,
  state: OrderState,
  destinationId: string,
): Promise<string | null> {
  const fresh = { attempts: 0, bodySealed: null, requestId: requestId() ?? null, dueAt: IN_HAND };
  const [row] = await db
    .insert(outbox)
    .values({
      ...{ destinationId, sellerId, saleId, subjectId: saleId, aboutId: saleId, event: NEWS_OF[state] },
      ...fresh,
    })
    .onConflictDoUpdate({
      target: [outbox.destinationId, outbox.aboutId, outbox.event, outbox.part],
      set: {
        ...{ ...fresh, status: "queued", why: null, nextAt: null, claimedUntil: null, parkedAt: null },
        place: sql`excluded.place`,
      },
      setWhere: or(isNull(outbox.claimedUntil), lte(outbox.claimedUntil, sql`now()`)),
    })
    .returning({ id: outbox.id });
  return row?.id ?? null;
}
