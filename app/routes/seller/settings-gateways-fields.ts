/** The settings as the tab shows them; every key is a mask. */
export type Gateways = {
  pushinpay_enabled: boolean;
  pushinpay_api_key: string;
  pushinpay_webhook_secret: string;
  pushinpay_webhook_url: string;
  stripe_enabled: boolean;
  stripe_public_key: string;
  stripe_secret_key: string;
  utmfy_enabled: boolean;
  utmfy_api_token: string;
  resend_api_key: string;
};

export type GatewayFields = Omit<Gateways, "pushinpay_webhook_url" | "utmfy_api_token" | "resend_api_key">;

export type Tried = { success: boolean; message: string };
