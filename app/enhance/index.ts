import { CopyCode } from "#app/enhance/copy-code.ts";
import { DocumentMask } from "#app/enhance/document-mask.ts";
import { EmailMatch } from "#app/enhance/email-match.ts";
import { ExpiryClock } from "#app/enhance/expiry-clock.ts";
import { MailHint } from "#app/enhance/mail-hint.ts";
import { OrderTotal } from "#app/enhance/order-total.ts";
import { PaymentWatch } from "#app/enhance/payment-watch.ts";
import { PhoneMask } from "#app/enhance/phone-mask.ts";
import { RedirectCountdown } from "#app/enhance/redirect-countdown.ts";
import { SubmitOnce } from "#app/enhance/submit-once.ts";
import { UrgencyCountdown } from "#app/enhance/urgency-countdown.ts";

/** What moves on a buyer's page. Each element improves native HTML that works without it. */
const elements: Record<string, CustomElementConstructor> = {
  "copy-code": CopyCode,
  "document-mask": DocumentMask,
  "email-match": EmailMatch,
  "expiry-clock": ExpiryClock,
  "mail-hint": MailHint,
  "order-total": OrderTotal,
  "payment-watch": PaymentWatch,
  "phone-mask": PhoneMask,
  "redirect-countdown": RedirectCountdown,
  "submit-once": SubmitOnce,
  "urgency-countdown": UrgencyCountdown,
};

for (const [name, element] of Object.entries(elements)) customElements.define(name, element);
