import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { queueMail } from "#app/domain/mail/queue-mail.server.ts";
import { ANNOUNCE_PIX } from "#app/domain/payments/announce-pix-name.ts";
import { scheduleReminder } from "#app/domain/payments/schedule-reminder.server.ts";
import { showPix } from "#app/domain/payments/show-pix.server.ts";
import { findOwned } from "#app/domain/sales/find-owned.server.ts";
import { pixMail } from "#app/domain/sales/pix-mail.server.ts";
import { readMailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Mails the buyer the first PIX of their order and sets the first reminder; later codes of the same order change nothing. */
export const announcePix = defineJob<{ saleId: string }>(
  ANNOUNCE_PIX.name,
  async ({ saleId }) => {
    const sale = await readMailedSale(db, and(eq(sales.id, saleId), eq(sales.status, "pending")));
    if (!sale?.customerEmail) return;
    const pix = await showPix(saleId);
    if (pix?.charge?.status !== "open" || !pix.charge.pixCode) return;
    const { pixCode, expiresAt, notice } = pix.charge;
    const product = sale.lines[0]?.name ?? "seu pedido";
    const mail = pixMail(
      sale,
      { pixCode, expiresAt, notice },
      {
        subject: `Seu PIX para ${product} está esperando`,
        title: "Falta só o pagamento",
        lead: `O seu pedido de <strong>${escapeHtml(product)}</strong> está reservado. Assim que o PIX for pago, o acesso chega neste e-mail.`,
        owned: await findOwned(saleId),
      },
    );
    await db.transaction(async (tx) => {
      const queued = await queueMail(tx, {
        kind: "pix",
        idempotencyKey: `pix/${saleId}`,
        recipient: sale.customerEmail,
        sellerId: sale.sellerId,
        saleId,
        mail,
      });
      if (queued)
        await scheduleReminder(tx, { saleId, sellerId: sale.sellerId, number: 1, since: new Date() });
    });
  },
  ANNOUNCE_PIX,
);
