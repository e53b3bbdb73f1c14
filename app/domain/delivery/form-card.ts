/** How many products a form lists, beside those that are chosen. More are found by their name. */
export const MAX_PRODUCTS = 500;

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

/** A field's name where two versions of a form are compared, with the texts of its values where they are kinds or ids. */
type FieldLabel = string | { label: string; texts: Record<string, string> };

/** The fields by name, with their names where two versions of a form are compared. `products`: names by id. */
export function fieldLabels(cards: FormCard[], products: Record<string, string>): Record<string, FieldLabel> {
  return Object.fromEntries(
    cards.flatMap((card): [string, FieldLabel][] => {
      if (card.type === "fields") return card.fields.map((field) => [field.name, labelOf(field)]);
      if (card.type === "events") {
        const texts = Object.fromEntries(card.events.map(({ id, label }) => [id, label]));
        return [["events", { label: "Eventos", texts }]];
      }
      if (card.type === "classes") return [["classes.ids", "Turmas"]];
      if (card.type === "product-switches")
        return [["products", { label: "Produtos ligados", texts: products }]];
      return [
        ["scope", { label: "Produtos", texts: { all: "Todos", some: "Só os marcados" } }],
        ["products", { label: "Produtos marcados", texts: products }],
      ];
    }),
  );
}

function labelOf(field: FormField): FieldLabel {
  const label = field.briefly ?? field.label;
  if (field.type !== "choice") return label;
  return { label, texts: Object.fromEntries(field.options.map((option) => [option.value, option.label])) };
}
