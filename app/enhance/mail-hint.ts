import { nearMailDomain } from "#app/kit/mail-domain.ts";

/** Offers the likely address where the mail domain looks mistyped: `ana@gmial.com`. */
export class MailHint extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector("input");
    const button = this.querySelector("button");
    if (!input || !button) return;
    let better = "";
    input.addEventListener("change", () => {
      const [name, domain = ""] = input.value.trim().split("@");
      const near = nearMailDomain(domain);
      better = near ? `${name}@${near}` : "";
      button.hidden = !near;
      button.textContent = near ? `Você quis dizer ${better}?` : "";
    });
    button.addEventListener("click", () => {
      input.value = better;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      button.hidden = true;
      input.focus();
    });
  }
}
