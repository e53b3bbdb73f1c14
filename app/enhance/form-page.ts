import { checkFields, watchFields } from "#app/enhance/check-fields.ts";
import { CnpjSwitch } from "#app/enhance/cnpj-switch.ts";
import { defineElements } from "#app/enhance/define-elements.ts";
import { holdLinksOffline } from "#app/enhance/hold-links-offline.ts";
import { OrderTotal } from "#app/enhance/order-total.ts";
import { persistTyped } from "#app/enhance/persist-typed.ts";
import { reportVisit } from "#app/enhance/report-visit.ts";
import { browserId, sendForms } from "#app/enhance/send-forms.ts";
import { storeAdClicks } from "#app/enhance/store-ad-clicks.ts";
import { suggestAddress } from "#app/enhance/suggest-address.ts";
import { UrgencyCountdown } from "#app/enhance/urgency-countdown.ts";

/** Custom elements of the pages with a buyer form. Typed fields are restored first: the total is computed from them. */
if (document.querySelector(".checkout")) {
  persistTyped();
  // Before any submit, so that tabs sending at the same time share one id.
  browserId();
  reportVisit();
}
defineElements({
  "cnpj-switch": CnpjSwitch,
  "order-total": OrderTotal,
  "urgency-countdown": UrgencyCountdown,
});
storeAdClicks();
holdLinksOffline();
watchFields();
sendForms((form, proceed) => checkFields(form) && !suggestAddress(form, proceed));
