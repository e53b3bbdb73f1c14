import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { type SecurityChange, securityWords } from "#app/domain/mail/queue/security-words.ts";
import { capitalized } from "#app/kit/clean-text.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { describeDevice, type Origin } from "#app/kit/device.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/** `lines` are plain text; `to` is where the address itself has changed; `from` is missing where it is not known. */
export type Notice = { change: SecurityChange; from?: Origin | undefined; lines?: string[]; to?: string };

/**
 * Tells a seller by mail, and the log by a line, in the transaction that changes it, what was changed in the account, when
 * and from where: whoever did not do it themselves learns of it.
 */
export async function queueSecurityNotice(tx: Db, sellerId: string, notice: Notice): Promise<void> {
  const [seller] = await tx
    .select({ name: sellers.name, email: sellers.email })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!seller) return;
  log.info({ sellerId, change: notice.change }, "account changed");
  await queueMail(tx, {
    kind: "security-notice",
    idempotencyKey: `security-notice/${randomUUID()}`,
    recipient: notice.to ?? seller.email,
    sellerId,
    mail: draw(seller.name, notice),
  });
}

function draw(name: string, { change, from, lines = [] }: Notice) {
  const words = securityWords[change];
  const where = [describeDevice(from?.userAgent ?? null), ...(from?.ip ? [`IP ${from.ip}`] : [])].join(", ");
  const { title, text } = words;
  return {
    subject: `Aviso de segurança: ${title}`,
    html: mailLayout({
      title: capitalized(title),
      preview: "Não foi você? Veja o que fazer.",
      bodyHtml: [
        paragraph(`Olá, ${escapeHtml(name)}!`),
        paragraph(`${text} Foi em ${formatDateTime(new Date())}, de ${escapeHtml(where)}.`),
        ...lines.map((line) => paragraph(escapeHtml(line))),
        paragraph("Foi você? Então não há nada a fazer."),
        paragraph(
          "Não foi você? Crie uma nova senha e marque que as chaves de API também se encerram: tudo o que estiver aberto deixa de valer.",
        ),
        mailButton("Criar nova senha", env.APP_URL + paths.forgotPassword()),
        paragraph(
          `Para ver e encerrar o que abre a sua conta: <a href="${env.APP_URL + paths.access()}">${env.APP_URL + paths.access()}</a>`,
        ),
      ].join("\n"),
    }),
  };
}
