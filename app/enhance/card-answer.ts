import { pick } from "#app/kit/pick.ts";

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

/** What the SDK throws where a field is wrong: the causes, alone or in an object. */
type TokenCause = { code?: string | number };

/** What the SDK found wrong with a card, in the buyer's words; empty where it names nothing of `texts`. */
export function describeTokenFaults(thrown: unknown, texts: Record<string, string>): string {
  const list = Array.isArray(thrown) ? thrown : (thrown as { cause?: unknown } | null)?.cause;
  const causes: TokenCause[] = Array.isArray(list) ? list : [];
  return [...new Set(causes.flatMap(({ code }) => pick(texts, String(code)) ?? []))].join(" ");
}

/** Loads a script of the provider's. */
export function loadScript(src: string, onLoad: () => void, onError: () => void = () => {}) {
  const script = document.createElement("script");
  script.src = src;
  script.async = true;
  script.addEventListener("load", onLoad);
  script.addEventListener("error", onError);
  document.head.append(script);
}
