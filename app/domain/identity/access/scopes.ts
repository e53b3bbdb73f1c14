/** What an API key may be allowed to do. No scope reaches payment keys or the account. */
export const SCOPES = ["read", "sales", "settings", "webhooks"] as const;
export type Scope = (typeof SCOPES)[number];

/** The same as choices for the seller. */
export const SCOPE_LABELS: Record<Scope, string> = {
  read: "Ler produtos, conteúdos, ofertas, cupons, vendas, relatórios, e-mails enviados e configurações, sem os segredos",
  sales:
    "Agir em vendas: corrigir compradores, reenviar acessos por e-mail e vendas à UTMify, ver o CPF ou CNPJ inteiro, registrar contestações (que podem encerrar o acesso) e criar links com os dados de quem compra",
  settings:
    "Mudar produtos, conteúdos, ofertas, cupons, páginas, e-mails e configurações, e fazer testes (de e-mail, de pagamento e da UTMify)",
  webhooks:
    "Criar, mudar e testar webhooks, ver o registro deles e reenviar avisos, e mudar a conexão com a UTMify: levam os dados das vendas a outros sistemas",
};
