import type { ProviderFailure } from "#app/db/schema/lists.ts";
import { cut } from "#app/kit/clean-text.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What a refund's refusal says to the seller. */
export const REFUND_NO = {
  pending: "Já existe um reembolso em andamento para este pagamento.",
  done: "Este pagamento já foi reembolsado.",
  notCompleted: "Só uma venda concluída pode ser reembolsada.",
  notCancelled: "O provedor não diz “cancelado” deste pagamento: não há aviso a encerrar.",
  notDismissible:
    "O reembolso deste pagamento não está recusado nem sem confirmação: não há aviso a encerrar.",
  owed: "O comprador pediu o valor de volta e tem direito a ele: este aviso termina quando o valor voltar.",
  disputed:
    "Este pagamento está contestado: quem decide agora é o banco, e um reembolso poderia devolver o valor duas vezes. Espere a decisão; se já devolveu por fora, marque como reembolsada.",
  unconfirmed:
    "O provedor não confirmou este reembolso, e paramos de esperar. Confira no painel do provedor: se o valor voltou, marque como reembolsada; se não, tente de novo.",
  unconfirmedExtra:
    "O provedor não confirmou esta devolução, e paramos de esperar. Confira no painel do provedor: se o valor voltou, use “Já devolvi pelo banco”; se não, tente de novo.",
  unknown:
    "O provedor ainda não disse se o reembolso anterior foi feito, e por isso nada foi pedido de novo. Tente em alguns minutos.",
  noGateway: "A conexão com o provedor deste pagamento não existe mais. Informe a API Key em Configurações.",
  onlyWhole: "Este provedor só devolve o valor inteiro de um pagamento.",
  tooMuch: "O valor a devolver é maior do que o que resta deste pagamento.",
};

/** The same where there is nothing to ask a provider for. */
export const BY_HAND =
  "Não há um pagamento nosso para devolver: devolva pelo banco e marque a venda como reembolsada.";

/** Why a refund is not asked for; a refusal's code. */
export type RefundNo = keyof typeof REFUND_NO | "tooLate";

/** A refund that is not asked for. */
export function refundNo(why: keyof typeof REFUND_NO): Refusal {
  return coded(why, REFUND_NO[why]);
}

/** The same where the provider gives nothing back any more; `within` is how long it does (ms). */
export function refundTooLate(within: number): Refusal {
  return coded(
    "tooLate",
    `O PIX só pode ser devolvido pelo provedor em até ${Math.floor(within / DAY)} dias. Faça a devolução pelo banco e marque a venda como reembolsada.`,
  );
}

function coded(code: RefundNo, words: string): Refusal {
  return new Refusal("conflict", words, undefined, undefined, code);
}

/** Why a provider did not give a payment back; `detail` is its own words. */
const REFUSED: Record<ProviderFailure, (detail: string) => string> = {
  credentials: () => "O provedor não aceitou a API Key. Revise-a em Configurações.",
  busy: () => "O provedor pediu para esperar. Tente novamente em alguns minutos.",
  refused: (detail) => cut(`O provedor recusou o reembolso: ${detail}`, 400),
  "no-answer": () => REFUND_NO.unconfirmed,
  nonsense: () => REFUND_NO.unconfirmed,
};

/** A refused refund's reason, for the seller. */
export function refusedWords(why: ProviderFailure, detail: string): string {
  return REFUSED[why](detail);
}
