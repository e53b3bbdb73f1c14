import { tabStorage } from "#app/enhance/report-visit.ts";

let key: `typed${string}`;

/**
 * Stores what is typed and chosen on a checkout for this tab, so that a reload loses nothing; never the CPF. Stored
 * per page and per what the server filled in: a form that was filled in otherwise is not restored.
 */
export function persistTyped(): void {
  // What one person typed never completes the form of another one's link.
  key = `typed${location.pathname}${fields().map(([, { defaultValue, defaultChecked }]) => [defaultValue, defaultChecked])}`;
  try {
    const saved = new Map(JSON.parse(tabStorage[key] as string) as [string, unknown][]);
    for (const [name, input] of fields()) {
      const previous = saved.get(name);
      if (typeof previous === "boolean") input.checked = previous;
      else if (typeof previous === "string") input.value = previous;
    }
  } catch {
    // Nothing was stored, or it is invalid.
  }
  addEventListener("input", saveTyped);
}

/** Deletes the stored fields: once the order exists, the server can fill the form. */
export function clearTyped(): void {
  delete tabStorage[key];
}

function saveTyped(): void {
  const typed = fields().map(([name, input]) => [name, stateOf(input)]);
  try {
    tabStorage[key] = JSON.stringify(typed);
  } catch {
    // The storage is full.
  }
}

const fields = () => fieldsOf(document, ".checkout input:not([type=hidden],[name=customer_document])");

type Fields = [string, HTMLInputElement][];

/** What can be typed or chosen in a form, each by its name; choices of one name by their values, too. */
function fieldsOf(root: ParentNode, selector = "input:not([type=hidden]),textarea,select"): Fields {
  const inputs = root.querySelectorAll<HTMLInputElement>(selector);
  return [...inputs].map((input) => [input.name + (isChoice(input) ? input.value : ""), input]);
}

/** A checkbox or a radio button: no other type of field on a checkout begins with these letters. */
const isChoice = ({ type }: HTMLInputElement) => /^[cr]/.test(type);

const stateOf = (input: HTMLInputElement) => (isChoice(input) ? input.checked : input.value);

/** The fields of an answer that hold what was changed since its form was sent, and the one that has the focus since then. */
export type CopiedChanges = { changed: HTMLInputElement[]; current: HTMLInputElement | undefined };

/** Remembers what a form holds as it is sent. @returns copies what was changed since to the fields of an answer */
export function watchChanges(form: HTMLFormElement): (answer: Element) => CopiedChanges {
  const sent = new Map(fieldsOf(form).map(([name, input]) => [name, stateOf(input)]));
  const focused = document.activeElement;
  return (answer) => {
    const fresh = new Map(fieldsOf(answer));
    const changed: HTMLInputElement[] = [];
    let current: HTMLInputElement | undefined;
    for (const [name, input] of fieldsOf(form)) {
      const field = fresh.get(name);
      if (!field) continue;
      if (input === document.activeElement && input !== focused) current = field;
      const state = stateOf(input);
      if (state === sent.get(name)) continue;
      if (typeof state === "boolean") field.checked = state;
      else field.value = state;
      changed.push(field);
    }
    return { changed, current };
  };
}
