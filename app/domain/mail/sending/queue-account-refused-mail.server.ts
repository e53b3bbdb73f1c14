import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import type { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { dayOf, formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** What the seller can do where the account refuses every mail, and where only its quota is used up. */
const REFUSED = {
  topic: "refused",
  title: "O Resend recusou um e-mail da sua conta",
  advice: "Corrija a chave ou o domínio para que tudo volte a sair do seu endereço.",
};
const USED_UP = {
  topic: "used-up",
  title: "O limite da sua conta do Resend acabou",
  advice:
    "Quando o limite se renova, tudo volta a sair do seu endereço. Para não esperar, mude de plano no Resend.",
};

/** Queues the notification mail that the seller's Resend account refuses their mails: of each kind, once a day at most for each key. */
export async function queueAccountRefusedMail(
  sellerId: string,
  account: string,
  error: SendError,
): Promise<void> {
  const [seller] = await db
    .select({ name: sellers.name, email: sellers.email })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!seller) return;
  const { topic, title, advice } = error.needsAction ? REFUSED : USED_UP;
  await queueMail(db, {
    kind: "mail-account-refused",
    idempotencyKey: `mail-account-refused/${topic}/${account}/${dayOf(new Date())}`,
    recipient: seller.email,
    sellerId,
    mail: {
      subject: title,
      html: renderMailLayout({
        title,
        preview: "O que o Resend recusa sai pelo remetente da plataforma.",
        bodyHtml: [
          renderParagraph(greeting(seller.name)),
          renderParagraph(
            `Foi em ${formatDateTime(new Date())}. ${escapeHtml(explainResendError(error.message))}`,
          ),
          renderParagraph(
            `Para que ninguém fique sem o acesso, o que o Resend recusa sai pelo remetente da plataforma, com o nome da sua loja e com as respostas para você. ${advice}`,
          ),
          renderMailButton("Abrir as configurações de e-mail", env.APP_URL + paths.emailSettings()),
        ].join("\n"),
        footerHtml: "Você recebe este aviso no máximo uma vez por dia.",
      }),
    },
  });
}
