import { showUnsent } from "#app/enhance/send-forms.ts";
import { formatClock, tick } from "#app/enhance/tick.ts";
import { MINUTE } from "#app/kit/duration.ts";

/**
 * The seller's offer clock: its end is stored per product in local storage, and a new visit starts it again; a page
 * that answers a submit does not. At zero the form is not sent.
 */
export class UrgencyCountdown extends HTMLElement {
  connectedCallback() {
    const time = this.querySelector("time");
    const form = document.querySelector<HTMLFormElement>("form.checkout");
    if (!time || !form) return;
    const until = this.deadline();
    // Not the moment itself: a device's clock may be an hour off.
    form.addEventListener("formdata", ({ formData }) =>
      formData.set("offer_ends_in", String(until - Date.now())),
    );
    tick(until, (left) => {
      time.textContent = formatClock(left);
      if (left === 0) this.expire(form);
    });
  }

  deadline(): number {
    const key = `checkout:${this.dataset.product}`;
    const fresh = Date.now() + Number(this.dataset.minutes) * MINUTE;
    try {
      const stored = Number(localStorage.getItem(key));
      if (this.dataset.kept && stored > 0) return stored;
      localStorage.setItem(key, String(fresh));
    } catch {
      // Storage may be blocked (private windows); the clock runs all the same.
    }
    return fresh;
  }

  expire(form: HTMLFormElement) {
    this.textContent = "Oferta Expirada";
    const button = form.querySelector<HTMLButtonElement>(".buy");
    const label = button?.querySelector("span");
    if (!button || !label) return;
    button.setAttribute("aria-disabled", "true");
    label.textContent = "Oferta Expirada";
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        form.querySelector(".unsent")?.remove();
        showUnsent(button, "Esta oferta expirou! Recarregue a página para uma nova oportunidade.");
      },
      { capture: true },
    );
  }
}
