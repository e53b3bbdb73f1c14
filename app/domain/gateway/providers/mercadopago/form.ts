import { type AccountForm, STORED_ENCRYPTED_HINT } from "#app/domain/gateway/providers/account-form.ts";

/** Mercado Pago's card in the settings. The first three field names are the spec's. */
export const form: AccountForm = {
  title: "Mercado Pago",
  text: "Receba por PIX e por cartão com o Mercado Pago. Para o PIX, a sua conta precisa ter uma chave Pix cadastrada.",
  toggle: { field: "mercadopago_enabled", label: "Receber por PIX com o Mercado Pago" },
  cardToggle: {
    field: "mercadopago_card_enabled",
    label: "Receber por cartão com o Mercado Pago",
    hint: "O cartão aparece no checkout ao lado do PIX, à vista ou em parcelas com os juros da sua conta. Precisa da Public Key.",
  },
  keys: [
    {
      field: "mercadopago_access_token",
      storedAs: "apiKey",
      label: "API Key (Access Token)",
      isSecret: true,
      hint: `Em Suas integrações → sua aplicação → Credenciais de produção. ${STORED_ENCRYPTED_HINT}`,
    },
    {
      field: "mercadopago_public_key",
      storedAs: "publicKey",
      label: "Public Key",
      isSecret: true,
      isOptional: true,
      hint: "Só o cartão precisa dela.",
    },
    {
      field: "mercadopago_webhook_secret",
      storedAs: "webhookSecret",
      label: "Assinatura secreta do webhook",
      isSecret: true,
      isOptional: true,
      hint: "Aparece ao salvar o endereço abaixo na sua aplicação. Se preencher, avisos sem ela são recusados.",
    },
  ],
  webhook: {
    field: "mercadopago_webhook_url",
    hint: "Cadastre este endereço na sua aplicação, em Webhooks → Modo de produção, com os eventos Order e Chargebacks. Sem ele o pagamento ainda é encontrado, mas depois.",
  },
  keyMissing: "Salve primeiro o Access Token do Mercado Pago",
};
