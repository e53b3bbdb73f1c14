import { setUpCardForm } from "#app/enhance/card-form.ts";
import { CnpjSwitch } from "#app/enhance/cnpj-switch.ts";
import { defineElements } from "#app/enhance/define-elements.ts";
import { followChallenge } from "#app/enhance/follow-challenge.ts";
import { holdLinksOffline } from "#app/enhance/hold-links-offline.ts";
import { PaymentWatch } from "#app/enhance/payment-watch.ts";
import { sendForms, showUnsent } from "#app/enhance/send-forms.ts";

/** The page where an order is paid with a card. */
defineElements({ "cnpj-switch": CnpjSwitch, "payment-watch": PaymentWatch });
holdLinksOffline();
// Before the page's other forms: what it handles itself they leave alone.
const form = document.querySelector<HTMLFormElement>("form[data-card]");
if (form) setUpCardForm(form);
sendForms(() => true);
// The browser goes to the page of the PIX, where its own error would replace this one.
document.addEventListener("submit", (event) => {
  if (navigator.onLine || event.defaultPrevented) return;
  event.preventDefault();
  const button = (event.target as HTMLFormElement).querySelector("button")!;
  button.parentElement!.querySelector(".unsent")?.remove();
  showUnsent(button, "Sem conexão com a internet. Toque de novo quando ela voltar.");
});
followChallenge();
