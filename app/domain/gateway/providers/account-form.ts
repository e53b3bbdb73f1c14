import type { WebhookArrival } from "#app/db/schema/lists.ts";
import { pick } from "#app/kit/pick.ts";

/** A key of a seller's account, in form and API. */
export type KeyField = {
  /** Its name in the form and the API. */
  field: string;
  /** The column of the account that stores it. */
  storedAs: "apiKey" | "publicKey" | "webhookSecret";
  label: string;
  /** A secret is shown as a mask, anything else as entered. */
  isSecret: boolean;
  isOptional?: boolean;
  hint: string;
};

/** How a seller connects an account: what the settings' card shows, and its field names. */
export type AccountForm = {
  title: string;
  text: string;
  toggle: { field: string; label: string };
  /** The switch for cards, where the provider takes them. */
  cardToggle?: { field: string; label: string; hint: string };
  keys: KeyField[];
  /** The URL for the provider's webhooks, to be copied, and how it is set up where only the seller can do it. */
  webhook: { field: string; hint: string; setup?: WebhookSetup };
  /** Shown where the webhook is tested without a key. */
  keyMissing: string;
};

/**
 * How sellers set webhooks up in the provider's panel, where only a real webhook proves that they did: the end-to-end test
 * waits for one.
 */
export type WebhookSetup = {
  panelUrl: string;
  steps: SetupStep[];
  /** What to do where no webhook came, or only one of this kind. */
  advice: Record<"none" | Exclude<WebhookArrival, "verified">, string>;
};

/** A step in the panel, by the panel's own words; what is copied there or pasted here is shown with it. */
export type SetupStep = { text: string; shows?: "panel" | "url" | "secret"; isForCards?: boolean };

/** The default hint of a key. */
export const STORED_ENCRYPTED_HINT =
  "Guardada com criptografia. Deixe como está para manter; apague para remover.";

/** Why an account that takes only cards receives none. */
export const CARDS_WITHOUT_PIX = "O cartão só aparece ao lado do PIX: ligue o PIX desta ou de outra conta";

/**
 * Whether every key that the account needs is saved, whether it is also switched on, and whether it takes cards.
 * @param saved the form's values
 */
export function readAccount(
  {
    toggle,
    cardToggle,
    keys,
  }: Pick<AccountForm, "toggle"> & {
    cardToggle?: { field: string } | null;
    keys: Pick<KeyField, "field" | "isOptional">[];
  },
  saved: object,
): { hasKeys: boolean; isOn: boolean; takesCards: boolean } {
  const hasKeys = keys.every(({ field, isOptional }) => isOptional || pick(saved, field) !== "");
  const takesCards = hasKeys && pick(saved, cardToggle?.field ?? "") === true;
  return { hasKeys, isOn: hasKeys && pick(saved, toggle.field) === true, takesCards };
}
