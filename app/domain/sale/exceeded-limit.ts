/** An offer or a coupon that a late payment took beyond its limit, by the name that the sale keeps. */
export type ExceededLimit = { of: "offer" | "coupon"; name: string };

/** The same for the seller. */
export function describeExceededLimit({ of, name }: ExceededLimit): string {
  const limit = of === "offer" ? `das vagas da oferta "${name}"` : `dos usos do cupom ${name}`;
  return `Este PIX foi pago depois de expirar, e a venda passou do limite ${limit}. Se não puder atender, devolva o pagamento.`;
}
