import { redirect } from "@remix-run/node";
import type { CheckoutParams } from "#app/domain/catalog/find-for-sale.server.ts";
import { openBuyer } from "#app/domain/checkout/link/buyer-token.server.ts";
import { LINK_TOKEN_PARAMETER, RETRY_PARAMETER } from "#app/kit/paths.ts";
import { formatPhone } from "#app/kit/phone.ts";
import { readFields } from "#app/routes/buyer/checkout-form.server.ts";
import { takeDocument } from "#app/routes/buyer/prefill.server.ts";
import { loadCheckout } from "#app/routes/buyer/render-checkout.server.tsx";
import { rememberOrder, type Typed } from "#app/server/session/order-cookie.server.ts";

/**
 * Leads a link with a CPF, or with a seller's token, to the address without it, which history, log or a friend may get: the
 * form has the data by a cookie. Null where there are none, or the token cannot be read: the address keeps it then.
 */
export async function movePersonalData(
  request: Request,
  params: CheckoutParams,
  query: URLSearchParams,
): Promise<Response | null> {
  if (query.size === 0) return null;
  const documented = takeDocument(query);
  if (documented) {
    const { product } = await loadCheckout(params);
    const { document, without } = documented;
    return leadOn(request, product.id, without, { customer_document: document });
  }
  const token = query.get(LINK_TOKEN_PARAMETER);
  const opened = token && openBuyer(token);
  if (!opened) return null;
  const { product } = await loadCheckout(params);
  if (!opened.isOf(product)) return null;
  const { name, email, phone, document } = opened.buyer;
  const without = new URLSearchParams(query);
  without.delete(LINK_TOKEN_PARAMETER);
  return leadOn(request, product.id, without, {
    customer_name: name,
    customer_email: email,
    customer_phone: phone && formatPhone(phone),
    customer_document: document,
  });
}

const EMPTY: Typed = { ...readFields(new FormData()), order_bumps: undefined };

/** Nothing that was typed before is kept: it may be another person's. */
async function leadOn(
  request: Request,
  productId: number,
  query: URLSearchParams,
  linked: Partial<Typed>,
): Promise<Response> {
  query.set(RETRY_PARAMETER, "1");
  const headers = await rememberOrder(productId, { ...EMPTY, ...linked });
  return redirect(`${new URL(request.url).pathname}?${query}`, {
    headers: { ...headers, "Cache-Control": "private, no-store" },
  });
}
