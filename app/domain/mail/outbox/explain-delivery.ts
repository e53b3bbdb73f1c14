import { explainRefusal } from "#app/domain/mail/resend/explain-refusal.ts";
import { capitalized } from "#app/kit/clean-text.ts";
import { withTheirWords } from "#app/kit/refusal.ts";

/** Why a mail did not arrive, as its row tells it (`mails.error`), in the seller's words. What is ours already stays. */
export function explainDelivery(error: string): string {
  const carried = /^saiu pela plataforma; a sua conta do Resend recusou: (.*)$/s.exec(error);
  if (carried)
    return `Saiu pela plataforma, porque a sua conta do Resend recusou. ${explainDelivery(carried[1]!)}`;
  if (error.startsWith(REFUSED_PLATFORM)) return "A plataforma não está conseguindo enviar e-mails.";
  const lost = LOST.find((words) => error === words || error.startsWith(`${words}: `));
  if (lost) return withTheirWords(`${capitalized(lost)}.`, error.slice(lost.length + 2));
  if (/^(\d{3}|sem resposta) \w+: /.test(error)) return explainRefusal(error);
  const smtp = /^(\d{3}|sem resposta)(?:: (.*))?$/s.exec(error);
  return smtp
    ? withTheirWords(smtpWords(smtp[1]!), smtp[2] ? `${smtp[1]} ${smtp[2]}` : smtp[1]!)
    : capitalized(error);
}

/** Before what the platform's own account said: nothing in it is for the seller. */
export const REFUSED_PLATFORM = "a conta da plataforma recusou: ";

/** As news of a lost mail are kept (take-mail-webhook.server.ts). */
const LOST = [
  "devolvido pelo servidor de quem recebe",
  "o Resend não conseguiu enviar",
  "o Resend não envia para este endereço, que já devolveu ou denunciou um e-mail",
];

/** The answers of SMTP servers. Source: RFC 5321, 4.2.3. */
function smtpWords(code: string): string {
  if (["550", "551", "553"].includes(code)) return "O endereço não existe ou não recebe e-mails.";
  if (code === "552" || code === "452") return "A caixa de quem recebe está cheia.";
  if (code.startsWith("4")) return "O servidor de e-mail pediu para tentar mais tarde.";
  return code.startsWith("5")
    ? "O servidor de e-mail recusou a mensagem."
    : "O servidor de e-mail não respondeu.";
}
