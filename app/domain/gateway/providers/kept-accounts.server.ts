import { type AccountForm, KEPT_SEALED } from "#app/domain/gateway/providers/account-form.ts";

/** An account whose keys are kept although nothing is charged through it. Its fields are the spec's. */
export type KeptAccount = Pick<AccountForm, "title" | "text" | "toggle" | "keys"> & { hasCard: boolean };

function key(field: string, holds: "apiKey" | "publicKey", label: string) {
  return { field, holds, label, isSecret: true, hint: KEPT_SEALED };
}

export const keptAccounts: Record<string, KeptAccount> = {
  stripe: {
    hasCard: true,
    title: "Stripe",
    text: "Guarde aqui as chaves da sua conta. O checkout recebe por PIX; pagamentos com cartão não são feitos por enquanto.",
    toggle: { field: "stripe_enabled", label: "Stripe ligado" },
    keys: [
      key("stripe_public_key", "publicKey", "Chave publicável"),
      key("stripe_secret_key", "apiKey", "Chave secreta"),
    ],
  },
  mercadopago: {
    // The spec's API holds these fields, its settings show no card for them.
    hasCard: false,
    title: "Mercado Pago",
    text: "",
    toggle: { field: "mercadopago_enabled", label: "Mercado Pago ligado" },
    keys: [
      key("mercadopago_public_key", "publicKey", "Chave pública"),
      key("mercadopago_access_token", "apiKey", "Token de acesso"),
    ],
  },
};
