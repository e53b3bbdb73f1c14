type Pictured = { imageUrl: string | null };

/** The addresses of a product's pictures, by the fields of its form and its API. */
export function productPictures(product: {
  imageUrl: string | null;
  bannerImageUrl: string | null;
  bumps?: Pictured[] | undefined;
  offers?: Pictured[] | undefined;
}): Record<string, string | null> {
  const rows = (list: string, pictured: Pictured[] = []) =>
    pictured.map(({ imageUrl }, at) => [`${list}[${at}].image_url`, imageUrl]);
  return {
    image_url: product.imageUrl,
    banner_image_url: product.bannerImageUrl,
    ...Object.fromEntries([...rows("orderBumps", product.bumps), ...rows("upsells", product.offers)]),
  };
}
