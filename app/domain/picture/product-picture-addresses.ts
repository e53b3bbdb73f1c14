type WithImage = { imageUrl: string | null };

/** The addresses of a product's pictures, by the fields of its form and its API. */
export function productPictureAddresses(product: {
  imageUrl: string | null;
  bannerImageUrl: string | null;
  bumps?: WithImage[] | undefined;
  upsells?: WithImage[] | undefined;
}): Record<string, string | null> {
  const rows = (list: string, items: WithImage[] = []) =>
    items.map(({ imageUrl }, at) => [`${list}[${at}].image_url`, imageUrl]);
  return {
    image_url: product.imageUrl,
    banner_image_url: product.bannerImageUrl,
    ...Object.fromEntries([...rows("orderBumps", product.bumps), ...rows("upsells", product.upsells)]),
  };
}
