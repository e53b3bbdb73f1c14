import { htmlPage } from "./html.ts";
import type { Mail } from "./resend-accounts.ts";
import { recipientsOf } from "./resend-email-rules.ts";
import type { World } from "./world.ts";

/** The newest mail to an address. */
export function newestTo({ resend }: World, address: string): Mail | undefined {
  return resend.mails.findLast((mail) => recipientsOf(mail.body).includes(address.toLowerCase()));
}

/** Mails come within moments: the page looks again by itself. */
export const EMPTY_INBOX = htmlPage(
  "E-mails do sandbox",
  `<meta http-equiv="refresh" content="1">
<h1>Nenhum e-mail ainda</h1>
<p>Ele chega em instantes, e esta página o abre sozinha.</p>`,
);
