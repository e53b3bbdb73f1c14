import { redirect } from "@remix-run/node";
import type { CheckoutParams } from "#app/domain/catalog/find-for-sale.server.ts";
import { readCampaign } from "#app/domain/order/order-form.server.ts";
import { COUPON_PARAMETER, RETRY_PARAMETER } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { loadCheckout } from "#app/routes/buyer/render-checkout.server.tsx";

/** A checkout's address: `/checkout/7`, `/checkout/s/violao`. */
const CHECKOUT_PATH = /^\/checkout\/(?:s\/(?<slug>[^/]+)|(?<productId>\d+))$/;

/**
 * Leads a visit that comes from another checkout of the same product, by its 'Outras opções', to the address with the campaign
 * parameters of that one, which an order is booked with, and with the coupon of its link. The pages are cached without them, so no
 * link has them. Null where there are none, or the address has its own.
 */
export async function carryCampaign(
  request: Request,
  params: CheckoutParams,
  query: URLSearchParams,
): Promise<Response | null> {
  const from = readReferer(request);
  if (!from || query.has(RETRY_PARAMETER)) return null;
  const hasCampaign = Object.keys(readCampaign(query)).length > 0;
  const campaign = hasCampaign ? [] : Object.entries(readCampaign(from.searchParams));
  const coupon = query.has(COUPON_PARAMETER) ? null : from.searchParams.get(COUPON_PARAMETER);
  const carried = [...campaign, ...(coupon ? [[COUPON_PARAMETER, coupon]] : [])];
  if (carried.length === 0) return null;
  const { pathname } = new URL(request.url);
  const origin = CHECKOUT_PATH.exec(from.pathname)?.groups;
  if (!origin || pathname === from.pathname || !(await isSameProduct(origin, params))) return null;
  return redirect(`${pathname}?${new URLSearchParams([...query, ...carried])}`, {
    headers: { "Cache-Control": "private, no-store" },
  });
}

/** The page of ours that a visit comes from. */
function readReferer(request: Request): URL | null {
  const referer = URL.parse(request.headers.get("referer") ?? "");
  return referer?.origin === new URL(env.APP_URL).origin ? referer : null;
}

/** One of them may be over, and shows itself why. */
async function isSameProduct(origin: CheckoutParams, params: CheckoutParams): Promise<boolean> {
  const orNull = (error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  };
  const [from, to] = await Promise.all([origin, params].map((one) => loadCheckout(one).catch(orNull)));
  return Boolean(from && to && from.product.id === to.product.id);
}
