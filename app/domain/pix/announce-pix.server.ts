import { db } from "#app/db/client.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { findOwned } from "#app/domain/order/find-owned.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { scheduleReminder } from "#app/domain/reminder/schedule/schedule-reminder.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { ANNOUNCE_PIX } from "#app/queue/names.ts";

/**
 * Mails the buyer the first PIX of their order and sets the first reminder; later codes of the same order change nothing. An
 * address that is written to too often gets neither.
 */
export const announcePix = defineJob<{ saleId: string }>(
  ANNOUNCE_PIX.name,
  async ({ saleId }) => {
    const sale = await readSaleContacts(db, saleId);
    const recipient = sale?.customerEmail;
    if (sale?.status !== "pending" || !recipient) return;
    const pix = await showPix(saleId);
    if (pix?.charge?.status !== "open" || !pix.charge.pixCode) return;
    const { pixCode, expiresAt, notice } = pix.charge;
    const owned = await findOwned(saleId);
    await db.transaction(async (tx) => {
      const queued = await queueMail(tx, {
        kind: "pix",
        idempotencyKey: `pix/${saleId}`,
        recipient,
        sellerId: sale.sellerId,
        saleId,
        facts: {
          pixCode,
          notice,
          expiresAt: expiresAt?.toISOString() ?? null,
          owned: owned && { saleId: owned.saleId, completedAt: owned.completedAt.toISOString() },
        },
      });
      if (queued)
        await scheduleReminder(tx, { saleId, sellerId: sale.sellerId, number: 1, since: new Date() });
    });
  },
  ANNOUNCE_PIX,
);
