/** Says while typing whether the confirmation equals the e-mail. Texts: spec, /checkout. */
export class EmailMatch extends HTMLElement {
  connectedCallback() {
    const confirmation = this.querySelector("input");
    const email = this.closest("form")?.querySelector<HTMLInputElement>("[name=customer_email]");
    const status = this.querySelector("[role=status]");
    if (!confirmation || !email || !status) return;
    const compare = () => {
      const typed = confirmation.value.trim().toLowerCase();
      const same = typed === email.value.trim().toLowerCase();
      confirmation.setCustomValidity(typed && !same ? "Os e-mails não coincidem" : "");
      confirmation.classList.toggle("match", typed !== "" && same);
      confirmation.setAttribute("aria-invalid", String(typed !== "" && !same));
      status.className = same ? "good" : "error";
      const said = same ? "✅ E-mails coincidem" : "⚠️ Os e-mails não coincidem";
      status.textContent = typed ? said : "";
    };
    confirmation.addEventListener("input", compare);
    email.addEventListener("input", compare);
    if (confirmation.value) compare();
  }
}
