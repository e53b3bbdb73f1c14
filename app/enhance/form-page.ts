import { askMail } from "#app/enhance/ask-mail.ts";
import { checkFields, watchFields } from "#app/enhance/check-fields.ts";
import { define } from "#app/enhance/define.ts";
import { DocumentMask } from "#app/enhance/document-mask.ts";
import { keepClicks } from "#app/enhance/keep-clicks.ts";
import { keepPage } from "#app/enhance/keep-page.ts";
import { keepTyped } from "#app/enhance/keep-typed.ts";
import { OrderTotal } from "#app/enhance/order-total.ts";
import { ownName, sendForms } from "#app/enhance/send-forms.ts";
import { tellVisit } from "#app/enhance/tell-visit.ts";
import { UrgencyCountdown } from "#app/enhance/urgency-countdown.ts";

/** What moves on the pages a buyer fills in. What was typed is there first: the total is made of it. */
if (document.querySelector(".checkout")) keepTyped();
define({
  "document-mask": DocumentMask,
  "order-total": OrderTotal,
  "urgency-countdown": UrgencyCountdown,
});
keepClicks();
keepPage();
watchFields();
sendForms((form, goOn) => checkFields(form) && !askMail(form, goOn));
if (document.querySelector(".checkout")) {
  // Before anything is pressed: tabs that are sent at once have one name.
  ownName();
  tellVisit();
}
