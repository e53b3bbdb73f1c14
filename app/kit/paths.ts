/** Query parameter of the buyer portal where a session ended before a form arrived. */
export const SESSION_ENDED = "fim";

/** Query parameter of the link that stops reminders: to which of an order's addresses it was mailed. */
export const TAG_PARAMETER = "to";

/** Query parameter of a checkout whose buyer returns: the form is filled with what they typed. */
export const RETRY_PARAMETER = "retry";
/** Its value if they return because the payment failed. */
export const RETRY_AFTER_FAILURE = "failed";

/** Query parameter of a checkout: the code of a coupon. */
export const COUPON_PARAMETER = "cupom";

/** Query parameter of a checkout: a buyer's data, encrypted by us for a seller. */
export const LINK_TOKEN_PARAMETER = "p";
/** Fills in how many units of an offer. */
export const QUANTITY_PARAMETER = "qtd";

/** Query parameter of a purchase's addresses: the mailed key, if its e-mail was corrected. */
export const KEY_PARAMETER = "chave";

/** Where a checkout's script reports visits. */
export const VISITS_PATH = "/checkout/visita";

/** Where browsers report what the card page's policy blocked. */
export const POLICY_REPORTS_PATH = "/checkout/csp";

/** Where the destinations of each family are listed. */
const DESTINATION_LISTS = {
  webhook: "/settings/webhooks",
  pixel: "/settings/pixels",
  members: "/settings/member-areas",
};

