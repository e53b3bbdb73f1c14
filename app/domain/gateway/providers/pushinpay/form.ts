import { type AccountForm, STORED_ENCRYPTED_HINT } from "#app/domain/gateway/providers/account-form.ts";

/** The header that carries the token a seller set in PushInPay's panel. */
export const TOKEN_HEADER = "x-pushinpay-token";

/** PushInPay's card in the settings. Field names are the API's. */
export const form: AccountForm = {
  title: "PushInPay",
  text: "Receba por PIX. A chave está no painel da PushInPay.",
  toggle: { field: "pushinpay_enabled", label: "Receber por PIX com a PushInPay" },
  keys: [
    {
      field: "pushinpay_api_key",
      storedAs: "apiKey",
      label: "API Key",
      isSecret: true,
      hint: STORED_ENCRYPTED_HINT,
    },
    {
      field: "pushinpay_webhook_secret",
      storedAs: "webhookSecret",
      label: "Segredo do webhook",
      isSecret: true,
      isOptional: true,
      hint: `O token que a PushInPay envia em cada aviso (${TOKEN_HEADER}). Se preencher, avisos sem ele são recusados.`,
    },
  ],
  webhook: {
    field: "pushinpay_webhook_url",
    hint: "Cada PIX já leva este endereço. Configure-o também no painel da PushInPay.",
  },
  keyMissing: "Salve primeiro a API Key da PushInPay.",
};
