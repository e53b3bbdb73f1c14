/** The sentence of each state of a refund, and of the buyer's request for one. Every page of the buyer's has the same. */
export const REFUND_SENTENCES = {
  "request received":
    /Pedido de reembolso recebido em [\d/]{10}\. Estamos pedindo R\$ [\d,]+ de volta ao provedor/,
  "request delayed":
    /Pedido de reembolso recebido em [\d/]{10}\. O provedor de pagamento ainda não devolveu R\$ [\d,]+\./,
  "request unconfirmed":
    /Pedido de reembolso recebido em [\d/]{10}\. O provedor de pagamento não confirmou que devolveu R\$ [\d,]+\./,
  "request by hand": /Pedido de reembolso recebido em [\d/]{10}\. Você tem direito a R\$ [\d,]+ de volta\./,
  "request waits": /Pedido de reembolso enviado a .{1,60} em [\d/]{10}\. A resposta vem até/,
  requested:
    /A devolução de R\$ [\d,]+ foi pedida ao provedor de pagamento em [\d/]{10}\. Ele ainda não respondeu\./,
  accepted: /O provedor de pagamento aceitou devolver R\$ [\d,]+ em [\d/]{10}: o dinheiro está a caminho/,
  unconfirmed:
    /A devolução de R\$ [\d,]+ foi pedida ao provedor de pagamento em [\d/]{10}(?: e aceita por ele)?, mas ele não confirmou/,
  "not done": /A devolução de R\$ [\d,]+, pedida em [\d/]{10}, não aconteceu/,
};

export type RefundSentence = keyof typeof REFUND_SENTENCES;

/** The sentences that a text contains. */
export function refundSentencesOf(text: string): RefundSentence[] {
  const all = Object.entries(REFUND_SENTENCES) as [RefundSentence, RegExp][];
  return all.flatMap(([name, sentence]) => (sentence.test(text.replace(/\u00a0/g, " ")) ? [name] : []));
}
