import { escapeHtml } from "#app/kit/html.ts";
import { nameForMail } from "#app/kit/name-for-mail.ts";

/** A mail's greeting as HTML: `Olá, Ana!`, or `Olá!` without a name that may be shown. */
export function greeting(typedName: string): string {
  const name = nameForMail(typedName);
  return name ? `Olá, ${escapeHtml(name)}!` : "Olá!";
}
