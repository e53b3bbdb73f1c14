/** In the query of a checkout whose buyer comes back: what they typed is filled in. */
export const RETRY = "retry";
/** Its value where they come back because the payment failed. */
export const FAILED = "failed";

/** In the query of a purchase's addresses: the key that was mailed, where its e-mail was corrected. */
export const KEY = "chave";

/** Where a checkout's script tells that it was seen. */
export const VISITS = "/checkout/visita";

/** Every internal address as a function; nothing else spells one. */
export const paths = {
  home: () => "/",
  login: (returnTo?: string) => back("/login", returnTo),
  loginError: (
    error: "oauth_failed" | "no_code" | "session_failed" | "not_held",
    { reason, returnTo }: { reason?: string; returnTo?: string | undefined } = {},
  ) => back(`/login?error=${error}${reason ? `&reason=${part(reason)}` : ""}`, returnTo),
  /** Where what was typed waits that came after its session had ended. */
  resumeForm: (id: string) => `/resume-form?form=${part(id)}`,
  oauthStart: () => "/auth/start",
  register: () => "/register",
  confirmEmail: (token: string) => `/confirm-email/${part(token)}`,
  resendConfirmation: () => "/confirm-email",
  forgotPassword: () => "/forgot-password",
  resetPassword: (token: string) => `/reset-password/${part(token)}`,
  /** Where a seller shows once more who they are, and goes on from there. */
  confirmIdentity: (returnTo?: string) => back("/confirm-identity", returnTo),
  logout: () => "/logout",
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
  /** The checkout of a product as its seller alone sees it, on sale or not; nothing is ordered there. */
  productPreview: (id: number) => `/products/${id}/preview`,
  settings: (tab?: string) => (tab ? `/settings?tab=${part(tab)}` : "/settings"),
  storeSettings: () => "/settings/store",
  /** Everything the shop is connected to, each with how it stands. */
  integrations: () => "/settings/integrations",
  /** What opens the account, and the button that ends it. */
  access: (returnTo?: string) => back("/settings/access", returnTo),
  checkoutCustomization: (tab?: string) => `/checkout-customization${tab ? `?tab=${part(tab)}` : ""}`,
  checkoutPreview: () => "/checkout-customization/preview",
  thankYouCustomization: (tab?: string) => `/thank-you-customization${tab ? `?tab=${part(tab)}` : ""}`,
  thankYouPreview: () => "/thank-you-customization/preview",
  /** `query` as in `range=30d&status=pending`: what the page, the file and a sale's way back keep. */
  reports: (query = "") => withQuery("/reports", query),
  reportsExport: (query = "") => withQuery("/reports/export", query),
  importStatement: () => "/reports/import",
  sale: (saleId: string, query = "") => withQuery(`/reports/sales/${part(saleId)}`, query),
  checkout: (product: { id: number; checkoutSlug: string | null }) =>
    product.checkoutSlug ? `/checkout/s/${part(product.checkoutSlug)}` : `/checkout/${product.id}`,
  /** The same with the buyer's fields filled in. */
  filledCheckout: (
    product: { id: number; checkoutSlug: string | null },
    buyer: { name: string; email: string; phone: string; document: string },
  ) => withQuery(paths.checkout(product), String(new URLSearchParams(buyer))),
  /** The same for a buyer who comes back from paying: `query` is the campaign they came with. */
  backToCheckout: (
    product: { id: number; checkoutSlug: string | null },
    query: URLSearchParams,
    why: "1" | typeof FAILED = "1",
  ) => withQuery(paths.checkout(product), String(new URLSearchParams([...query, [RETRY, why]]))),
  pix: (saleId: string) => `/checkout/pix/${part(saleId)}`,
  saleEvents: (saleId: string) => `/checkout/pix/${part(saleId)}/events`,
  paymentStatus: (paymentId: string) => `/api/payments/pushinpay/status/${part(paymentId)}`,
  saleStatus: (saleId: string) => `/api/sales/${part(saleId)}`,
  upsell: (productId: number) => `/upsell/${productId}`,
  thankYou: (saleId: string, key = "") => `/thank-you/${part(saleId)}${key ? `?${KEY}=${part(key)}` : ""}`,
  /** Where a mistyped e-mail of a purchase is corrected; with a token where its owner agrees. */
  correctEmail: (saleId: string, token = "") =>
    `/purchase-email/${part(saleId)}${token ? `/${part(token)}` : ""}`,
  findPurchase: () => "/thank-you",
  /** The buyer's place: everything that was bought with an e-mail. */
  purchases: (query = "") => withQuery("/minhas-compras", query),
  /** Where a seller closes the account, takes its data along, and takes it back. */
  closing: () => "/settings/close",
  sellerFile: () => "/settings/close/dados.json",
  /** What is kept of the buyer: to take along, and to have emptied. */
  myData: () => "/minhas-compras/meus-dados",
  myDataFile: () => "/minhas-compras/meus-dados.json",
  openPurchases: (token: string) => `/minhas-compras/entrar/${part(token)}`,
  /** One purchase's receipt in the buyer's place. */
  receipt: (saleId: string) => `/minhas-compras/${part(saleId)}`,
  receiptFile: (saleId: string) => `/minhas-compras/${part(saleId)}/recibo.pdf`,
  /** Leads into the buyer's place: whoever wants money back finds the purchase there. */
  moneyBack: () => "/reembolso",
  download: (saleId: string, lineId: string) => `/download/${part(saleId)}/${part(lineId)}`,
  /** For ever the same; it leads to a signed address while the purchase is paid. */
  boughtItem: (saleId: string, lineId: string, itemId: string, key = "") =>
    `${paths.download(saleId, lineId)}?item=${part(itemId)}${key ? `&${KEY}=${part(key)}` : ""}`,
  productContent: (id: number, owner?: string, editing?: string) => {
    const query = new URLSearchParams({
      ...(owner && owner !== "product" ? { for: owner } : {}),
      ...(editing ? { edit: editing } : {}),
    });
    return `/products/${id}/content${query.size > 0 ? `?${query}` : ""}`;
  },
  contentPreview: (id: number, owner?: string) =>
    `/products/${id}/content/preview${owner && owner !== "product" ? `?for=${part(owner)}` : ""}`,
  uploads: () => "/api/uploads",
  upload: (id: string) => `/api/uploads/${part(id)}`,
  pictures: () => "/api/pictures",
  /** How a picture that was sent is doing. */
  sentPicture: (id: string) => `/api/pictures/${part(id)}`,
  /** One size of a picture: for ever the same bytes. */
  picture: (key: string, name: string) => `/pictures/${key}/${part(name)}`,
  allowDownloads: (saleId: string) => `/reports/sales/${part(saleId)}/downloads`,
  emailSettings: (tab?: "domain" | "anti-spam") =>
    tab ? `/settings/email?tab=${part(tab)}` : "/settings/email",
  emailPreview: () => "/settings/email/preview",
  trackingSettings: () => "/settings/utmfy",
  trackingDebug: (query = "") => withQuery("/settings/utmfy/debug", query),
  webhooks: () => "/settings/webhooks",
  newWebhook: () => "/settings/webhooks/new",
  webhook: (webhookId: string, query = "") => withQuery(`/settings/webhooks/${part(webhookId)}`, query),
  refund: (saleId: string) => `/reports/sales/${part(saleId)}/refund`,
  pixels: () => "/settings/pixels",
  newPixel: (kind = "") => withQuery("/settings/pixels/new", kind && `kind=${part(kind)}`),
  pixel: (pixelId: string, query = "") => withQuery(`/settings/pixels/${part(pixelId)}`, query),
  memberAreas: () => "/settings/member-areas",
  newMemberArea: (kind = "") => withQuery("/settings/member-areas/new", kind && `kind=${part(kind)}`),
  memberArea: (areaId: string, query = "") => withQuery(`/settings/member-areas/${part(areaId)}`, query),
  resendWebhook: (hookToken: string) => `/api/webhooks/resend/${part(hookToken)}`,
  stopReminders: (saleId: string, signature: string) => `/reminders/${part(saleId)}/${part(signature)}`,
  paymentWebhook: (provider: string, hookToken: string) =>
    `/api/webhooks/${part(provider)}/${part(hookToken)}`,
};

