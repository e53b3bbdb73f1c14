/** The tracking form's fields as the page holds them. */
export type TrackingFields = {
  is_enabled: boolean;
  api_token: string;
  api_url: string;
  source_id: string;
  purchase: boolean;
  chargeback: boolean;
  refund: boolean;
  products: string[];
};
