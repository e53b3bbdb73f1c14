import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { CANNOT_PAY, NO_PAYMENTS } from "#app/domain/gateway/cannot-pay.ts";
import { gatewayColumns, isAccountOf, listGateways } from "#app/domain/gateway/find-gateway.server.ts";
import { type AmountLimits, OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { describeIncompletePayer } from "#app/domain/pix/prepare-charge.server.ts";
import { storefrontColumns, toStorefront } from "#app/domain/storefront/find-storefront.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * What an upsell of a purchase is paid on. `guaranteeDays`: null where its seller gives none; `warning`: a text that the provider
 * obliges the seller to show; `limits`: the amounts of a PIX at the account that takes the purchase's buyer.
 */
type UpsellTerms = { guaranteeDays: number | null; warning: string | null; limits: AmountLimits };

/**
 * The terms of an upsell, which is paid by PIX with the data of the purchase before it.
 * @returns the refusal where no PIX can be created for it now, whatever it costs
 */
export async function findUpsellTerms(saleId: string): Promise<UpsellTerms | OrderRefusal> {
  // One row for each of the seller's enabled accounts.
  const rows = await db
    .select({
      email: sales.customerEmail,
      document: sales.customerDocumentSealed,
      shop: storefrontColumns,
      account: gatewayColumns,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .leftJoin(gatewayAccounts, isAccountOf(sellers.id))
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(eq(sales.id, saleId));
  const [sale] = rows;
  if (!sale) throw notFound("A venda especificada não foi encontrada.");
  const { settings } = toStorefront(sale.shop);
  if (!settings.enable_pix) return new OrderRefusal("pix-off", NO_PAYMENTS);
  const providers = listGateways(rows.map(({ account }) => account)).map(({ provider }) => provider);
  const [first] = providers;
  if (!first) return new OrderRefusal("no-gateway", CANNOT_PAY);
  const lackFor = (provider: typeof first) => describeIncompletePayer(provider, sale, { isUpsell: true });
  const accepting = providers.find((provider) => lackFor(provider) === null);
  if (!accepting) return new OrderRefusal("fields", lackFor(first)!, { field: "customer_email" });
  const { warning, minimumCents, maximumCents } = accepting;
  return {
    guaranteeDays: settings.guarantee_days,
    warning,
    limits: { minimumCents, maximumCents },
  };
}
