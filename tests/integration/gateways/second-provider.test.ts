import { beforeAll, expect, test } from "vitest";
import { askProvider } from "#app/domain/payments/ask-provider.server.ts";
import { providers } from "#app/domain/payments/providers/index.server.ts";
import { requestRefund } from "#app/domain/payments/request-refund.server.ts";
import { showPix } from "#app/domain/payments/show-pix.server.ts";
import { takeWebhook } from "#app/domain/payments/take-webhook.server.ts";
import { buy } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { secondBank, secondProvider } from "#tests/support/second-provider.ts";

beforeAll(() => {
  providers[secondProvider.name] = secondProvider;
});

test("a second provider is one file and one line: charge, notice, settlement and refund work as they are", async () => {
  const seller = await makeSeller();
  const gateway = await makeGateway(seller, { provider: "segundo", apiKey: "segundo-banco" });
  const product = await makeProduct(seller);
  const { saleId, chargeId, providerId } = await buy(product.id);
  expect(providerId).toMatch(/^seg-/);
  expect((await showPix(saleId))!.charge).toMatchObject({ status: "open", notice: null });

  const payment = secondBank.get(providerId)!;
  expect(payment.webhookUrl).toContain(`/api/webhooks/segundo/${gateway.hookToken}?charge=`);
  payment.state = "paid";
  const news = (what: string) => ({
    provider: "segundo",
    hookToken: gateway.hookToken,
    reference: null,
    body: JSON.stringify({ pix: { ref: providerId, what } }),
    header: () => null,
  });
  expect(await takeWebhook(news("paid"))).toBe("taken");
  expect(await askProvider(chargeId)).toMatchObject({ outcome: "settled" });
  const [charge] = await sql`select status, fee_cents from charges where id = ${chargeId}`;
  expect(charge).toMatchObject({ status: "paid", fee_cents: 99 });

  expect(await requestRefund(seller.id, chargeId)).toEqual({ status: "pending" });
  expect(await takeWebhook(news("devolvido"))).toBe("taken");
  expect(await askProvider(chargeId)).toMatchObject({ outcome: "refunded" });
  const [sale] = await sql`select status from sales where id = ${saleId}`;
  expect(sale!.status).toBe("refunded");
});
