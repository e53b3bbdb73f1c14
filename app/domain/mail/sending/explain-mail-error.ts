import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { capitalize } from "#app/kit/clean-text.ts";
import { withServiceMessage } from "#app/kit/refusal.ts";

/** Explains `mails.error` to the seller. Texts of ours are returned unchanged. */
export function explainMailError(error: string): string {
  if (error.startsWith(SENT_BY_PLATFORM_PREFIX))
    return `Saiu pela plataforma, porque a sua conta do Resend recusou. ${explainMailError(error.slice(SENT_BY_PLATFORM_PREFIX.length))}`;
  if (error.startsWith(PLATFORM_REFUSED_PREFIX)) return "A plataforma não está conseguindo enviar e-mails.";
  const failureText = FAILURE_TEXTS.find((text) => error === text || error.startsWith(`${text}: `));
  if (failureText)
    return withServiceMessage(`${capitalize(failureText)}.`, error.slice(failureText.length + 2));
  if (/^(\d{3}|sem resposta) \w+: /.test(error)) return explainResendError(error);
  const smtpAnswer = /^(\d{3}|sem resposta)(?:: (.*))?$/s.exec(error);
  return smtpAnswer
    ? withServiceMessage(
        explainSmtpCode(smtpAnswer[1]!),
        smtpAnswer[2] ? `${smtpAnswer[1]} ${smtpAnswer[2]}` : smtpAnswer[1]!,
      )
    : capitalize(error);
}

/** Precedes the error of a seller's account where the platform sent the mail. */
export const SENT_BY_PLATFORM_PREFIX = "saiu pela plataforma; a sua conta do Resend recusou: ";

/** Precedes errors of the platform's own account: nothing in them is for the seller. */
export const PLATFORM_REFUSED_PREFIX = "a conta da plataforma recusou: ";

/** As errors of a lost mail are stored (receive-mail-webhook.server.ts). */
const FAILURE_TEXTS = [
  "devolvido pelo servidor de quem recebe",
  "o Resend não conseguiu enviar",
  "o Resend não envia para este endereço, que já devolveu ou denunciou um e-mail",
];

/** SMTP reply codes. Source: RFC 5321, 4.2.3. */
function explainSmtpCode(code: string): string {
  if (["550", "551", "553"].includes(code)) return "O endereço não existe ou não recebe e-mails.";
  if (code === "552" || code === "452") return "A caixa de quem recebe está cheia.";
  if (code.startsWith("4")) return "O servidor de e-mail pediu para tentar mais tarde.";
  return code.startsWith("5")
    ? "O servidor de e-mail recusou a mensagem."
    : "O servidor de e-mail não respondeu.";
}
