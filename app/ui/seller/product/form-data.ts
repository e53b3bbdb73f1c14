/** A product's form as its fields hold it: texts as typed. Names are the API's. */
export type ProductFormData = {
  name: string;
  description: string;
  price: string;
  original_price: string;
  discount_percentage: string;
  promotion_text: string;
  urgency_text: string;
  image_url: string;
  /** The id of an uploaded picture that is not in its field yet. */
  image_url_file: string;
  file_url: string;
  redirect_url: string;
  banner_image_url: string;
  banner_image_url_file: string;
  banner_link_url: string;
  checkout_slug: string;
  is_active: boolean;
  orderBumps: BumpRowData[];
  upsells: UpsellRowData[];
};

/** What order bumps and upsells have in common. `id` is empty until the row is saved. */
export type SellableRowData = {
  id: string;
  name: string;
  description: string;
  price: string;
  original_price: string;
  discount_percentage: string;
  image_url: string;
  image_url_file: string;
  file_url: string;
  is_active: boolean;
};

export type BumpRowData = SellableRowData & { promotion_text: string; urgency_text: string };
/** `benefits` has one per line. */
export type UpsellRowData = SellableRowData & { video_url: string; benefits: string };

/** Initial values for conform: fields that are left out start empty. */
export type ProductFormDefaults = Partial<Omit<ProductFormData, "orderBumps" | "upsells">> & {
  orderBumps?: Partial<BumpRowData>[];
  upsells?: Partial<UpsellRowData>[];
};
