/** Why an automatic refund ended without being sent to its provider. */
export const UNSENT_REFUND = {
  noGateway: "A conexão com o provedor deste pagamento não existe mais. Informe a API Key em Configurações.",
  returned: "Parte do valor já tinha sido devolvida, e por isso nada foi pedido ao provedor.",
};

/** Whether a refund ended for one of these reasons: no provider refused it. */
export function isUnsentRefund(detail: string): boolean {
  return Object.values(UNSENT_REFUND).includes(detail);
}
