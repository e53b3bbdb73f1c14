import { db } from "#app/db/client.server.ts";
import { trackingEvents } from "#app/db/schema/tracking.server.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** A state of a sale as versions before the outbox kept it for UTMify. */
export async function makeTrackedBefore(
  sale: { id: string; sellerId: string; createdAt: Date },
  fields: Partial<typeof trackingEvents.$inferInsert> = {},
): Promise<void> {
  const state = fields.state ?? "paid";
  const at = sale.createdAt.toISOString().slice(0, 19).replace("T", " ");
  const payload = {
    ...{ orderId: sale.id, platform: "Checkintelli", paymentMethod: "pix", status: state, createdAt: at },
    ...{
      approvedDate: state === "waiting_payment" ? null : at,
      refundedAt: state === "refunded" ? at : null,
    },
    customer: {
      ...{ name: "Bia Compradora", email: "bia@exemplo.com.br", phone: "11987654321" },
      ...{ document: seal("52998224725"), country: "BR" },
    },
    products: [{ id: "1", name: "Curso", planId: null, planName: null, quantity: 1, priceInCents: 9700 }],
    trackingParameters: {
      ...{ src: null, sck: null, utm_source: null, utm_campaign: null },
      ...{ utm_medium: null, utm_content: null, utm_term: null },
    },
    commission: {
      ...{ totalPriceInCents: 9700, gatewayFeeInCents: 35, userCommissionInCents: 9665, currency: "BRL" },
    },
  };
  await db.insert(trackingEvents).values({
    ...{ sellerId: sale.sellerId, saleId: sale.id, state, transactionId: "1", payload },
    ...(fields.status && fields.status !== "queued" ? { attempts: 1, attemptedAt: new Date() } : {}),
    ...fields,
  });
}
