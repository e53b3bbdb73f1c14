/** Keeps what the buyer typed for as long as the tab is open, so that coming back to the form finds it filled. */
export class FormMemory extends HTMLElement {
  connectedCallback() {
    const form = this.closest("form");
    if (!form) return;
    const fields = [...form.querySelectorAll<HTMLInputElement>("[name^=customer_]")];
    try {
      const kept = JSON.parse(sessionStorage.getItem("buyer") ?? "{}") as Record<string, string>;
      for (const field of fields) {
        if (field.value === "" && kept[field.name]) field.value = kept[field.name]!;
      }
      form.addEventListener("submit", () => {
        const typed = Object.fromEntries(fields.map((field) => [field.name, field.value]));
        sessionStorage.setItem("buyer", JSON.stringify(typed));
      });
    } catch {
      // Storage may be closed to us; nothing is kept then.
    }
  }
}
