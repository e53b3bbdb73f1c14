import type { Difference, DifferenceKind } from "#app/domain/reconciliation/differences.ts";
import { formatMoney } from "#app/kit/money.ts";

const WITHOUT_KEY = "Não temos mais a chave desta conta: conecte-a de novo para perguntarmos ao provedor.";

/** Differences that a check resolves. */
const NEEDS_CHECK = new Set<DifferenceKind>([
  ...(["refund-pending", "announced"] as const),
  ...(["statement-missing", "statement-unbooked", "statement-refund"] as const),
]);

const TEXTS: Record<DifferenceKind, (one: Difference) => { title: string; advice: string }> = {
  "amount-mismatch": ({ receivedCents, expectedCents }) => ({
    title: "Pagou outro valor",
    advice: `Chegou ${formatMoney(receivedCents ?? 0)} em vez de ${formatMoney(expectedCents)}. Devolva o valor ou combine com o comprador.`,
  }),
  overpayment: () => ({
    title: "Pagou duas vezes",
    advice: "A venda já estava paga. Devolva este valor ao comprador.",
  }),
  "refund-pending": ({ canAsk }) => ({
    title: "Devolução pedida, ainda não vista no provedor",
    advice: canAsk ? "Continuamos perguntando até ela aparecer." : WITHOUT_KEY,
  }),
  "refund-unconfirmed": () => ({
    title: "Devolução não confirmada",
    advice: "O provedor não confirmou a devolução que pedimos. Veja na sua conta nele se o valor saiu.",
  }),
  "unknown-there": () => ({
    title: "O provedor não conhece este pagamento",
    advice: "Está lançado aqui e não foi encontrado lá. Procure o pagamento na sua conta no provedor.",
  }),
  "not-paid-there": () => ({
    title: "O provedor não dá este pagamento como pago",
    advice: "Veja na sua conta no provedor se o valor voltou a quem pagou, e registre na venda.",
  }),
  announced: ({ canAsk }) => ({
    title: "Anunciado como pago, ainda não confirmado",
    advice: `O provedor avisou do pagamento, mas ainda não conseguimos confirmar com ele. Não foi lançado.${canAsk ? "" : ` ${WITHOUT_KEY}`}`,
  }),
  "statement-amount": ({ receivedCents, cents }) => ({
    title: "Outro valor no extrato do provedor",
    advice: `Aqui chegou ${formatMoney(receivedCents ?? 0)}; o extrato difere em ${formatMoney(cents)}. Veja o pagamento na sua conta no provedor.`,
  }),
  "statement-missing": ({ canAsk }) => ({
    title: "Não está no extrato do provedor",
    advice: `Está lançado aqui. ${canAsk ? "Vamos perguntar ao provedor por este pagamento; “Conferir agora” pergunta já." : WITHOUT_KEY}`,
  }),
  "statement-unbooked": ({ canAsk }) => ({
    title: "Está no extrato do provedor e não está lançado",
    advice: canAsk
      ? "Vamos perguntar ao provedor por este pagamento e lançar o que ele confirmar; “Conferir agora” pergunta já."
      : WITHOUT_KEY,
  }),
  "statement-refund": ({ canAsk }) => ({
    title: "No extrato saiu mais do que está devolvido aqui",
    advice: `Uma devolução ou contestação que ainda não está lançada. ${canAsk ? "Vamos perguntar ao provedor; “Conferir agora” pergunta já." : WITHOUT_KEY}`,
  }),
  "statement-no-refund": () => ({
    title: "Devolução que não está no extrato do provedor",
    advice: "Está lançada aqui. Veja na sua conta no provedor se o valor saiu.",
  }),
  "statement-omits": () => ({
    title: "Não está no extrato do provedor",
    advice: "O provedor confirmou o pagamento quando perguntamos por ele.",
  }),
  "refund-observed": () => ({
    title: "Devolvido no provedor, sem pedido por aqui",
    advice: "A devolução já está lançada.",
  }),
  "refund-recorded": () => ({
    title: "Devolvido por fora do provedor",
    advice: "Você registrou a devolução. Para o provedor, o pagamento continua recebido.",
  }),
  "cancellation-checked": () => ({
    title: "Cancelado no provedor",
    advice: "Você conferiu que o valor não voltou a quem pagou.",
  }),
  "key-refused": () => ({
    title: "O provedor recusa a sua chave",
    advice: "Só dá para conferir depois que você trocar a chave.",
  }),
  "key-missing": () => ({
    title: "Sem a chave do provedor",
    advice: "Você removeu a chave. Conecte a conta de novo para conferir.",
  }),
  "no-charge": () => ({
    title: "Lançada sem cobrança por aqui",
    advice: "Não há código PIX desta venda para perguntar ao provedor.",
  }),
};

/** A difference for its seller: what it is, what to do about it, and what is said of the key that this needs. */
export function describeDifference(one: Difference): { title: string; advice: string; key: string | null } {
  return { ...TEXTS[one.kind](one), key: describeKey(one) };
}

function describeKey({ kind, canAsk }: Difference): string | null {
  if (kind === "key-refused") return "Trocar a chave";
  return kind === "key-missing" || (!canAsk && NEEDS_CHECK.has(kind)) ? "Conectar a conta" : null;
}
