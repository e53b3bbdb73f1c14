import type { Step } from "#app/domain/reports/funnel/funnel-numbers.ts";
import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";

/** A step's name, its meaning, and the text about those who stop right before it. */
export const STEP_TEXTS: Record<Step, { name: string; meaning: string; stopped: string }> = {
  seen: { name: "Visto", meaning: "Abas que mostraram o checkout.", stopped: "" },
  begun: {
    name: "Formulário começado",
    meaning: "Digitaram ou marcaram alguma coisa.",
    stopped: "Viram e não começaram",
  },
  pix: {
    name: "Pedido feito",
    meaning: "Pedidos com código para pagar, ou com cartão enviado.",
    stopped: "Começaram e não pediram",
  },
  paid: {
    name: "Pago",
    meaning: "Desses pedidos, os pagos até agora.",
    stopped: "Pediram e não pagaram",
  },
  upsells: {
    name: "Oferta aceita",
    meaning: "Pagos cujo comprador aceitou outra oferta.",
    stopped: "Pagaram e não aceitaram oferta",
  },
};

/** Labels of payment times, by the indexes of `WAITS`. */
export const WAIT_LABELS = [
  "até 2 minutos",
  "até 5 minutos",
  "até 15 minutos",
  "até 1 hora",
  "até 1 dia",
  "mais de 1 dia",
] as const;

/** Of which orders the paid ones are counted, where the filter has no visits to compare them with. */
export function paidOrdersMeaning(filters: Filters): string {
  return `Dos pedidos feitos ${describeFilters(filters)}, quantos foram pagos.`;
}

/** From which step to which, as the head of the steps names them. */
export function stepsTitle({ hasViews, hasOrders }: Pick<FunnelReport, "hasViews" | "hasOrders">): string {
  if (!hasOrders) return "Da visita ao formulário";
  return hasViews ? "Da visita à oferta" : "Do pedido à oferta";
}

/** What is counted there, and of which days. */
export function stepsText(report: Filters & Pick<FunnelReport, "hasViews" | "hasOrders" | "days">): string {
  const { hasViews, hasOrders, days } = report;
  if (!hasOrders)
    return `Visitas dos últimos ${days} dias. Os pedidos dessas campanhas contam no nome de cada uma.`;
  const counted = hasViews ? "Visitas e pedidos" : `Pedidos ${describeFilters(report)}`;
  return `${counted} dos últimos ${days} dias.`;
}

type Filters = Pick<FunnelReport, "couponId" | "offerId">;

function describeFilters({ couponId, offerId }: Filters): string {
  return [couponId && "com este cupom", offerId && "por esta oferta"].filter(Boolean).join(" e ");
}
