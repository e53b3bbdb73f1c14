/**
 * What a connection keeps beside its token. `apiUrl` null: UTMify's own. `isEnabled`: the seller's switch; without a token the
 * destination is stopped all the same. `former`: what the source was called, and until when.
 */
export type UtmifySettings = {
  apiUrl: string | null;
  sourceId: string;
  isEnabled: boolean;
  former?: { sourceId: string; until: string }[];
};

/** How UTMify calls us in an order: as its source was called when it was ordered, since an order's platform must not change. */
export function platformOf(
  { sourceId, former }: Pick<UtmifySettings, "sourceId" | "former">,
  orderedAt: Date,
): string {
  const then = former?.find(({ until }) => orderedAt < new Date(until));
  return pascalCase(then?.sourceId ?? sourceId) || "Checkintelli";
}

/** `checkintelli` as `Checkintelli`. */
function pascalCase(sourceId: string): string {
  const words = sourceId.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}
