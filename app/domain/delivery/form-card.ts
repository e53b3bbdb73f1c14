/**
 * A field of a destination's form, as its page shows it. `briefly`: its name where two versions of a form are compared, if
 * not its label.
 */
export type FormField = { name: string; label: string; help?: string; briefly?: string } & (
  | {
      type: "text" | "url";
      placeholder?: string;
      suffix?: string;
      maxLength?: number;
      isRequired?: true;
      /** No word: neither spell-checked nor completed. */
      isCode?: true;
    }
  /** `shownFor`: only while the form's choice `form` has one of these values. */
  | { type: "secret"; maxLength?: number; shownFor?: string[] }
  | { type: "toggle" }
  | { type: "choice"; options: { value: string; label: string; text: string }[] }
);

/** An event to choose; `name` is its name in the delivery, `missingIn` the formats that do not have it. */
export type EventChoice = {
  id: string;
  label: string;
  text: string;
  name: string;
  missingIn?: string[];
};

/** A card of a destination's form. */
export type FormCard =
  | { type: "fields"; title: string; text?: string; fields: FormField[]; button?: FormButton }
  | { type: "events"; text: string; events: EventChoice[] }
  /** All products, or some. */
  | { type: "products" }
  /** The classes that each item leads to. */
  | { type: "classes" }
  /** All products but some, each with its switch. */
  | { type: "product-switches"; text: string };

/** A second button of a form, in a card. */
export type FormButton = { intent: string; label: string; pending: string; text: string };

/** A field of a destination's test. An error is shown at the e-mail's field, else above the page. */
export type TestField =
  | { type: "event" }
  | { type: "code"; name: string; label: string }
  | { type: "email"; name: string; label: string }
  | { type: "item"; name: string; label: string };

/** The fields by name, with their names where two versions of a form are compared. */
export function fieldLabels(cards: FormCard[]): Record<string, string> {
  return Object.fromEntries(
    cards.flatMap((card): [string, string][] => {
      if (card.type === "fields")
        return card.fields.map(({ name, label, briefly = label }) => [name, briefly]);
      if (card.type === "events") return [["events", "Eventos"]];
      if (card.type === "classes") return [["classes.ids", "Turmas"]];
      if (card.type === "product-switches") return [["products", "Produtos ligados (números)"]];
      return [
        ["scope", "Produtos"],
        ["products", "Produtos marcados (números)"],
      ];
    }),
  );
}
