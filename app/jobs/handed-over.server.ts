import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { reminders } from "#app/db/schema/mails.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { AT_ONCE } from "#app/domain/charge/next-look.server.ts";
import { bringOver } from "#app/domain/outbox/utmify/bring-over.server.ts";
import { announcePix } from "#app/domain/pix/announce-pix.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { type AnyJob, defineJob, enqueue } from "#app/queue/job.server.ts";
import { NEWS } from "#app/queue/names.ts";

const SEND_ORDER = { name: "send-order", maxAttempts: 25, priority: 5, patient: true };

/**
 * Jobs that versions before queue (of mails and charges before migration 0004, of news before 0013, of orders for UTMify before 0025), also while they still run beside this one: what they ask for is handed over to
 * the rows. They may go once no such version runs and none of their jobs is left.
 */
export const handedOver: AnyJob[] = [
  defineJob<{ chargeId: string }>("check-charge", async ({ chargeId }) => {
    await db.update(charges).set({ nextCheckAt: AT_ONCE }).where(eq(charges.id, chargeId));
  }),
  // A mail's row is due by itself, and so is news for a destination.
  defineJob("send-mail", async () => {}, { priority: 10 }),
  defineJob("sweep-mails", async () => {}),
  defineJob("tell-news", async () => {}, { priority: 5 }),
  defineJob<{ saleId: string }>(
    SEND_ORDER.name,
    async ({ saleId }) => {
      const until = await bringOver(saleId);
      if (until && until > new Date())
        await enqueue(db, SEND_ORDER, { saleId }, { key: saleId, when: until });
      else if (until) await notify(db, "due", NEWS);
    },
    SEND_ORDER,
  ),
  defineJob<{ saleId: string }>(
    "announce-pix",
    async ({ saleId }) => {
      const charge = (await showPix(saleId))?.charge;
      if (charge?.status !== "open" || !charge.pixCode) return;
      const { pixCode, notice, expiresAt } = charge;
      await announcePix(db, saleId, { pixCode, notice, expiresAt: expiresAt?.toISOString() ?? null });
    },
    { priority: 5 },
  ),
  defineJob<{ saleId: string; number: number; since: number }>(
    "remind-buyer",
    async ({ saleId, number, since }) => {
      await db.execute(sql`insert into ${reminders} (sale_id, number, since, due_at)
        select id, ${number}, ${new Date(since).toISOString()}::timestamptz, now() from sales where id = ${saleId}
        on conflict (sale_id) do nothing`);
    },
    { priority: 5 },
  ),
];
