/** A key of a seller's account, as form and API have it. */
export type KeyField = {
  /** Its name in the form and the API. */
  field: string;
  /** Which of the account's columns keeps it. */
  holds: "apiKey" | "publicKey" | "webhookSecret";
  label: string;
  /** A secret is shown as a mask; anything else as it was typed. */
  isSecret: boolean;
  isOptional?: boolean;
  hint: string;
};

/** How a seller connects an account: what the card in the settings shows, and the names of its fields. */
export type AccountForm = {
  title: string;
  text: string;
  toggle: { field: string; label: string };
  keys: KeyField[];
  /** The address for the provider's news, to be copied. */
  webhook: { field: string; hint: string };
  /** What is said where the webhook is to be tried without a key. */
  keyMissing: string;
};

/** The hint of a key about which there is nothing more to say. */
export const KEPT_SEALED = "Guardada com criptografia. Deixe como está para manter; apague para remover.";
