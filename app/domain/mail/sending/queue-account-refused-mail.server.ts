import type { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { queueDailyMail } from "#app/domain/mail/queue/queue-daily-mail.server.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";

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
export function queueAccountRefusedMail(sellerId: string, account: string, error: SendError): Promise<void> {
  const { topic, title, advice } = error.needsAction ? REFUSED : USED_UP;
  return queueDailyMail(sellerId, {
    kind: "mail-account-refused",
    about: `${topic}/${account}`,
    title,
    preview: "O que o Resend recusa sai pelo remetente da plataforma.",
    paragraphs: [
      `Foi em ${formatDateTime(new Date())}. ${escapeHtml(explainResendError(error.message))}`,
      `Para que ninguém fique sem o acesso, o que o Resend recusa sai pelo remetente da plataforma, com o nome da sua loja e com as respostas para você. ${advice}`,
    ],
    button: "Abrir as configurações de e-mail",
    path: paths.emailSettings(),
  });
}
