import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { requireOpenAccess } from "#app/domain/mail/queue/require-open-access.server.ts";
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
 * @throws Refusal unauthorized where the access that makes the change was ended meanwhile
 */
export async function queueSecurityMail(tx: Db, sellerId: string, securityMail: SecurityMail): Promise<void> {
  await requireOpenAccess(tx, sellerId, securityMail.origin);
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
  const { title, text, undoneAt } = changeText;
  return {
    subject: `Aviso de segurança: ${title}`,
    html: renderMailLayout({
      title: capitalize(title),
      preview: "Não foi você? Veja o que fazer.",
      bodyHtml: [
        renderParagraph(greeting(name)),
        renderParagraph(`${text} Foi em ${formatDateTime(new Date())} (${escapeHtml(origins)}).`),
        ...lines.map((line) => renderParagraph(escapeHtml(line))),
        renderParagraph("Foi você? Então não há nada a fazer."),
        ...(to === undefined ? adviseOwner(hasIdentity, undoneAt) : adviseFormerAddress(hasIdentity)),
      ].join("\n"),
    }),
  };
}

/**
 * @param hasIdentity whether the identity provider opens the account, too, which a new password does not end
 * @param undoneAt the screen on which the change is undone: a new password does not undo it
 */
function adviseOwner(hasIdentity: boolean, undoneAt: string | undefined): string[] {
  const ended = hasIdentity
    ? "as sessões abertas deixam de valer. A entrada pelo provedor de identidade continua, a não ser que você a encerre também, na mesma página."
    : "as sessões abertas deixam de valer.";
  return [
    renderParagraph(
      `Não foi você? Crie uma nova senha e marque que as chaves de API também se encerram: ${ended}`,
    ),
    renderMailButton("Criar nova senha", env.APP_URL + paths.forgotPassword()),
    ...(undoneAt
      ? [
          renderParagraph(
            `O que foi mudado continua como está: depois de entrar, confira e desfaça em ${linkTo(undoneAt)}`,
          ),
        ]
      : []),
    renderParagraph(`Para ver e encerrar o que abre a sua conta: ${linkTo(paths.access())}`),
  ];
}

/** A new password is mailed to the account's address only, which is another one now. */
function adviseFormerAddress(hasIdentity: boolean): string[] {
  return [
    ...(hasIdentity
      ? [
          renderParagraph(
            "A senha com este endereço não abre mais a conta; quem entra pelo provedor de identidade continua entrando.",
          ),
        ]
      : []),
    renderParagraph(
      "Não foi você? Fale logo com o suporte da plataforma: este endereço não recupera mais a conta, e um pedido de nova senha com ele não tem resposta.",
    ),
    renderParagraph(
      `Se a conta ainda está aberta em um navegador seu, encerre por lá os outros acessos e troque a senha: ${linkTo(paths.access())}`,
    ),
  ];
}

function linkTo(path: string): string {
  const address = env.APP_URL + path;
  return `<a href="${address}">${address}</a>`;
}
