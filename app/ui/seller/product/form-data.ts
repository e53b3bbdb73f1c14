/** A product's form as its fields hold it: texts as typed. Names are the spec's. */
export type ProductFormData = {
  name: string;
  description: string;
  price: string;
  original_price: string;
  discount_percentage: string;
  promotion_text: string;
  urgency_text: string;
  image_url: string;
  /** A picture that was sent and is not in its field yet: its id. */
  image_url_file: string;
  file_url: string;
  redirect_url: string;
  banner_image_url: string;
  banner_image_url_file: string;
  banner_link_url: string;
  checkout_slug: string;
  is_active: boolean;
  orderBumps: BumpRowData[];
  upsells: OfferRowData[];
};

/** What order bumps and upsell offers have in common. `id` is empty until the row is saved. */
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
/** `benefits` has one a line. */
export type OfferRowData = SellableRowData & { video_url: string; benefits: string };

/** What conform fills a form with: fields that are left out start empty. */
export type ProductFormDefaults = Partial<Omit<ProductFormData, "orderBumps" | "upsells">> & {
  orderBumps?: Partial<BumpRowData>[];
  upsells?: Partial<OfferRowData>[];
};
