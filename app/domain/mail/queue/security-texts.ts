import { paths } from "#app/kit/paths.ts";

/** The changes that are mailed to the seller. */
export const SECURITY_CHANGES = [
  "payment-keys",
  "mail-key",
  "mail-hook",
  "mail-domain",
  "webhook",
  "webhook-secret",
  "tracking",
  "pixel",
  "members",
  "mail-sender",
  "api-key",
  "password",
  "email",
  "identity-joined",
  "access-ended",
  "account-closed",
  "account-reopened",
] as const;
export type SecurityChange = (typeof SECURITY_CHANGES)[number];

/**
 * `title` names the change; `text` is a sentence, HTML without external input; `undoneAt` is the screen on which a change that
 * outlives the sessions is undone.
 */
type SecurityText = { title: string; text: string; undoneAt?: string };
export const SECURITY_TEXTS: Record<SecurityChange, SecurityText> = {
  "payment-keys": {
    title: "suas chaves de pagamento mudaram",
    text: "As configurações de pagamento da sua conta foram alteradas.",
    undoneAt: paths.settings("gateways"),
  },
  "mail-key": {
    title: "a chave do Resend mudou",
    text: "A chave do Resend da sua conta, que envia os seus e-mails, foi alterada.",
    undoneAt: paths.emailSettings(),
  },
  "mail-hook": {
    title: "o segredo do webhook de e-mail mudou",
    text: "O segredo do webhook de e-mail da sua conta foi alterado.",
    undoneAt: paths.emailSettings("domain"),
  },
  webhook: {
    title: "um webhook foi criado ou mudou de endereço",
    text: "Um webhook, que leva os dados das suas vendas a outro sistema, foi criado ou mudou de endereço.",
    undoneAt: paths.destinations("webhook"),
  },
  "webhook-secret": {
    title: "o segredo de um webhook foi trocado",
    text: "Foi trocado o segredo que assina os avisos de um webhook, que leva os dados das suas vendas a outro sistema. Por 24 horas, o anterior também assina.",
    undoneAt: paths.destinations("webhook"),
  },
  tracking: {
    title: "a conexão com a UTMify mudou",
    text: "O endereço ou o token da UTMify, que recebe os dados das suas vendas, foi alterado.",
    undoneAt: paths.trackingSettings(),
  },
  pixel: {
    title: "um pixel foi criado ou mudou de código",
    text: "Um pixel, que informa as suas vendas a um serviço de anúncios, foi criado ou mudou de código.",
    undoneAt: paths.destinations("pixel"),
  },
  members: {
    title: "uma área de membros foi conectada ou mudou de conta",
    text: "Uma área de membros, que recebe os dados de quem compra e libera o acesso, foi conectada ou mudou de conta.",
    undoneAt: paths.destinations("members"),
  },
  "mail-domain": {
    title: "o domínio dos seus e-mails mudou",
    text: "O domínio de onde saem os seus e-mails foi alterado.",
    undoneAt: paths.emailSettings("domain"),
  },
  "mail-sender": {
    title: "o remetente dos seus e-mails mudou",
    text: "O endereço do remetente dos seus e-mails, para onde vão as respostas, foi alterado.",
    undoneAt: paths.emailSettings(),
  },
  "api-key": {
    title: "uma chave de API foi criada",
    text: "Uma nova chave de API foi criada na sua conta.",
  },
  password: { title: "sua senha mudou", text: "A senha da sua conta foi alterada." },
  email: {
    title: "o e-mail da sua conta mudou",
    text: "O e-mail da sua conta foi trocado: este endereço não é mais o dela.",
  },
  "identity-joined": {
    title: "sua conta agora abre também pelo provedor de identidade",
    text: "Alguém que confirmou este endereço no provedor de identidade entrou na sua conta, e ela passa a abrir também assim.",
  },
  "access-ended": {
    title: "outros acessos foram encerrados",
    text: "Os outros acessos da sua conta foram encerrados.",
  },
  "account-closed": {
    title: "sua conta foi encerrada",
    text: "Sua conta foi encerrada: a loja saiu do ar, e os seus dados são apagados 30 dias depois do encerramento. Quem comprou é avisado por e-mail de até quando tem acesso, se a conta não for reaberta na primeira hora. Enquanto os dados existem, você entra, baixa uma cópia e pode reabrir a conta.",
  },
  "account-reopened": {
    title: "sua conta foi reaberta",
    text: "Sua conta foi reaberta: a loja está no ar de novo, e nada será apagado.",
  },
};
