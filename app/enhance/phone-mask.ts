import { formatPhone, parsePhone } from "#app/kit/phone.ts";

/** Shows a phone the Brazilian way and refuses what is none before submitting. */
export class PhoneMask extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector("input");
    if (!input) return;
    const check = () => {
      const phone = parsePhone(input.value);
      input.setCustomValidity(phone || !input.value ? "" : "Telefone inválido");
    };
    input.addEventListener("input", check);
    input.addEventListener("change", () => {
      const phone = parsePhone(input.value);
      if (phone) input.value = formatPhone(phone);
    });
    if (input.value) check();
  }
}
