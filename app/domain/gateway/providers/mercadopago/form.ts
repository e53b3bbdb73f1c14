import { type AccountForm, STORED_ENCRYPTED_HINT } from "#app/domain/gateway/providers/account-form.ts";

/** Mercado Pago's card in the settings. The first three field names are the API's. */
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
    // As the panel is laid out: Mercado Pago's own guide to notifications of Checkout Transparente.
    setup: {
      panelUrl: "https://www.mercadopago.com.br/developers/panel/app",
      steps: [
        {
          text: "Entre em Suas integrações e abra a aplicação de onde você copiou o Access Token.",
          shows: "panel",
        },
        { text: "No menu da aplicação, abra Webhooks e toque em Configurar notificações." },
        { text: "Na aba Modo de produção, cole este endereço no campo da URL:", shows: "url" },
        { text: "Em Eventos, marque Order (Mercado Pago)." },
        { text: "Marque também Chargebacks, para saber das contestações de cartão.", isForCards: true },
        {
          text: "Toque em Salvar configuração. O painel mostra a Assinatura secreta: copie, cole aqui e salve.",
          shows: "secret",
        },
      ],
      advice: {
        none: "Confira no painel se o endereço do passo 3 está na aba Modo de produção, sem faltar nenhuma letra, se o evento Order (Mercado Pago) está marcado, e se a configuração foi salva na mesma aplicação do Access Token.",
        "other-topic":
          "O endereço está certo, mas a aplicação avisa de outro evento. Marque Order (Mercado Pago) em Eventos e salve a configuração.",
        "other-payment":
          "Ela era de outro pedido, de uma simulação do painel ou do modo de teste. Confira se o endereço está na aba Modo de produção da mesma aplicação do Access Token, e se o Access Token é o de produção.",
        "wrong-signature":
          "A assinatura secreta salva aqui não é a da aplicação. Copie de novo a Assinatura secreta da aba Modo de produção, cole no último passo e salve.",
      },
    },
  },
  keyMissing: "Salve primeiro o Access Token do Mercado Pago.",
};
