import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

const REASONS = {
  failing: "Há três dias nenhum aviso chega lá, depois de muitas tentativas.",
  gone: "O endereço respondeu que não quer mais receber avisos (410 Gone).",
};

/** Stops telling a destination, and mails its seller why, once. What is queued ends by itself. */
export async function stopDestination(
  tx: Tx,
  { id, sellerId, name }: { id: string; sellerId: string; name: string },
  why: keyof typeof REASONS,
): Promise<void> {
  const stopped = await tx
    .update(destinations)
    .set({ stoppedAt: new Date(), stoppedWhy: why })
    .where(and(eq(destinations.id, id), isNull(destinations.stoppedAt)))
    .returning({ id: destinations.id });
  if (stopped.length === 0) return;
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
      subject: `Webhook pausado: ${name}`,
      html: mailLayout({
        title: "Um webhook foi pausado",
        preview: "As suas vendas seguem normais; só os avisos pararam.",
        bodyHtml: [
          paragraph(`Olá, ${escapeHtml(seller!.name)}!`),
          paragraph(`Paramos de avisar <strong>${escapeHtml(name)}</strong>. ${REASONS[why]}`),
          paragraph("As suas vendas seguem normais: só estes avisos pararam."),
          paragraph(
            "Corrija o endereço, ligue o webhook de novo e reenvie o que faltou: tudo está no registro dele.",
          ),
          mailButton("Ver o webhook", env.APP_URL + paths.webhook(id)),
        ].join("\n"),
      }),
    },
  });
}
