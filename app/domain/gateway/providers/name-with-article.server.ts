import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";

type ProviderName = Pick<Provider, "label" | "article">;

/** A provider with its article, within a sentence. `preposition` merges with the article: `n` gives `na`. */
export function nameWithArticle(
  { label, article }: ProviderName,
  preposition: "" | "n" | "d" | "pel" = "",
): string {
  return `${preposition}${article} ${label}`;
}

/** The same at the start of a sentence. */
export function capitalizedName({ label, article }: ProviderName): string {
  return `${article.toUpperCase()} ${label}`;
}

/** The names of all providers a seller may connect, joined with "ou". */
export function anyProviderName(preposition: "" | "d" | "pel" = ""): string {
  return Object.values(providers)
    .map((provider) => nameWithArticle(provider, preposition))
    .join(" ou ");
}
