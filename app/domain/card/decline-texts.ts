import type { DeclineReason } from "#app/db/schema/lists.ts";

/** What a buyer can do after a card was declined. Each is followed by "Nada foi cobrado." */
export const DECLINE_TEXTS: Record<DeclineReason, string> = {
  "card-data": "Confira o número, a validade e o código de segurança do cartão e tente de novo.",
  limit: "O limite do cartão não é suficiente. Tente em menos parcelas, com outro cartão ou com PIX.",
  issuer: "O banco do cartão recusou o pagamento. Tente com outro cartão ou com PIX.",
  "call-issuer":
    "O banco quer a sua autorização. Autorize a compra no aplicativo do banco e tente de novo com o mesmo cartão.",
  "card-disabled":
    "O cartão está bloqueado para compras online. Desbloqueie no aplicativo do banco e tente de novo.",
  attempts: "Este cartão atingiu o limite de tentativas. Tente com outro cartão ou com PIX.",
  instalments: "Este cartão não aceita este número de parcelas. Escolha outro e tente de novo.",
  risk: "Não foi possível aprovar este cartão por segurança. Pague com PIX.",
  "not-credit": "A função crédito está desligada neste cartão. Tente com outro cartão ou com PIX.",
  "holder-data": "Faltam dados do titular. Confira o nome e o CPF e tente de novo.",
  "challenge-required":
    "O banco do cartão quer que você confirme a compra. Toque de novo em “Pagar com cartão” e confirme na página do banco, ou pague com PIX.",
  "challenge-failed":
    "A confirmação no banco não foi concluída. Tente de novo e confirme a compra, use outro cartão ou pague com PIX.",
  "challenge-expired":
    "O prazo para confirmar a compra no banco acabou. Tente de novo, use outro cartão ou pague com PIX.",
  other: "O cartão não foi aprovado. Tente com outro cartão ou com PIX.",
};