/** Every internal address as a function; no other code builds one. */
export const paths = {
  home: () => "/",
  login: (returnTo?: string) => withReturnTo("/login", returnTo),
  loginError: (
    error: "oauth_failed" | "no_code" | "session_failed" | "not_held",
    { reason, returnTo }: { reason?: string; returnTo?: string | undefined } = {},
  ) => withReturnTo(`/login?error=${error}${reason ? `&reason=${encode(reason)}` : ""}`, returnTo),
  /** Where a form is restored that was sent after its session had ended. */
  resumeForm: (id: string) => `/resume-form?form=${encode(id)}`,
  oauthStart: () => "/auth/start",
  register: () => "/register",
  confirmEmail: (token: string) => `/confirm-email/${encode(token)}`,
  resendConfirmation: () => "/confirm-email",
  forgotPassword: () => "/forgot-password",
  resetPassword: (token: string) => `/reset-password/${encode(token)}`,
  /** Where a seller signs in once more before a protected change. */
  confirmIdentity: (returnTo?: string) => withReturnTo("/confirm-identity", returnTo),
  logout: (returnTo?: string) => withReturnTo("/logout", returnTo),
  theme: () => "/theme",
  terms: () => "/terms",
  privacy: () => "/privacy",
  developers: () => "/developers",
  openApi: () => "/api/openapi.json",
  dashboard: () => "/dashboard",
  dashboardStats: () => "/api/dashboard/stats",
  products: (query = "") => withQuery("/products", query),
  newProduct: () => "/products/create",
  product: (id: number) => `/products/${id}/edit`,
  /** The checkout of a product as only its seller sees it, on sale or not; orders are impossible there. */
  productPreview: (id: number) => `/products/${id}/preview`,
  /** Where a seller builds links to a product's checkout. */
  productLinks: (id: number) => `/products/${id}/links`,
  /** The QR code of such a link as a file; `query` as that screen reads it. */
  linkQrCode: (id: number, format: "svg" | "png", query: URLSearchParams) =>
    withQuery(`/products/${id}/qrcode`, String(new URLSearchParams([["format", format], ...query]))),
  /** The other prices of a product. */
  offers: (productId: number) => `/products/${productId}/offers`,
  newOffer: (productId: number) => `/products/${productId}/offers/create`,
  offer: (productId: number, offerId: string) => `/products/${productId}/offers/${encode(offerId)}/edit`,
  coupons: (query = "") => withQuery("/coupons", query),
  newCoupon: () => "/coupons/create",
  coupon: (id: string) => `/coupons/${encode(id)}/edit`,
  settings: (tab?: string) => (tab ? `/settings?tab=${encode(tab)}` : "/settings"),
  /** Where a seller sets up the webhooks of a provider step by step. */
  webhookSetup: (provider: string) => `/settings/gateways/${encode(provider)}/webhook`,
  /** The test on that page. Seen again at another time (ms) it is another address, which browsers load anew. */
  webhookTest: (provider: string, seenAt?: number) =>
    `${withQuery(paths.webhookSetup(provider), seenAt ? `visto=${seenAt}` : "")}#teste`,
  storeSettings: () => "/settings/store",
  /** Everything the shop is connected to, with its status. */
  integrations: () => "/settings/integrations",
  /** Sign-ins and keys of the account, and the button that ends them. */
  access: (returnTo?: string) => withReturnTo("/settings/access", returnTo),
  checkoutCustomization: (tab?: string) => `/checkout-customization${tab ? `?tab=${encode(tab)}` : ""}`,
  checkoutPreview: () => "/checkout-customization/preview",
  thankYouCustomization: (tab?: string) => `/thank-you-customization${tab ? `?tab=${encode(tab)}` : ""}`,
  thankYouPreview: () => "/thank-you-customization/preview",
  /** `query` as in `range=30d&status=pending`: passed on to the export and to a sale's back link. */
  reports: (query = "") => withQuery("/reports", query),
  reportsExport: (query = "") => withQuery("/reports/export", query),
  importStatement: () => "/reports/import",
  /** Our payments beside what their providers say; `query` as in `month=2026-11`, with a day: `day=2026-11-05`. */
  reconciliation: (query = "") => withQuery("/reports/conciliacao", query),
  sale: (saleId: string, query = "") => withQuery(`/reports/sales/${encode(saleId)}`, query),
  checkout: (product: { id: number; checkoutSlug: string | null }) =>
    product.checkoutSlug ? `/checkout/s/${encode(product.checkoutSlug)}` : `/checkout/${product.id}`,
  /** The same with parameters: a coupon, order bumps, a source. */
  linkedCheckout: (product: { id: number; checkoutSlug: string | null }, query: URLSearchParams) =>
    withQuery(paths.checkout(product), String(query)),
  /** The same with a coupon applied. */
  couponCheckout: (product: { id: number; checkoutSlug: string | null }, code: string) =>
    withQuery(paths.checkout(product), `${COUPON_PARAMETER}=${encode(code)}`),
  /** The same with the buyer's fields filled in. */
  prefilledCheckout: (
    product: { id: number; checkoutSlug: string | null },
    buyer: { name: string; email: string; phone: string; document: string },
  ) => withQuery(paths.checkout(product), String(new URLSearchParams(buyer))),
  /** The same for a buyer who returns from paying: `query` is the campaign they came with. */
  backToCheckout: (
    product: { id: number; checkoutSlug: string | null },
    query: URLSearchParams,
    reason: "1" | typeof RETRY_AFTER_FAILURE = "1",
  ) => withQuery(paths.checkout(product), String(new URLSearchParams([...query, [RETRY_PARAMETER, reason]]))),
  pix: (saleId: string, key = "") => withKey(`/checkout/pix/${encode(saleId)}`, key),
  /** Where an order is paid with a card: the only page with a provider's script. */
  card: (saleId: string, key = "") => withKey(`/checkout/cartao/${encode(saleId)}`, key),
  /** The instalments of an order for a card that begins with the query's `bin`. */
  instalments: (saleId: string) => `/checkout/cartao/${encode(saleId)}/parcelas`,
  saleEvents: (saleId: string) => `/checkout/pix/${encode(saleId)}/events`,
  paymentStatus: (paymentId: string) => `/api/payments/pushinpay/status/${encode(paymentId)}`,
  saleStatus: (saleId: string) => `/api/sales/${encode(saleId)}`,
  upsell: (productId: number) => `/upsell/${productId}`,
  thankYou: (saleId: string, key = "") => withKey(`/thank-you/${encode(saleId)}`, key),
  /** Where a mistyped e-mail of a purchase is corrected; with a token for its owner's consent. */
  correctEmail: (saleId: string, token = "", key = "") =>
    withKey(`/purchase-email/${encode(saleId)}${token ? `/${encode(token)}` : ""}`, key),
  findPurchase: () => "/thank-you",
  /** The buyer portal: everything that was bought with an e-mail. */
  purchases: (query = "") => withQuery("/minhas-compras", query),
  /**
   * The same where a form arrived too late for its session: the page says that it was not received, or, where it asked for erasure
   * (which ends all sessions), that it may have been before.
   */
  endedPurchases: (asked: "" | "apagar" = "") => paths.purchases(`${SESSION_ENDED}=${asked}`),
  /** Where a seller closes the account, exports its data, and reopens it. */
  closing: () => "/settings/close",
  sellerDataFile: () => "/settings/close/dados.json",
  /** The buyer's stored data: for export and anonymization. */
  myData: () => "/minhas-compras/meus-dados",
  myDataFile: () => "/minhas-compras/meus-dados.json",
  openPurchases: (token: string) => `/minhas-compras/entrar/${encode(token)}`,
  /** One purchase's receipt in the buyer portal. */
  receipt: (saleId: string) => `/minhas-compras/${encode(saleId)}`,
  receiptFile: (saleId: string) => `/minhas-compras/${encode(saleId)}/recibo.pdf`,
  /** Leads into the buyer portal, where a refund can be requested. */
  moneyBack: () => "/reembolso",
  download: (saleId: string, lineId: string, key = "") =>
    withKey(`/download/${encode(saleId)}/${encode(lineId)}`, key),
  /** Permanent address; redirects to a signed one while the purchase is paid. */
  boughtItem: (saleId: string, lineId: string, itemId: string, key = "") =>
    withKey(`${paths.download(saleId, lineId)}?item=${encode(itemId)}`, key),
  productContent: (id: number, owner?: string, editing?: string) => {
    const query = new URLSearchParams({
      ...(owner && owner !== "product" ? { for: owner } : {}),
      ...(editing ? { edit: editing } : {}),
    });
    return `/products/${id}/content${query.size > 0 ? `?${query}` : ""}`;
  },
  contentPreview: (id: number, owner?: string) =>
    `/products/${id}/content/preview${owner && owner !== "product" ? `?for=${encode(owner)}` : ""}`,
  uploads: () => "/api/uploads",
  upload: (id: string) => `/api/uploads/${encode(id)}`,
  pictures: () => "/api/pictures",
  /** The processing state of an uploaded picture. */
  pictureUpload: (id: string) => `/api/pictures/${encode(id)}`,
  /** One size of a picture; its bytes never change. */
  picture: (key: string, name: string) => `/pictures/${key}/${encode(name)}`,
  allowDownloads: (saleId: string) => `/reports/sales/${encode(saleId)}/downloads`,
  emailSettings: (tab?: "domain" | "anti-spam") =>
    tab ? `/settings/email?tab=${encode(tab)}` : "/settings/email",
  emailPreview: () => "/settings/email/preview",
  /** `search`: what the names of the products on it contain. */
  trackingSettings: (search = "") => `/settings/utmfy${search && `?produto=${encodeURIComponent(search)}`}`,
  trackingDebug: (query = "") => withQuery("/settings/utmfy/debug", query),
  destinations: (family: keyof typeof DESTINATION_LISTS) => DESTINATION_LISTS[family],
  newDestination: (family: keyof typeof DESTINATION_LISTS, kind = "") =>
    withQuery(`${DESTINATION_LISTS[family]}/new`, kind && `kind=${encode(kind)}`),
  destination: (family: keyof typeof DESTINATION_LISTS, id: string, query = "") =>
    withQuery(`${DESTINATION_LISTS[family]}/${encode(id)}`, query),
  refund: (saleId: string) => `/reports/sales/${encode(saleId)}/refund`,
  evidence: (saleId: string) => `/reports/sales/${encode(saleId)}/comprovantes.pdf`,
  resendWebhook: (hookToken: string) => `/api/webhooks/resend/${encode(hookToken)}`,
  /** `tag`: of the address that it is mailed to. */
  stopReminders: (saleId: string, signature: string, tag: string) =>
    withQuery(`/reminders/${encode(saleId)}/${encode(signature)}`, `${TAG_PARAMETER}=${encode(tag)}`),
  paymentWebhook: (provider: string, hookToken: string) =>
    `/api/webhooks/${encode(provider)}/${encode(hookToken)}`,
};

