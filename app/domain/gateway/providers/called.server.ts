import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";

type Named = Pick<Provider, "label" | "article">;

/** A provider with its article, in the middle of a sentence. `before` is a preposition that merges with it: `n` gives `na`. */
export function called({ label, article }: Named, before: "" | "n" | "d" | "pel" = ""): string {
  return `${before}${article} ${label}`;
}

/** The same at the beginning of a sentence. */
export function calledFirst({ label, article }: Named): string {
  return `${article.toUpperCase()} ${label}`;
}

/** All providers a seller may connect, one of which they choose. */
export function calledAny(before: "" | "d" | "pel" = ""): string {
  return Object.values(providers)
    .map((provider) => called(provider, before))
    .join(" ou ");
}
