import { setUpCardForm } from "#app/enhance/card-form.ts";
import { defineElements } from "#app/enhance/define-elements.ts";
import { DocumentMask } from "#app/enhance/document-mask.ts";
import { followChallenge } from "#app/enhance/follow-challenge.ts";
import { holdLinksOffline } from "#app/enhance/hold-links-offline.ts";
import { PaymentWatch } from "#app/enhance/payment-watch.ts";
import { sendForms } from "#app/enhance/send-forms.ts";

/** The page where an order is paid with a card. */
defineElements({ "document-mask": DocumentMask, "payment-watch": PaymentWatch });
holdLinksOffline();
// Before the page's other forms: what it handles itself they leave alone.
const form = document.querySelector<HTMLFormElement>("form[data-card]");
if (form) setUpCardForm(form);
sendForms(() => true);
followChallenge();
