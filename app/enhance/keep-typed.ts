import { tab } from "#app/enhance/tell-visit.ts";

const key = () => `typed${location.pathname}` as const;

/**
 * Keeps what is typed and ticked on a checkout for this tab, so that loading it again loses nothing; never the CPF. Only
 * what the page itself asks for is filled, where the server filled nothing.
 */
export function keepTyped(): void {
  try {
    const kept = new Map(Object.entries(JSON.parse(String(tab[key()])) as Record<string, unknown>));
    for (const [name, input] of fields()) {
      const was = kept.get(name);
      if (was === true) input.checked = true;
      else if (typeof was === "string" && !input.value) input.value = was;
    }
  } catch {
    // Nothing was kept, or nothing of ours.
  }
  addEventListener("change", keep);
  addEventListener("input", keep);
}

/** Once the order is placed the server knows how to fill the form. */
export function forgetTyped(): void {
  delete tab[key()];
}

function keep(): void {
  const typed = fields().map(([name, input]) => [
    name,
    input.type === "checkbox" ? input.checked : input.value,
  ]);
  try {
    tab[key()] = JSON.stringify(Object.fromEntries(typed));
  } catch {
    // There is no room for it.
  }
}

function fields(): [string, HTMLInputElement][] {
  const inputs = document.querySelectorAll<HTMLInputElement>(
    ".checkout input:not([type=hidden],[type=radio],[name=customer_document])",
  );
  return [...inputs].map((input) => [input.name + (input.type === "checkbox" ? input.value : ""), input]);
}
