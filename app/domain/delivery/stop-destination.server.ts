import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
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

const REASONS = {
  failing: "Há pelo menos três dias nada do que enviamos é aceito lá. O registro mostra cada tentativa.",
  gone: "O endereço respondeu que não quer mais receber avisos (410 Gone).",
  token: "O serviço recusou o token de acesso.",
};

type Stopped = Pick<typeof destinations.$inferSelect, "id" | "sellerId" | "name" | "kind">;

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