/** Drops a query that is longer than any of our pages creates: it would not fit into response headers. */
function withQuery(path: string, query: string): string {
  const written = new URLSearchParams(query).toString();
  return written === "" || written.length > MAX_EMBEDDED_LENGTH ? path : `${path}?${written}`;
}

/** Maximum length of an address inside another one: browsers and proxies accept headers of some kilobytes. */
const MAX_EMBEDDED_LENGTH = 2000;

function withReturnTo(path: string, returnTo: string | undefined): string {
  if (!returnTo || returnTo.length > MAX_EMBEDDED_LENGTH) return path;
  return `${path}${path.includes("?") ? "&" : "?"}returnTo=${encode(returnTo)}`;
}

/** An address with the key of a mailed link, if there is one. */
function withKey(path: string, key: string): string {
  return key === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${KEY_PARAMETER}=${encode(key)}`;
}

/** Encodes a text for an address, and so for a header. */
function encode(text: string): string {
  return encodeURIComponent(text);
}

/** A same-origin relative path to return to; the fallback for anything else. */
export function safeReturnTo(candidate: unknown, fallback: string): string {
  if (typeof candidate !== "string" || candidate.length > MAX_EMBEDDED_LENGTH) return fallback;
  if (!/^\/(?![/\\])/.test(candidate)) return fallback;
  if (!URL.canParse(candidate, "http://local.invalid")) return fallback;
  const { origin, pathname, search, hash } = new URL(candidate, "http://local.invalid");
  // The resolved form: without line breaks, and in characters that a header allows.
  const path = pathname + search + hash;
  return origin === "http://local.invalid" && /^\/(?![/\\])/.test(path) ? path : fallback;
}
