import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";

export type ProviderName = Pick<Provider, "label" | "article">;

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

/** The same of a provider by its stored name; "O provedor" where none has it. */
export function capitalizedNameOf(name: string | undefined): string {
  const found = pick(providers, name ?? "");
  return found ? capitalizedName(found) : "O provedor";
}

const alternatives = new Intl.ListFormat("pt-BR", { type: "disjunction" });

/** The names of all providers a seller may connect, as alternatives: commas, and "ou" before the last. */
export function anyProviderName(preposition: "" | "d" | "pel" = ""): string {
  return alternatives.format(
    Object.values(providers).map((provider) => nameWithArticle(provider, preposition)),
  );
}
