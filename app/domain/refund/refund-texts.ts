import type { ProviderFailure } from "#app/db/schema/lists.ts";
import { REFUSED_KEY_TEXT } from "#app/domain/gateway/refused-key-text.ts";
import { isUnsentRefund, UNSENT_REFUND } from "#app/domain/sale/events.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** A refund's refusals, as text for the seller. */
export const REFUND_REFUSALS = {
  pending: "Já existe um reembolso em andamento para este pagamento.",
  done: "Este pagamento já foi reembolsado.",
  changed:
    "Outra devolução deste pagamento foi feita desde que você abriu esta tela. Nada foi pedido ao provedor agora: veja quanto resta antes de pedir de novo.",
  notCompleted: "Só uma venda concluída pode ser reembolsada.",
  notCancelled: "O provedor não diz “cancelado” deste pagamento: não há aviso a encerrar.",
  notDismissible:
    "O reembolso deste pagamento não está recusado nem sem confirmação: não há aviso a encerrar.",
  owed: "O comprador pediu o valor de volta e tem direito a ele: este aviso termina quando o valor voltar.",
  disputed:
    "Este pagamento está contestado: quem decide agora é o banco, e um reembolso poderia devolver o valor duas vezes. Espere a decisão; se já devolveu por fora, marque como reembolsada.",
  disputedExtra:
    "Este pagamento está contestado no banco de quem pagou: uma devolução agora poderia devolver o valor duas vezes. Espere a decisão do banco; se já devolveu por fora, use “Já devolvi pelo banco”.",
  unconfirmed:
    "O provedor não confirmou este reembolso, e paramos de esperar. Confira no painel do provedor: se o valor voltou, marque como reembolsada; se não, tente de novo.",
  unconfirmedExtra:
    "O provedor não confirmou esta devolução, e paramos de esperar. Confira no painel do provedor: se o valor voltou, use “Já devolvi pelo banco”; se não, tente de novo.",
  unknown:
    "O provedor ainda não disse se o reembolso anterior foi feito, e por isso nada foi pedido de novo. Tente em alguns minutos.",
  stillOpen:
    "Para o provedor, o reembolso anterior ainda está em andamento. Nada foi pedido de novo, para não devolver o valor duas vezes: espere que ele termine. “Tentar de novo” pergunta primeiro ao provedor; se demorar, fale com o suporte dele.",
  noGateway: UNSENT_REFUND.noGateway,
  onlyWhole: "Este provedor só devolve o valor inteiro de um pagamento.",
  tooMuch: "O valor a devolver é maior do que o que resta deste pagamento.",
};

/** The same where there is no payment at a provider. */
export const MANUAL_REFUND_TEXT =
  "Não há um pagamento nosso para devolver: devolva pelo banco e marque a venda como reembolsada.";

/** Of an unconfirmed refund of a payment that does not count, while that is disputed. */
export const UNCONFIRMED_DISPUTED =
  "O provedor não confirmou esta devolução, e paramos de esperar. Confira no painel do provedor: se o valor voltou, use “Já devolvi pelo banco”.";

/** The code of a refusal: why a refund is not requested. */
export type RefundRefusalCode = keyof typeof REFUND_REFUSALS | "tooLate";

/** The refusal of a refund that is not requested. */
export function refundRefusal(code: keyof typeof REFUND_REFUSALS): Refusal {
  return codedRefusal(code, REFUND_REFUSALS[code]);
}

/** The same where the provider's time for refunds is over; `windowMs` is its length. */
export function tooLateRefusal(windowMs: number): Refusal {
  return codedRefusal(
    "tooLate",
    `O pagamento só pode ser devolvido pelo provedor em até ${Math.floor(windowMs / DAY)} dias. Faça a devolução pelo banco e marque a venda como reembolsada.`,
  );
}

function codedRefusal(code: RefundRefusalCode, message: string): Refusal {
  return new Refusal("conflict", message, undefined, undefined, code);
}

/** Why a provider did not refund a payment; `detail` is its own text. */
const PROVIDER_FAILURE_TEXTS: Record<ProviderFailure, (detail: string) => string> = {
  credentials: () => REFUSED_KEY_TEXT,
  busy: () => "O provedor está indisponível no momento. Tente novamente em alguns minutos.",
  refused: (detail) => truncate(`O provedor recusou o reembolso: ${detail}`, 400),
  "no-answer": () => REFUND_REFUSALS.unconfirmed,
  nonsense: () => REFUND_REFUSALS.unconfirmed,
};

/** What a seller can do about a refund that their provider refused: of a sale's own payment, or of another one. */
export const REFUSED_ADVICE = {
  sale: "Se falta saldo, ponha dinheiro na conta do provedor e tente de novo; se devolver pelo banco, marque como reembolsada.",
  extra:
    "Se falta saldo, ponha dinheiro na conta do provedor e tente de novo; se devolver pelo banco, use “Já devolvi pelo banco”.",
};

/** A refused refund's reason, for the seller. */
export function refundFailureText(failure: ProviderFailure, detail: string): string {
  if (isUnsentRefund(detail)) return detail;
  return PROVIDER_FAILURE_TEXTS[failure](detail);
}
