import { describe, expect, test } from "vitest";
import { findCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import {
  chargeOf,
  openRigs,
  openShopAt,
  orderAt,
  webhookUrlOf,
} from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";

const NOT_NOW = "Não conseguimos gerar o PIX agora";

describe.each(await openRigs())("making a code at %s", (_, rig) => {
  const { provider } = rig;
  const canBeFound = provider.findByReference !== null || provider.isCreatingIdempotent;

  test.each([
    ["credentials", "revisar a conexão"],
    ["busy", NOT_NOW],
    ["refused", "O PIX foi recusado"],
    ["nonsense", NOT_NOW],
  ] as const)(
    "%s is reported to the buyer, stored in the row, and a new attempt works",
    async (trouble, message) => {
      const { seller, product } = await openShopAt(rig);
      const saleId = await orderAt(product.id);
      await rig.fail("create", trouble);
      await expect(startPix(saleId)).rejects.toThrow(message);
      expect((await stateOf(saleId)).charges).toMatchObject([{ status: "failed" }]);
      const isRefused = trouble === "credentials";
      expect(await findRefusedAccounts(seller.id)).toEqual(isRefused ? [provider.name] : []);
      const actionItem = {
        kind: "key-refused",
        provider: expect.stringContaining(provider.label),
        hasSpare: false,
        stopsCards: false,
        unconfirmed: 0,
      };
      expect(await findActionItems(seller.id)).toEqual(isRefused ? [actionItem] : []);
      const { charge } = await chargeOf((await startPix(saleId)).chargeId);
      expect(charge.status).toBe("open");
      expect(await findActionItems(seller.id)).toEqual([]);
    },
  );

  test.runIf(provider.cancelCharge)(
    "an unpaid charge is cancelled at the provider, a paid one is not",
    async () => {
      const { gateway } = await openShopAt(rig);
      const credentials = { apiKey: rig.apiKey };
      const create = async () => {
        const payer = { name: "Bia", email: "bia@exemplo.com.br", document: "52998224725" };
        const asked = { amountCents: 100, reference: crypto.randomUUID(), payer };
        const webhookUrl = webhookUrlOf(rig, gateway);
        return (await provider.createCharge(credentials, { ...asked, webhookUrl })).providerId;
      };
      const cancel = (id: string) => provider.cancelCharge!(credentials, id);
      const open = await create();
      await cancel(open);
      expect((await provider.findTransaction(credentials, open))!.state).toBe("cancelled");
      await expect(cancel(open)).rejects.toMatchObject({ kind: "refused" });
      const paid = await create();
      await rig.pay(paid);
      await expect(cancel(paid)).rejects.toMatchObject({ kind: "refused" });
      expect((await provider.findTransaction(credentials, paid))!.state).toBe("paid");
      await expect(provider.cancelCharge!({ apiKey: "outra" }, open)).rejects.toMatchObject({
        kind: "credentials",
      });
    },
  );

  test("a lost answer is looked up if the provider supports it, and no second charge is made", async () => {
    const { product } = await openShopAt(rig);
    const saleId = await orderAt(product.id);
    const before = await rig.codes();
    await rig.fail("create", "lost-answer");
    if (!canBeFound) await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    await startPix(saleId);
    expect((await rig.codes()) - before).toBe(canBeFound ? 1 : 2);
    const { charges } = await stateOf(saleId);
    expect(charges.map(({ status }) => status)).toEqual(canBeFound ? ["open"] : ["failed", "open"]);
  });

  test("a lost answer that cannot be looked up now is looked up at the next attempt", async () => {
    const { product } = await openShopAt(rig);
    const saleId = await orderAt(product.id);
    const before = await rig.codes();
    await rig.fail("create", "lost-answer");
    if (provider.findByReference) await rig.fail("find", "no-answer", 2);
    await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    // Nor at the second attempt.
    if (provider.findByReference) await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    const attempts = await Promise.all([startPix(saleId), startPix(saleId)]);
    expect(attempts[0]).toEqual(attempts[1]);
    expect((await rig.codes()) - before).toBe(canBeFound ? 1 : 2);
    expect((await stateOf(saleId)).charges).toHaveLength(canBeFound ? 1 : 2);
  });

  test("a code whose process died is continued if the provider can be checked", async () => {
    const { product } = await openShopAt(rig);
    const saleId = await orderAt(product.id);
    const { chargeId } = await startPix(saleId);
    const before = await rig.codes();
    await sql`update charges set status = 'creating', provider_id = null, pix_code = null, expires_at = null,
      creating_until = now() - interval '1 second' where id = ${chargeId}`;
    const again = await startPix(saleId);
    expect(again.chargeId === chargeId).toBe(canBeFound);
    expect((await rig.codes()) - before).toBe(canBeFound ? 0 : 1);
  });

  test("a request that never arrived is made good without a second charge", async () => {
    const { product } = await openShopAt(rig);
    const saleId = await orderAt(product.id);
    const before = await rig.codes();
    await rig.fail("create", "no-answer");
    // If creating is idempotent it is repeated at once.
    if (!provider.isCreatingIdempotent) await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    await startPix(saleId);
    expect((await rig.codes()) - before).toBe(1);
  });

  test("an amount the provider does not accept is refused before it is called", async () => {
    const { minimumCents, maximumCents } = provider;
    const before = await rig.calls();
    for (const [cents, text] of [
      [minimumCents - 1, "a partir de R$"],
      [maximumCents === null ? null : maximumCents + 1, "de até R$"],
    ] as const) {
      if (cents === null) continue;
      const { product } = await openShopAt(rig, cents);
      await expect(startPix(await orderAt(product.id))).rejects.toMatchObject({
        kind: "conflict",
        message: expect.stringContaining(text),
      });
    }
    expect(await rig.calls()).toEqual(before);
    const { product } = await openShopAt(rig, minimumCents);
    await startPix(await orderAt(product.id));
    if (maximumCents === null) return;
    const dear = await openShopAt(rig, maximumCents);
    await startPix(await orderAt(dear.product.id));
  });

  test("a document the provider needs is required on the checkout, and no code is made without it", async () => {
    const { seller, product } = await openShopAt(rig);
    const settings = sql.json({ require_document: false, require_email: false });
    await sql`insert into checkout_customizations (seller_id, settings) values (${seller.id}, ${settings})`;
    const checkout = await findCheckoutTerms({ id: product.id });
    expect(checkout!.settings.require_document).toBe(provider.needsDocument);
    expect(checkout!.settings.require_email).toBe(provider.needsEmail);
    const saleId = await orderAt(product.id, null);
    const before = await rig.calls();
    if (!provider.needsDocument) return expect(startPix(saleId)).resolves.toBeDefined();
    await expect(startPix(saleId)).rejects.toThrow("é preciso informar o CPF");
    expect(await rig.calls()).toEqual(before);
  });
});
