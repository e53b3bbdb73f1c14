import { CORRECTED_TEXT } from "#app/domain/mail/queue/corrected-mails.server.ts";
import { hasBody } from "#app/domain/mail/queue/mail-body.server.ts";
import { RETURNED_TEXT } from "#app/domain/mail/queue/returned-mails.server.ts";
import {
  OVER_LIMIT_TEXT,
  PAID_TEXT,
  UNPAYABLE_TEXT,
} from "#app/domain/mail/queue/unpaid-order-mails.server.ts";
import type { ClaimedMail } from "#app/domain/mail/sending/claim-mails.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";

/** A mail that arrives later than this would confuse its reader. */
const GIVE_UP_AFTER = 3 * DAY;
/** The provider stores an idempotency key for a day: a mail it may have accepted must not be sent again after that. */
const IDEMPOTENCY_WINDOW = 23 * HOUR;

const UNCERTAIN_TEXT = "O provedor não confirmou o envio: o e-mail pode ter chegado.";
const INTERRUPTED_TEXT = "O envio foi interrompido: o e-mail pode não ter chegado.";

/** Why a mail is not attempted (any more), in Portuguese: its seller reads it in the delivery list. Null where it is. */
export function dropReason({
  createdAt,
  attempts,
  claimedAt,
  uncertainSince,
  error,
  bodySealed,
  isOverLimit,
  isPaid,
  isUnpayable,
  isCorrected,
  isReturned,
}: Pick<ClaimedMail, "createdAt" | "attempts" | "claimedAt" | "uncertainSince" | "error" | "bodySealed"> &
  Partial<Pick<ClaimedMail, "isOverLimit" | "isPaid" | "isUnpayable" | "isCorrected" | "isReturned">>):
  | string
  | null {
  if (isOverLimit) return OVER_LIMIT_TEXT;
  // An attempt without a recorded result may have been accepted. A mail that was not even rendered was not sent.
  const uncertainAt = uncertainSince ?? (hasBody({ bodySealed }) ? claimedAt : null);
  if (isCorrected)
    return uncertainAt ? `O e-mail da compra foi corrigido. ${UNCERTAIN_TEXT}` : CORRECTED_TEXT;
  if (isPaid) return uncertainAt ? `A compra já foi paga. ${UNCERTAIN_TEXT}` : PAID_TEXT;
  if (isUnpayable)
    return uncertainAt ? `O código PIX já não pode ser pago. ${UNCERTAIN_TEXT}` : UNPAYABLE_TEXT;
  if (isReturned)
    return uncertainAt ? `O valor da compra já foi devolvido. ${UNCERTAIN_TEXT}` : RETURNED_TEXT;
  const now = Date.now();
  // One without any attempt is attempted once, however late.
  if ((attempts > 0 || claimedAt) && now - createdAt.getTime() > GIVE_UP_AFTER)
    return claimedAt ? INTERRUPTED_TEXT : (error ?? INTERRUPTED_TEXT);
  return uncertainAt && now - uncertainAt.getTime() > IDEMPOTENCY_WINDOW ? UNCERTAIN_TEXT : null;
}
