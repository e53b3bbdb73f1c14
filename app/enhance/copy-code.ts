import { SECOND } from "#app/kit/duration.ts";

/** Copies the field's text and confirms it for three seconds; without clipboard access the text is selected instead. */
export class CopyCode extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    const field = this.querySelector("textarea");
    const status = this.querySelector("[role=status]");
    const label = button?.querySelector("span");
    if (!button || !field || !status || !label) return;
    const text = label.textContent;
    let timer = 0;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        field.select();
        if (!document.execCommand("copy")) return;
      }
      label.textContent = status.textContent = this.dataset.copied ?? "Código copiado!";
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        label.textContent = text;
        status.textContent = "";
      }, 3 * SECOND);
    });
    field.addEventListener("focus", () => field.select());
  }
}
