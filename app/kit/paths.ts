/** In the query of a checkout whose buyer comes back: what they typed is filled in. */
export const RETRY = "retry";

/** Every internal address as a function; nothing else spells one. */
export const paths = {
  home: () => "/",
  login: (returnTo?: string) => (returnTo ? `/login?returnTo=${encodeURIComponent(returnTo)}` : "/login"),
  loginError: (error: "oauth_failed" | "no_code" | "session_failed", reason?: string) =>
    `/login?error=${error}${reason ? `&reason=${reason}` : ""}`,
  oauthStart: () => "/auth/start",
  register: () => "/register",
  confirmEmail: (token: string) => `/confirm-email/${token}`,
  resendConfirmation: () => "/confirm-email",
  forgotPassword: () => "/forgot-password",
  resetPassword: (token: string) => `/reset-password/${token}`,
  /** Where a seller shows once more who they are, and goes on from there. */
  confirmIdentity: (returnTo?: string) =>
    returnTo ? `/confirm-identity?returnTo=${encodeURIComponent(returnTo)}` : "/confirm-identity",
  logout: () => "/logout",
  theme: () => "/theme",
  terms: () => "/terms",
  privacy: () => "/privacy",
  dashboard: () => "/dashboard",
  products: () => "/products",
  newProduct: () => "/products/create",
  product: (id: number) => `/products/${id}/edit`,
  settings: (tab?: string) => (tab ? `/settings?tab=${tab}` : "/settings"),
  /** What opens the account, and the button that ends it. */
  access: (returnTo?: string) =>
    returnTo ? `/settings/access?returnTo=${encodeURIComponent(returnTo)}` : "/settings/access",
  checkoutCustomization: (tab?: string) => `/checkout-customization${tab ? `?tab=${tab}` : ""}`,
  checkoutPreview: () => "/checkout-customization/preview",
  thankYouCustomization: (tab?: string) => `/thank-you-customization${tab ? `?tab=${tab}` : ""}`,
  thankYouPreview: () => "/thank-you-customization/preview",
  /** `query` as in `range=30d&status=pending`: what the page, the file and a sale's way back keep. */
  reports: (query = "") => withQuery("/reports", query),
  reportsExport: (query = "") => withQuery("/reports/export", query),
  sale: (saleId: string, query = "") => withQuery(`/reports/sales/${saleId}`, query),
  checkout: (product: { id: number; checkoutSlug: string | null }) =>
    product.checkoutSlug ? `/checkout/s/${product.checkoutSlug}` : `/checkout/${product.id}`,
  /** The same for a buyer who comes back from paying: `query` is the campaign they came with. */
  backToCheckout: (product: { id: number; checkoutSlug: string | null }, query: URLSearchParams) =>
    withQuery(paths.checkout(product), String(new URLSearchParams([...query, [RETRY, "1"]]))),
  pix: (saleId: string) => `/checkout/pix/${saleId}`,
  saleEvents: (saleId: string) => `/checkout/pix/${saleId}/events`,
  paymentStatus: (paymentId: string) => `/api/payments/pushinpay/status/${paymentId}`,
  saleStatus: (saleId: string) => `/api/sales/${saleId}`,
  upsell: (productId: number) => `/upsell/${productId}`,
  thankYou: (saleId: string) => `/thank-you/${saleId}`,
  findPurchase: () => "/thank-you",
  download: (saleId: string, lineId: string) => `/download/${saleId}/${lineId}`,
  emailSettings: (tab?: "domain" | "anti-spam") => (tab ? `/settings/email?tab=${tab}` : "/settings/email"),
  emailPreview: () => "/settings/email/preview",
  trackingSettings: () => "/settings/utmfy",
  trackingDebug: () => "/settings/utmfy/debug",
  refund: (saleId: string) => `/reports/sales/${saleId}/refund`,
  resendWebhook: (hookToken: string) => `/api/webhooks/resend/${hookToken}`,
  stopReminders: (saleId: string, signature: string) => `/reminders/${saleId}/${signature}`,
  paymentWebhook: (provider: string, hookToken: string) => `/api/webhooks/${provider}/${hookToken}`,
};

function withQuery(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}

/** A same-origin relative path to go back to, or the fallback where it is anything else. */
export function safeReturnTo(candidate: unknown, fallback: string): string {
  if (typeof candidate !== "string" || !/^\/(?![/\\])/.test(candidate)) return fallback;
  const resolved = new URL(candidate, "http://local.invalid");
  return resolved.origin === "http://local.invalid" ? candidate : fallback;
}
