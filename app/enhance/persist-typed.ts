import { tabStorage } from "#app/enhance/report-visit.ts";

let key: `typed${string}`;

/**
 * Stores what is typed and chosen on a checkout for this tab, so that a reload loses nothing; never the CPF. Stored
 * per page and per what the server filled in: a form that was filled in otherwise is not restored.
 */
export function persistTyped(): void {
  // What one person typed never completes the form of another one's link. A CPF's last digits tell two people apart.
  const filled = fields().map(([, input]) => [input.defaultValue, input.defaultChecked]);
  const cpf = document.querySelector<HTMLInputElement>("[name=customer_document]")?.defaultValue.slice(-2);
  key = `typed${location.pathname}${filled}${cpf}`;
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
  const typed = fields().map(([name, input]) => [name, isChoice(input) ? input.checked : input.value]);
  try {
    tabStorage[key] = JSON.stringify(typed);
  } catch {
    // The storage is full.
  }
}

function fields(): [string, HTMLInputElement][] {
  const inputs = document.querySelectorAll<HTMLInputElement>(
    ".checkout input:not([type=hidden],[name=customer_document])",
  );
  return [...inputs].map((input) => [input.name + (isChoice(input) ? input.value : ""), input]);
}

/** A checkbox or a radio button: no other type of field on a checkout begins with these letters. */
const isChoice = ({ type }: HTMLInputElement) => /^[cr]/.test(type);
