/** Changes that require a recent sign-in, as the page names them: "Para …, confirme que é você." */
export const GUARDED_CHANGES = {
  "payment-keys": "mudar as configurações de pagamento",
  "mail-key": "mudar a chave do Resend",
  "mail-hook": "mudar o segredo do webhook de e-mail",
  "mail-domain": "mudar o domínio dos seus e-mails",
  "mail-sender": "mudar o remetente dos seus e-mails",
  webhook: "mudar para onde vão os dados das suas vendas",
  tracking: "mudar a conta da UTMify que recebe as suas vendas",
  pixel: "mudar quem é informado das suas vendas",
  members: "mudar quem libera o acesso às suas vendas",
  "api-key": "criar uma chave de API",
  password: "criar uma senha",
  email: "mudar o e-mail da conta",
  closing: "encerrar ou reabrir a conta",
  access: "encerrar os outros acessos da conta",
} as const;
export type GuardedChange = keyof typeof GUARDED_CHANGES;
