import { htmlPage } from "./html.ts";
import type { Mail } from "./resend-accounts.ts";
import { recipientsOf } from "./resend-email-rules.ts";
import type { World } from "./world.ts";

/** The newest mail to an address. */
export function newestTo({ resend }: World, address: string): Mail | undefined {
  return resend.mails.findLast((mail) => recipientsOf(mail.body).includes(address.toLowerCase()));
}

/** Mails arrive within moments: the page reloads itself. */
export const EMPTY_INBOX_PAGE = htmlPage(
  "E-mails do sandbox",
  `<meta http-equiv="refresh" content="1">
<h1>Nenhum e-mail ainda</h1>
<p>Ele chega em instantes, e esta página o abre sozinha.</p>`,
);
