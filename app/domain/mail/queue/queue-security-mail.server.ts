import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { SECURITY_TEXTS, type SecurityChange } from "#app/domain/mail/queue/security-texts.ts";
import { capitalize } from "#app/kit/clean-text.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { describeDevice, type RequestOrigin } from "#app/kit/device.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/** `lines` are plain text; `to` is for a changed e-mail address; `from` is missing where it is not known. */
export type SecurityMail = {
  change: SecurityChange;
  origin?: RequestOrigin | undefined;
  lines?: string[];
  to?: string;
};

/**
 * Mails a seller, and logs, what was changed in the account, when and from where, in the transaction of the change: a seller
 * who did not make it learns of it.
 */
export async function queueSecurityMail(tx: Db, sellerId: string, securityMail: SecurityMail): Promise<void> {
  const [seller] = await tx
    .select({ name: sellers.name, email: sellers.email, oauthSubject: sellers.oauthSubject })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!seller) return;
  log.info({ sellerId, change: securityMail.change }, "account changed");
  await queueMail(tx, {
    kind: "security-notice",
    idempotencyKey: `security-notice/${randomUUID()}`,
    recipient: securityMail.to ?? seller.email,
    sellerId,
    mail: renderSecurityMail(seller.name, securityMail, seller.oauthSubject !== null),
  });
}

function renderSecurityMail(
  name: string,
  { change, origin, lines = [], to }: SecurityMail,
  hasIdentity: boolean,
) {
  const changeText = SECURITY_TEXTS[change];
  const origins = [
    describeDevice(origin?.userAgent ?? null),
    ...(origin?.ip ? [`IP ${origin.ip}`] : []),
  ].join(", ");
  const { title, text } = changeText;
  return {
    subject: `Aviso de segurança: ${title}`,
    html: renderMailLayout({
      title: capitalize(title),
      preview: "Não foi você? Veja o que fazer.",
      bodyHtml: [
        renderParagraph(`Olá, ${escapeHtml(name)}!`),
        renderParagraph(`${text} Foi em ${formatDateTime(new Date())}, de ${escapeHtml(origins)}.`),
        ...lines.map((line) => renderParagraph(escapeHtml(line))),
        renderParagraph("Foi você? Então não há nada a fazer."),
        ...(to === undefined ? adviseOwner(hasIdentity) : adviseFormerAddress()),
      ].join("\n"),
    }),
  };
}

/** @param hasIdentity whether the identity provider opens the account, too, which a new password does not end */
function adviseOwner(hasIdentity: boolean): string[] {
  const ended = hasIdentity
    ? "as sessões abertas deixam de valer. A entrada pelo provedor de identidade continua: troque também a senha de lá."
    : "tudo o que estiver aberto deixa de valer.";
  return [
    renderParagraph(
      `Não foi você? Crie uma nova senha e marque que as chaves de API também se encerram: ${ended}`,
    ),
    renderMailButton("Criar nova senha", env.APP_URL + paths.forgotPassword()),
    renderParagraph(`Para ver e encerrar o que abre a sua conta: ${accessLink()}`),
  ];
}

/** A new password is mailed to the account's address only, which is another one now. */
function adviseFormerAddress(): string[] {
  return [
    renderParagraph(
      "Não foi você? Fale logo com o suporte da plataforma: este endereço não recupera mais a conta, e um pedido de nova senha com ele não tem resposta.",
    ),
    renderParagraph(
      `Se a conta ainda está aberta em um navegador seu, encerre por lá os outros acessos e troque a senha: ${accessLink()}`,
    ),
  ];
}

function accessLink(): string {
  const address = env.APP_URL + paths.access();
  return `<a href="${address}">${address}</a>`;
}
