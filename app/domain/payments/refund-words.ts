import { DAY } from "#app/kit/duration.ts";

/** PIX may be given back through the provider for 90 days. Source: contracts.md 4.6. */
export const REFUND_WINDOW = 90 * DAY;

/** What a refund's refusal says to the seller. */
export const REFUND_NO = {
  pending: "Já existe um reembolso em andamento para este pagamento.",
  done: "Este pagamento já foi reembolsado.",
  notCompleted: "Só uma venda concluída pode ser reembolsada.",
  tooLate:
    "O PIX só pode ser devolvido pelo provedor em até 90 dias. Faça a devolução pelo banco e marque a venda como reembolsada.",
  unconfirmed:
    "O provedor não confirmou este reembolso, e paramos de esperar. Confira no painel do provedor: se o valor voltou, marque como reembolsada; se não, tente de novo.",
  unknown:
    "O provedor ainda não disse se o reembolso anterior foi feito, e por isso nada foi pedido de novo. Tente em alguns minutos.",
  noGateway: "A conexão com o provedor deste pagamento não existe mais. Informe a API Key em Configurações.",
};
