import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import type { BuyerStanding } from "#app/domain/sale/standing.ts";
import { disputedWords, ENDED } from "#app/ui/buyer/purchases/words.ts";

/** What the page of a purchase says that is not paid; `link` leads to the PIX. */
type Waits = { title: string; text: string | null; link: string | null };

const IF_PAID = "Se você já pagou, o pagamento será reconhecido. Se não, gere um novo código.";

/** What is known of a purchase that is not paid. Only what is waited for changes the page by itself. */
const WAITS: Record<Exclude<BuyerStanding, "returned">, Waits> = {
  making: { title: "Estamos gerando o seu PIX", text: null, link: "Ver o código PIX" },
  payable: {
    title: "Estamos aguardando o seu pagamento",
    text: "Esta página muda sozinha assim que o banco confirmar.",
    link: "Ver o código PIX",
  },
  announced: {
    title: "Estamos confirmando o seu pagamento",
    text: "Recebemos o aviso do seu pagamento. Não pague de novo: esta página muda sozinha assim que o banco confirmar.",
    link: null,
  },
  over: { title: "O código PIX expirou", text: IF_PAID, link: "Ir para o pagamento" },
  used: {
    title: "Este código PIX já foi usado",
    text: "Para concluir a compra, gere um novo código.",
    link: "Ir para o pagamento",
  },
  unmade: {
    title: "Não foi possível gerar o PIX",
    text: "Nada foi cobrado. Gere um novo código.",
    link: "Ir para o pagamento",
  },
  closed: { title: "Este pedido foi cancelado", text: IF_PAID, link: "Ir para o pagamento" },
  failed: { title: "O pagamento não foi aprovado", text: IF_PAID, link: "Ir para o pagamento" },
  mispaid: { title: "Recebemos um PIX de outro valor", text: "A compra não foi concluída.", link: null },
  // Booked by now: the next look shows the purchase.
  paid: { title: "Estamos confirmando o seu pagamento", text: null, link: null },
};

/** What went back: the whole purchase. */
const RETURNED: Record<"refunded" | "chargedback", Waits> = {
  refunded: { title: "Esta compra foi devolvida", text: ENDED.refunded, link: null },
  chargedback: { title: "Esta compra foi contestada", text: ENDED.chargedback, link: null },
};

/** What is known of a purchase that is not paid, or not any more. */
export function waitingWords(purchase: Pick<Purchase, "standing" | "status" | "accessSuspendedAt">): Waits {
  const { standing, status } = purchase;
  if (status === "disputed")
    return {
      title: "O pagamento desta compra está em contestação",
      text: disputedWords(purchase),
      link: null,
    };
  if (standing !== "returned") return WAITS[standing];
  return RETURNED[status === "chargedback" ? "chargedback" : "refunded"];
}

const STATUS: Record<Exclude<BuyerStanding, "returned">, string> = {
  paid: "✅ Aprovado",
  making: "⏳ Processando",
  payable: "⏳ Processando",
  announced: "⏳ Processando",
  over: "Código expirado",
  used: "Código já usado",
  unmade: "Sem código PIX",
  closed: "Cancelado",
  failed: "Não aprovado",
  mispaid: "Outro valor recebido",
};

/** How a purchase stands, in a word. */
export function statusOf({ standing, status }: Pick<Purchase, "standing" | "status">): string {
  if (status === "disputed") return "Em contestação";
  if (standing !== "returned") return STATUS[standing];
  return status === "chargedback" ? "Contestado" : "Reembolsado";
}
