import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { type Family, familyOf } from "#app/domain/outbox/own-destination.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

const REASONS = {
  failing: "Há três dias nenhum aviso chega lá, depois de muitas tentativas.",
  gone: "O endereço respondeu que não quer mais receber avisos (410 Gone).",
  token: "O serviço não aceita mais o token de acesso.",
};

const FAMILIES: Record<
  Family,
  { title: string; subject: string; mend: string; see: string; page: (id: string) => string }
> = {
  webhook: {
    title: "Um webhook foi pausado",
    subject: "Webhook pausado",
    mend: "Corrija o endereço, reative o webhook e reenvie o que faltou: tudo está no registro dele.",
    see: "Ver o webhook",
    page: (id) => paths.webhook(id),
  },
  pixel: {
    title: "Um pixel foi pausado",
    subject: "Pixel pausado",
    mend: "Corrija o acesso, reative o pixel e reenvie o que faltou: tudo está no registro dele.",
    see: "Ver o pixel",
    page: (id) => paths.pixel(id),
  },
  members: {
    title: "Uma área de membros foi pausada",
    subject: "Área de membros pausada",
    mend: "Quem comprar agora fica sem acesso lá até você agir. Corrija a conexão, reative a área e reenvie o que faltou: também essas compras estão no registro dela.",
    see: "Ver a área de membros",
    page: (id) => paths.memberArea(id),
  },
};

type Stopped = Pick<typeof destinations.$inferSelect, "id" | "sellerId" | "name" | "kind">;

/**
 * Stops telling a destination, and mails its seller why, once. What is queued ends by itself. UTMify is stopped by its
 * seller alone.
 */
export async function stopDestination(
  tx: Tx,
  { id, sellerId, name, kind }: Stopped,
  why: keyof typeof REASONS,
): Promise<void> {
  const family = familyOf(kind);
  if (!family) return;
  const stopped = await tx
    .update(destinations)
    .set({ stoppedAt: new Date(), stoppedWhy: why })
    .where(and(eq(destinations.id, id), isNull(destinations.stoppedAt)))
    .returning({ id: destinations.id });
  if (stopped.length === 0) return;
  // Its buyers are not asked any more whether it may be told.
  if (family === "pixel") await notify(tx, "storefront", `seller:${sellerId}`);
  const { title, subject, mend, see, page } = FAMILIES[family];
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
      html: mailLayout({
        title,
        preview: "As suas vendas seguem normais; só os avisos pararam.",
        bodyHtml: [
          paragraph(`Olá, ${escapeHtml(seller!.name)}!`),
          paragraph(`Paramos de avisar <strong>${escapeHtml(name)}</strong>. ${REASONS[why]}`),
          paragraph("As suas vendas seguem normais: só estes avisos pararam."),
          paragraph(mend),
          mailButton(see, env.APP_URL + page(id)),
        ].join("\n"),
      }),
    },
  });
}
