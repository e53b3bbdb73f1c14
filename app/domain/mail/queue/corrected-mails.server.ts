import { sql } from "drizzle-orm";
import { BUYER_MAIL_KINDS } from "#app/domain/mail/queue/mail-readers.ts";

/** In the list of mails, for one to an address that is not its buyer's any more. */
export const CORRECTED_TEXT = "O e-mail da compra foi corrigido antes do envio.";

/**
 * Whether a row of `mails` goes to its buyer, at an address that was corrected meanwhile. A correction redirects mails that
 * wait; one that is being sent at that moment may fail and wait again.
 */
export const isCorrected = sql<boolean>`(mails.kind in (${sql.join(
  BUYER_MAIL_KINDS.map((kind) => sql.raw(`'${kind}'`)),
  sql`, `,
)}) and exists (
  select from sales s where s.seller_id = mails.seller_id and s.id = mails.sale_id and s.customer_email <> mails.recipient))`;