/** Without the query where it is longer than any page of ours makes one: it would not fit into an answer's headers. */
function withQuery(path: string, query: string): string {
  const written = new URLSearchParams(query).toString();
  return written === "" || written.length > LONGEST_RETURN ? path : `${path}?${written}`;
}

/** What an address may weigh that goes into another one: browsers and proxies take headers of some kilobytes. */
const LONGEST_RETURN = 2000;

function back(path: string, returnTo: string | undefined): string {
  if (!returnTo || returnTo.length > LONGEST_RETURN) return path;
  return `${path}${path.includes("?") ? "&" : "?"}returnTo=${part(returnTo)}`;
}

/** A word as it may stand in an address, and so in a header. */
function part(word: string): string {
  return encodeURIComponent(word);
}

/** A same-origin relative path to go back to, or the fallback where it is anything else. */
export function safeReturnTo(candidate: unknown, fallback: string): string {
  if (typeof candidate !== "string" || candidate.length > LONGEST_RETURN) return fallback;
  if (!/^\/(?![/\\])/.test(candidate)) return fallback;
  if (!URL.canParse(candidate, "http://local.invalid")) return fallback;
  const { origin, pathname, search, hash } = new URL(candidate, "http://local.invalid");
  // As it was resolved: without line breaks, and in letters that a header takes.
  const path = pathname + search + hash;
  return origin === "http://local.invalid" && /^\/(?![/\\])/.test(path) ? path : fallback;
}
