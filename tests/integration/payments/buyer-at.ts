import { newAddress } from "#tests/support/clients/client-address.ts";
import { visitor } from "#tests/support/clients/visitor.ts";

/** What Bia types into a checkout that requires everything. */
export const TYPED = {
  customer_name: "Bia Compradora",
  customer_email: "bia@exemplo.com.br",
  customer_phone: "(11) 98765-4321",
  customer_document: "529.982.247-25",
};

export type Way = "page" | "api";

/** A separate browser; `address` and `agent` are a stranger's by default, `Cookie` what it sends until it gets one. */
export function buyerAt(
  url: string,
  {
    address = newAddress(),
    agent = "Mozilla/5.0 (Android 10; K)",
    ...stored
  }: Partial<Record<"address" | "agent" | "Cookie", string>> = {},
) {
  const browser = visitor(url, { "X-Forwarded-For": address, "User-Agent": agent, ...stored });

  /** Sends an order by the page's form or the API. `sale` is its sale's id if it was accepted. */
  async function order(
    productId: number,
    {
      way = "page",
      campaign = "",
      ...fields
    }: Partial<typeof TYPED> & { way?: Way; campaign?: string; again?: string } = {},
  ) {
    const typed = { ...TYPED, ...fields };
    const query = Object.fromEntries(new URLSearchParams(campaign));
    const answer =
      way === "page"
        ? await browser.post(`/checkout/${productId}${campaign && `?${campaign}`}`, typed)
        : await browser.json("/api/payments/pushinpay", { ...typed, ...query, product_id: productId });
    const text = await answer.text();
    const sale =
      way === "page"
        ? answer.headers.get("location")?.split("/").at(-1)
        : answer.ok
          ? (JSON.parse(text) as { sale_id?: string }).sale_id
          : undefined;
    return { answer, text, status: answer.status, sale };
  }

  return { ...browser, order };
}
