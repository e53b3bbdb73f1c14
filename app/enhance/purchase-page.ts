import { CopyCode } from "#app/enhance/copy-code.ts";
import { define } from "#app/enhance/define.ts";
import { ExpiryClock } from "#app/enhance/expiry-clock.ts";
import { keepPage } from "#app/enhance/keep-page.ts";
import { PaymentWatch } from "#app/enhance/payment-watch.ts";
import { RedirectCountdown } from "#app/enhance/redirect-countdown.ts";
import { sendForms } from "#app/enhance/send-forms.ts";

/** What moves on the pages of an order that was placed. */
define({
  "copy-code": CopyCode,
  "expiry-clock": ExpiryClock,
  "payment-watch": PaymentWatch,
  "redirect-countdown": RedirectCountdown,
});
keepPage();
sendForms(() => true);
