/**
 * A connection's settings beside its token. `apiUrl` null: UTMify's own. `isEnabled`: the seller's switch; without a token
 * the destination is stopped all the same. `former`: earlier source names, and until when.
 */
export type UtmifySettings = {
  apiUrl: string | null;
  sourceId: string;
  isEnabled: boolean;
  former?: { sourceId: string; until: string }[];
};

/** Our platform name in an order: the source's name when it was ordered, since an order's platform must not change. */
export function platformOf(
  { sourceId, former }: Pick<UtmifySettings, "sourceId" | "former">,
  orderedAt: Date,
): string {
  const then = former?.find(({ until }) => orderedAt < new Date(until));
  return pascalCase(then?.sourceId ?? sourceId) || "Checkintelli";
}

/** `checkintelli` as `Checkintelli`. */
function pascalCase(sourceId: string): string {
  const parts = sourceId.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return parts.map((part) => part[0]!.toUpperCase() + part.slice(1)).join("");
}
