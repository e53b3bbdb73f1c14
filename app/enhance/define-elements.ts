/** Defines a page's custom elements. Each improves native HTML that works without it. */
export function defineElements(elements: Record<string, CustomElementConstructor>): void {
  for (const [name, element] of Object.entries(elements)) customElements.define(name, element);
}
