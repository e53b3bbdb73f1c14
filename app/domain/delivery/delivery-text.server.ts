import { z } from "zod";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { readAnswer } from "#app/domain/delivery/read-answer.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";
import { withServiceMessage } from "#app/kit/refusal.ts";

/** Events as the seller reads them. */
export const EVENT_TEXTS: Record<DeliveryEvent, { label: string; text: string }> = {
  "checkout.started": { label: "Pedido iniciado", text: "O comprador enviou o formulário do checkout." },
  "pix.generated": {
    label: "PIX gerado",
    text: "Com o código e o endereço que leva o comprador de volta a ele.",
  },
  "pix.expired": { label: "PIX expirado", text: "O código venceu sem pagamento." },
  "sale.paid": { label: "Venda paga", text: "O pagamento foi confirmado." },
  "sale.refused": { label: "Pagamento recusado", text: "O provedor recusou o PIX, ou cancelou o pagamento." },
  "refund.requested": {
    label: "Reembolso pedido",
    text: "O comprador pediu o dinheiro de volta: por direito, dentro do prazo, ou para você decidir.",
  },
  "sale.partially_refunded": {
    label: "Parte reembolsada",
    text: "Uma parte do valor voltou ao comprador; a venda e o acesso continuam.",
  },
  "sale.refunded": { label: "Venda reembolsada", text: "Todo o valor voltou ao comprador." },
  "sale.disputed": {
    label: "Venda contestada",
    text: "O banco de quem pagou contesta o pagamento (MED no PIX, chargeback no cartão) e ainda não decidiu.",
  },
  "sale.dispute_won": { label: "Contestação recusada", text: "O pagamento ficou com você: a venda vale." },
  "sale.chargedback": { label: "Chargeback", text: "A contestação foi aceita: o valor voltou a quem pagou." },
  "access.granted": { label: "Acesso liberado", text: "O comprador já pode usar o que comprou." },
  "access.revoked": {
    label: "Acesso encerrado",
    text: "Depois de um reembolso ou chargeback, ou enquanto o pagamento é contestado.",
  },
};

/** Events as a destination's form offers them, each by its own name. */
export function eventChoices(ids: readonly DeliveryEvent[]) {
  return ids.map((id) => ({ id, ...EVENT_TEXTS[id], name: id }));
}

export type DeliveryText = {
  label: string;
  tone: "success" | "warning" | "error" | "neutral";
  /** The reason, where there is more to say than the label. */
  text: string | null;
};

const STATUS_LABELS: Record<string, Omit<DeliveryText, "text">> = {
  queued: { label: "Na fila", tone: "warning" },
  sent: { label: "Entregue", tone: "success" },
  refused: { label: "Recusado", tone: "error" },
  too_late: { label: "Fora do prazo", tone: "neutral" },
  dropped: { label: "Não enviado", tone: "neutral" },
};

const REASON_TEXTS: Record<string, string> = {
  token: "O serviço não aceita o token de acesso: gere outro e salve-o na configuração.",
  rejected: "Recusado pelo serviço.",
  unclear: "O serviço respondeu algo que não diz se aceitou.",
  "no-consent": "O comprador não autorizou informar este serviço.",
  "no-click": "A venda não veio de um anúncio deste serviço (sem click id na visita).",
  "said-before": "Já contado quando o PIX foi gerado.",
  outdated: "Um estado mais novo deste pedido tomou o lugar dele.",
  "no-email": "A venda não tem e-mail, e a área só conhece o comprador por ele.",
  "no-class": "Nada do que foi vendido está ligado a uma turma: confira a configuração e envie de novo.",
  "given-back": "A venda foi devolvida: o acesso não é mais liberado.",
  disputed: "O pagamento está contestado: o acesso não é liberado até a decisão.",
  "still-held": "O comprador tem o mesmo por outra compra: o acesso continua.",
  "unknown-class": "Uma das turmas informadas não existe nesta conta: confira os números na configuração.",
  redirect: "O endereço redireciona para outro: informe o endereço final.",
  gone: "O endereço respondeu que não quer mais avisos (410): foi pausado.",
  timeout: "Sem resposta em 15 segundos.",
  network: "Sem conexão com o endereço.",
  "too-large": "Resposta grande demais.",
  forbidden: "Este endereço não pode ser chamado: use um endereço público com https.",
  lost: "Sem resposta em todas as tentativas.",
  restored: "O banco de dados voltou de uma cópia: pode já ter sido enviado. Reenvie se não chegou.",
  stopped: "Estava pausado.",
  "nothing-to-say": "Este formato não tem este evento.",
};

/** A delivery's state as the seller reads it. */
export function deliveryText(delivery: {
  status: string;
  reason: string | null;
  responseStatus: number | null;
  responseBody?: string | null;
}): DeliveryText {
  const state = pick(STATUS_LABELS, delivery.status) ?? STATUS_LABELS.queued!;
  if (delivery.status === "sent") return { ...state, text: null };
  const text = delivery.reason ? reasonText(delivery.reason, delivery.responseStatus ?? 0) : null;
  const isRejection = delivery.reason === "status" || delivery.reason === "rejected";
  return {
    ...state,
    text: isRejection && text ? withServiceMessage(text, receiverMessage(delivery.responseBody ?? "")) : text,
  };
}

function reasonText(reason: string, responseStatus: number): string | null {
  if (reason === "status") return `O endereço respondeu HTTP ${responseStatus}.`;
  if (reason === "unclear" && responseStatus >= 400)
    return `A resposta (HTTP ${responseStatus}) não parece ser do serviço. Se continuar, confira a configuração.`;
  return pick(REASON_TEXTS, reason) ?? null;
}

const ERROR = z.object({ error_user_msg: z.string().nullish(), message: z.string().nullish() });
const RECEIVER_ANSWER = z.object({
  error: z.union([z.string(), ERROR]).nullish(),
  errors: z.array(z.string()).nullish(),
  message: z.string().nullish(),
  msg: z.string().nullish(),
  error_msg: z.string().nullish(),
  validationMessages: z.array(z.object({ description: z.string() })).nullish(),
});

/** The reason a service gave, in its own words; empty where it gave none. */
function receiverMessage(answer: string): string {
  const fields = readAnswer(answer, RECEIVER_ANSWER) ?? {};
  const { error, errors, message, msg, error_msg, validationMessages } = fields;
  const errorText = typeof error === "string" ? error : error?.error_user_msg || error?.message;
  const found =
    errorText || errors?.[0] || message || msg || error_msg || validationMessages?.[0]?.description;
  return truncate((found ?? "").trim(), 300);
}

/** An attempt's result as the seller reads it. */
export function attemptText({ result, status }: { result: string; status: number }): string {
  if (result === "taken") return `Entregue (HTTP ${status})`;
  return deliveryText({ status: "refused", reason: result, responseStatus: status }).text ?? "Não entregue";
}
