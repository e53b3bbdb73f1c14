import { escapeHtml } from "#app/kit/html.ts";
import { nameForMail } from "#app/kit/name-for-mail.ts";

/** How a mail begins, as HTML: `Olá, Ana!`, or `Olá!` where nobody typed a name that may be shown. */
export function greeting(typedName: string): string {
  const name = nameForMail(typedName);
  return name ? `Olá, ${escapeHtml(name)}!` : "Olá!";
}
