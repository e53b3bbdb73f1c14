import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
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
  token: "O serviço não aceita mais o token de acesso.",
};

type Stopped = Pick<typeof destinations.$inferSelect, "id" | "sellerId" | "name" | "kind">;

/** Stops telling a destination, and mails its seller why, once. What is queued ends by itself. */
export async function stopDestination(
  tx: Tx,
  { id, sellerId, name, kind }: Stopped,
  why: keyof typeof REASONS,
): Promise<void> {
  const stopped = await tx
    .update(destinations)
    .set({ stoppedAt: new Date(), stoppedWhy: why })
    .where(and(eq(destinations.id, id), isNull(destinations.stoppedAt)))
    .returning({ id: destinations.id });
  if (stopped.length === 0) return;
  const isWebhook = kind === "webhook";
  // Its buyers are not asked any more whether it may be told.
  if (!isWebhook) await notify(tx, "storefront", `seller:${sellerId}`);
  const [what, mend] = isWebhook ? ["webhook", "o endereço"] : ["pixel", "o acesso"];
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
      subject: `${isWebhook ? "Webhook" : "Pixel"} pausado: ${name}`,
      html: mailLayout({
        title: `Um ${what} foi pausado`,
        preview: "As suas vendas seguem normais; só os avisos pararam.",
        bodyHtml: [
          paragraph(`Olá, ${escapeHtml(seller!.name)}!`),
          paragraph(`Paramos de avisar <strong>${escapeHtml(name)}</strong>. ${REASONS[why]}`),
          paragraph("As suas vendas seguem normais: só estes avisos pararam."),
          paragraph(
            `Corrija ${mend}, ligue o ${what} de novo e reenvie o que faltou: tudo está no registro dele.`,
          ),
          mailButton(`Ver o ${what}`, env.APP_URL + (isWebhook ? paths.webhook(id) : paths.pixel(id))),
        ].join("\n"),
      }),
    },
  });
}
