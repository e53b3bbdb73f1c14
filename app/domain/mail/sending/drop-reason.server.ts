import { UNCERTAIN_TEXT } from "#app/domain/mail/queue/fail-mails.server.ts";
import { LINK_LIFETIMES } from "#app/domain/mail/queue/link-lifetimes.ts";
import { hasBody } from "#app/domain/mail/queue/mail-body.server.ts";
import { OBSOLETE_TEXTS } from "#app/domain/mail/queue/obsolete-mails.server.ts";
import { overLimitText } from "#app/domain/mail/queue/unpaid-order-mails.server.ts";
import type { ClaimedMail } from "#app/domain/mail/sending/claim-mails.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";

/** A mail that arrives later than this would confuse its reader. */
const GIVE_UP_AFTER = 3 * DAY;
/** The provider stores an idempotency key for a day: a mail it may have accepted must not be sent again after that. */
const IDEMPOTENCY_WINDOW = 23 * HOUR;

const EXPIRED_TEXT = "Não enviado: o link do e-mail já tinha expirado.";
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
  obsoleteReason,
  newRecipient,
  kind,
}: Pick<ClaimedMail, "createdAt" | "attempts" | "claimedAt" | "uncertainSince" | "error" | "bodySealed"> &
  Partial<Pick<ClaimedMail, "isOverLimit" | "obsoleteReason" | "newRecipient" | "kind">>): string | null {
  if (isOverLimit) return overLimitText(kind);
  // An attempt without a recorded result may have been accepted. A mail that was not even rendered was not sent.
  const uncertainAt = uncertainSince ?? (hasBody({ bodySealed }) ? claimedAt : null);
  if (newRecipient && uncertainAt) return `O e-mail da conta foi trocado. ${UNCERTAIN_TEXT}`;
  if (obsoleteReason) {
    const { unsent, fact } = OBSOLETE_TEXTS[obsoleteReason];
    return uncertainAt ? `${fact} ${UNCERTAIN_TEXT}` : unsent;
  }
  const now = Date.now();
  const lifetime = kind && pick(LINK_LIFETIMES, kind);
  if (lifetime && now - createdAt.getTime() > lifetime)
    return uncertainAt ? `O link do e-mail já expirou. ${UNCERTAIN_TEXT}` : EXPIRED_TEXT;
  // One without any attempt is attempted once, however late.
  if ((attempts > 0 || claimedAt) && now - createdAt.getTime() > GIVE_UP_AFTER)
    return claimedAt ? INTERRUPTED_TEXT : (error ?? INTERRUPTED_TEXT);
  return uncertainAt && now - uncertainAt.getTime() > IDEMPOTENCY_WINDOW ? UNCERTAIN_TEXT : null;
}
