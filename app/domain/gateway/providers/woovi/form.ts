import { type AccountForm, STORED_ENCRYPTED_HINT } from "#app/domain/gateway/providers/account-form.ts";

/** Woovi's card in the settings. Its notices are signed with Woovi's own key, so there is no secret to paste. */
export const form: AccountForm = {
  title: "Woovi",
  text: "Receba por PIX com a Woovi (OpenPix). O AppID está no painel, em API/Plugins.",
  toggle: { field: "woovi_enabled", label: "Receber por PIX com a Woovi" },
  keys: [
    {
      field: "woovi_app_id",
      storedAs: "apiKey",
      label: "API Key (AppID)",
      isSecret: true,
      hint: STORED_ENCRYPTED_HINT,
    },
  ],
  webhook: {
    field: "woovi_webhook_url",
    hint: "Cadastre este endereço no painel da Woovi, em API/Plugins → Webhooks, para o evento de cobrança paga. Sem ele o pagamento ainda é encontrado, mas depois.",
  },
  keyMissing: "Salve primeiro o AppID da Woovi.",
};
