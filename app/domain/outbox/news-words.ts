import type { NewsEvent } from "#app/db/schema/lists.ts";
import { pick } from "#app/kit/pick.ts";

/** Events in words for the seller. */
export const EVENT_WORDS: Record<NewsEvent, { label: string; text: string }> = {
  "checkout.started": { label: "Pedido iniciado", text: "O comprador enviou o formulário do checkout." },
  "pix.generated": {
    label: "PIX gerado",
    text: "Com o código e o endereço que leva o comprador de volta a ele.",
  },
  "pix.expired": { label: "PIX expirado", text: "O código venceu sem pagamento." },
  "sale.paid": { label: "Venda paga", text: "O pagamento foi confirmado." },
  "sale.refused": { label: "Pagamento recusado", text: "O provedor recusou ou cancelou o PIX." },
  "sale.refunded": { label: "Venda reembolsada", text: "Todo o valor voltou ao comprador." },
  "sale.chargedback": { label: "Chargeback", text: "O pagamento foi contestado (MED)." },
  "access.granted": { label: "Acesso liberado", text: "O comprador já pode usar o que comprou." },
  "access.revoked": { label: "Acesso encerrado", text: "Depois de um reembolso ou chargeback." },
};

export type NewsWords = {
  label: string;
  tone: "success" | "warning" | "error" | "neutral";
  /** Why, where there is more to say than the label. */
  text: string | null;
};

const STATES: Record<string, Omit<NewsWords, "text">> = {
  queued: { label: "Na fila", tone: "warning" },
  sent: { label: "Entregue", tone: "success" },
  refused: { label: "Recusado", tone: "error" },
  too_late: { label: "Fora do prazo", tone: "neutral" },
  dropped: { label: "Não enviado", tone: "neutral" },
};

const REASONS: Record<string, string> = {
  redirect: "O endereço redireciona para outro: informe o endereço final.",
  gone: "O endereço respondeu que não quer mais avisos (410): o webhook foi pausado.",
  timeout: "Sem resposta em 15 segundos.",
  network: "Sem conexão com o endereço.",
  "too-large": "Resposta grande demais.",
  forbidden: "Este endereço não pode ser chamado: use um endereço público com https.",
  lost: "Sem resposta em todas as tentativas.",
  restored: "O banco de dados voltou de uma cópia: pode já ter sido enviado. Reenvie se não chegou.",
  stopped: "O webhook estava pausado.",
  "nothing-to-say": "Este formato não tem este evento.",
};

/** How a piece of news stands, in words made from its kinds. */
export function wordsOf(news: {
  status: string;
  why: string | null;
  responseStatus: number | null;
}): NewsWords {
  const state = pick(STATES, news.status) ?? STATES.queued!;
  if (news.status === "sent") return { ...state, text: null };
  if (news.why === "status") return { ...state, text: `O endereço respondeu HTTP ${news.responseStatus}.` };
  return { ...state, text: (news.why && pick(REASONS, news.why)) || null };
}

/** How one try ended. */
export function tryWords({ result, status }: { result: string; status: number }): string {
  if (result === "taken") return `Entregue (HTTP ${status})`;
  return wordsOf({ status: "refused", why: result, responseStatus: status }).text ?? "Não entregue";
}
