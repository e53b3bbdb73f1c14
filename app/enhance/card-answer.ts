/** The page in an answer; null where it takes no card. */
export async function formPageOf(answer: Response): Promise<Document | null> {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("form[data-card]") && page;
}

/** What a page says above its form, without the heading, which would be joined to the first mistake, and its link elsewhere. */
export function alertOf(page: Document): { text: string; link: Element | null } {
  const lines = [...page.querySelectorAll("main [role=alert] :is(p:not(:has(b)), li)")];
  const text = lines.map((line) => line.textContent).join(" ");
  return { text, link: page.querySelector("main [role=alert] a[href^='/']") };
}
