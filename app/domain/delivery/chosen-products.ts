/** The products that a destination's form selects; null for all, including future ones. */
export function chosenProducts(fields: { scope: "all" | "some"; products: number[] }): number[] | null {
  return fields.scope === "all" ? null : fields.products;
}
