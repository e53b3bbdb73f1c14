/** What an API key may be allowed to do. No scope reaches payment keys or the account. */
export const SCOPES = ["read", "sales", "settings", "webhooks"] as const;
export type Scope = (typeof SCOPES)[number];

/** The same as choices for the seller. */
export const SCOPE_LABELS: Record<Scope, string> = {
  read: "Ler produtos, vendas e relatórios",
  sales:
    "Agir em vendas: corrigir compradores, reenviar acessos, ver o CPF ou CNPJ inteiro, registrar contestações (que podem encerrar o acesso) e criar links com os dados de quem compra",
  settings: "Mudar produtos, páginas e configurações",
  webhooks:
    "Criar e mudar webhooks e a conexão com a UTMify, que levam os dados das vendas a outros sistemas",
};
