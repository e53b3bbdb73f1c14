import { formatMoney } from "#app/kit/money.ts";

/**
 * Updates every `data-total` of the form as bumps are chosen. Its own prices are the product's, in cents: `due` with the discount of a
 * PIX, `original` without promotions.
 */
export class OrderTotal extends HTMLElement {
  connectedCallback() {
    this.closest("form")?.addEventListener("input", () => this.update());
    // The browser may restore ticks (Back, reload) after the element is connected.
    addEventListener("pageshow", () => this.update());
    this.update();
  }

  update() {
    const form = this.closest("form");
    const chosen = [...(form?.querySelectorAll<HTMLInputElement>("[name=order_bumps]:checked") ?? [])];
    const typed = form?.querySelector<HTMLInputElement>("[name=quantity]");
    // As the server's `shownQuantity`: an empty field is an order of the least.
    const quantity = (typed?.validity.valid && Number(typed.value)) || Number(typed?.min ?? 1);
    const sum = (name: "price" | "original" | "due") =>
      chosen.reduce(
        (cents, bump) => cents + Number(bump.dataset[name]),
        Number(this.dataset[name]) * quantity,
      );
    const total = sum("due");
    const original = Math.max(sum("original"), total);
    const show = (name: string, text: string, hidden = false) => {
      for (const at of document.querySelectorAll<HTMLElement>(`main [data-${name}]`)) {
        // Setting the same text would make screen readers repeat it.
        if (at.textContent !== text) at.textContent = text;
        at.hidden = hidden;
      }
    };
    show("total", formatMoney(total));
    show("card-total", formatMoney(sum("price")));
    const { free, paid = "" } = this.dataset;
    if (free) show("how", total > 0 ? paid : free);
    show("was", formatMoney(original), original === total);
    show("saving", `Economia de ${formatMoney(original - total)}`, original === total);
  }
}
