/** A button that says it is working and cannot be pressed twice. The server bears a second press all the same. */
export class SubmitOnce extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    const label = button?.querySelector("span");
    const form = this.closest("form");
    if (!button || !label || !form) return;
    const text = label.textContent;
    const set = (busy: boolean) => {
      button.setAttribute("aria-disabled", String(busy));
      label.textContent = busy ? (this.dataset.busy ?? text) : text;
    };
    form.addEventListener("submit", (event) => {
      if (button.getAttribute("aria-disabled") === "true") event.preventDefault();
      else if (!event.defaultPrevented) set(true);
    });
    // Coming back by the Back button finds the page as it was left.
    addEventListener("pageshow", (event) => event.persisted && set(false));
  }
}
