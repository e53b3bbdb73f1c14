import { type AccountForm, STORED_ENCRYPTED_HINT } from "#app/domain/gateway/providers/account-form.ts";

/** An account whose keys are stored although nothing is charged through it. Its fields' names are also those of our API. */
export type StoredAccount = Pick<AccountForm, "title" | "text" | "toggle" | "keys">;

function keyField(field: string, storedAs: "apiKey" | "publicKey", label: string) {
  return { field, storedAs, label, isSecret: true, hint: STORED_ENCRYPTED_HINT };
}

export const storedAccounts: Record<string, StoredAccount> = {
  stripe: {
    title: "Stripe",
    text: "Guarde aqui as chaves da sua conta. O checkout não recebe pagamentos pela Stripe por enquanto.",
    toggle: { field: "stripe_enabled", label: "Stripe ligado" },
    keys: [
      keyField("stripe_public_key", "publicKey", "Chave publicável"),
      keyField("stripe_secret_key", "apiKey", "Chave secreta"),
    ],
  },
};
