import { formatMoney } from "#app/kit/money.ts";

/** Keeps every `data-total` of the form right as bumps are chosen. Its own prices are the product's, in cents. */
export class OrderTotal extends HTMLElement {
  connectedCallback() {
    this.closest("form")?.addEventListener("change", () => this.update());
    // The browser may bring back ticks (Back, reload) after the element is there.
    addEventListener("pageshow", () => this.update());
    this.update();
  }

  update() {
    const form = this.closest("form");
    const chosen = [...(form?.querySelectorAll<HTMLInputElement>("[name=order_bumps]:checked") ?? [])];
    const sum = (name: "price" | "original") =>
      chosen.reduce((cents, bump) => cents + Number(bump.dataset[name]), Number(this.dataset[name]));
    const total = sum("price");
    const original = Math.max(sum("original"), total);
    const show = (name: string, text: string, hidden = false) => {
      for (const at of this.closest("main")?.querySelectorAll<HTMLElement>(`[data-${name}]`) ?? []) {
        // The same words again would be told again to whoever listens.
        if (at.textContent !== text) at.textContent = text;
        at.hidden = hidden;
      }
    };
    show("total", formatMoney(total));
    show("was", formatMoney(original), original === total);
    show("saving", `Economia de ${formatMoney(original - total)}`, original === total);
  }
}
