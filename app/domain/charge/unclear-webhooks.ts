/** What is stored in place of the provider's own status where a webhook only says which charge is meant. */
export const UNREADABLE = "ilegível";
export const UNPROVED = "sem assinatura válida";

/** Such a webhook in a sale's history, as its seller reads it. */
export const UNCLEAR_TEXTS: Record<string, string> = {
  [UNREADABLE]: "Chegou um aviso que não conseguimos ler",
  [UNPROVED]: "Chegou um aviso sem assinatura válida",
};
