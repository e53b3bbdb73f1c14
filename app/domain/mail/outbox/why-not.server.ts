import type { TakenMail } from "#app/domain/mail/outbox/claim-mails.server.ts";
import { hasBody } from "#app/domain/mail/queue/mail-body.server.ts";
import { OVER, PAID, TOO_MANY } from "#app/domain/mail/queue/unpaid-mails.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";

/** A mail that arrives later than this would confuse its reader. */
const GIVE_UP_AFTER = 3 * DAY;
/** The provider remembers an idempotency key for a day: a mail it may have taken must not be sent again after that. */
const REMEMBERED_FOR = 23 * HOUR;

const UNSURE = "O provedor não confirmou o envio: o e-mail pode ter chegado.";
const INTERRUPTED = "O envio foi interrompido: o e-mail pode não ter chegado.";

/** Why a mail is not tried (any more), in Portuguese: its seller reads it in the delivery list. Null where it is. */
export function whyNot({
  createdAt,
  attempts,
  claimedAt,
  unsureSince,
  error,
  bodySealed,
  payload,
  isTooMany,
  isPaid,
  isOver,
}: Pick<
  TakenMail,
  "createdAt" | "attempts" | "claimedAt" | "unsureSince" | "error" | "bodySealed" | "payload"
> &
  Partial<Pick<TakenMail, "isTooMany" | "isPaid" | "isOver">>): string | null {
  if (isTooMany) return TOO_MANY;
  // Who was at it left no note: it may have been taken then. One that was not even drawn was given to nobody.
  const unsure = unsureSince ?? (hasBody({ bodySealed, payload }) ? claimedAt : null);
  if (isPaid) return unsure ? `A compra já foi paga. ${UNSURE}` : PAID;
  if (isOver) return unsure ? `O código PIX já não pode ser pago. ${UNSURE}` : OVER;
  const now = Date.now();
  // One that nobody could try is tried once, however late.
  if ((attempts > 0 || claimedAt) && now - createdAt.getTime() > GIVE_UP_AFTER)
    return claimedAt ? INTERRUPTED : (error ?? INTERRUPTED);
  return unsure && now - unsure.getTime() > REMEMBERED_FOR ? UNSURE : null;
}
