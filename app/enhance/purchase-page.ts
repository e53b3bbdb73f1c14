import { CopyCode } from "#app/enhance/copy-code.ts";
import { defineElements } from "#app/enhance/define-elements.ts";
import { ExpiryClock } from "#app/enhance/expiry-clock.ts";
import { holdLinksOffline } from "#app/enhance/hold-links-offline.ts";
import { PaymentWatch } from "#app/enhance/payment-watch.ts";
import { RedirectCountdown } from "#app/enhance/redirect-countdown.ts";
import { sendForms } from "#app/enhance/send-forms.ts";

/** Custom elements of the pages of an order. */
defineElements({
  "copy-code": CopyCode,
  "expiry-clock": ExpiryClock,
  "payment-watch": PaymentWatch,
  "redirect-countdown": RedirectCountdown,
});
holdLinksOffline();
sendForms(() => true);
