import { describe, expect, test } from "vitest";
import { findCheckoutTerms } from "#app/domain/checkout/pay-terms.server.ts";
import { isKeyRefused } from "#app/domain/gateway/is-key-refused.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { findHands } from "#app/domain/reports/find-hands.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import { chargeOf, openRigs, openShopAt, place } from "#tests/integration/providers/support.ts";
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
  ] as const)("%s is told to the buyer, kept in the row, and a new try works", async (trouble, message) => {
    const { seller, product } = await openShopAt(rig);
    const saleId = await place(product.id);
    await rig.fail("create", trouble);
    await expect(startPix(saleId)).rejects.toThrow(message);
    expect((await stateOf(saleId)).charges).toMatchObject([{ status: "failed" }]);
    const isRefused = trouble === "credentials";
    expect(await isKeyRefused(seller.id)).toBe(isRefused);
    const hand = { hand: "key-refused", provider: expect.stringContaining(provider.label), unconfirmed: 0 };
    expect(await findHands(seller.id)).toEqual(isRefused ? [hand] : []);
    const { charge } = await chargeOf((await startPix(saleId)).chargeId);
    expect(charge.status).toBe("open");
    expect(await findHands(seller.id)).toEqual([]);
  });

  test("a lost answer is looked up where the provider can tell, and no second charge is made", async () => {
    const { product } = await openShopAt(rig);
    const saleId = await place(product.id);
    const before = await rig.codes();
    await rig.fail("create", "lost-answer");
    if (!canBeFound) await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    await startPix(saleId);
    expect((await rig.codes()) - before).toBe(canBeFound ? 1 : 2);
    const { charges } = await stateOf(saleId);
    expect(charges.map(({ status }) => status)).toEqual(canBeFound ? ["open"] : ["failed", "open"]);
  });

  test("a lost answer that cannot be looked up now is looked up at the next try", async () => {
    const { product } = await openShopAt(rig);
    const saleId = await place(product.id);
    const before = await rig.codes();
    await rig.fail("create", "lost-answer");
    if (provider.findByReference) await rig.fail("find", "no-answer", 2);
    await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    // Nor at the second try.
    if (provider.findByReference) await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    const tries = await Promise.all([startPix(saleId), startPix(saleId)]);
    expect(tries[0]).toEqual(tries[1]);
    expect((await rig.codes()) - before).toBe(canBeFound ? 1 : 2);
    expect((await stateOf(saleId)).charges).toHaveLength(canBeFound ? 1 : 2);
  });

  test("a code whose maker died is taken up where the provider can tell", async () => {
    const { product } = await openShopAt(rig);
    const saleId = await place(product.id);
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
    const saleId = await place(product.id);
    const before = await rig.codes();
    await rig.fail("create", "no-answer");
    // Where creating is idempotent it is repeated at once.
    if (!provider.isCreatingIdempotent) await expect(startPix(saleId)).rejects.toThrow(NOT_NOW);
    await startPix(saleId);
    expect((await rig.codes()) - before).toBe(1);
  });

  test("an amount the provider does not take is refused before it is asked", async () => {
    const { minimumCents, maximumCents } = provider;
    const before = await rig.calls();
    for (const [cents, words] of [
      [minimumCents - 1, "a partir de R$"],
      [maximumCents === null ? null : maximumCents + 1, "de até R$"],
    ] as const) {
      if (cents === null) continue;
      const { product } = await openShopAt(rig, cents);
      await expect(startPix(await place(product.id))).rejects.toMatchObject({
        kind: "conflict",
        message: expect.stringContaining(words),
      });
    }
    expect(await rig.calls()).toEqual(before);
    const { product } = await openShopAt(rig, minimumCents);
    await startPix(await place(product.id));
    if (maximumCents === null) return;
    const dear = await openShopAt(rig, maximumCents);
    await startPix(await place(dear.product.id));
  });

  test("a document the provider needs is asked for on the checkout, and no code is made without it", async () => {
    const { seller, product } = await openShopAt(rig);
    const settings = sql.json({ require_document: false });
    await sql`insert into checkout_customizations (seller_id, settings) values (${seller.id}, ${settings})`;
    const checkout = await findCheckoutTerms({ id: product.id });
    expect(checkout!.settings.require_document).toBe(provider.needsDocument);
    const saleId = await place(product.id, null);
    const before = await rig.calls();
    if (!provider.needsDocument) return expect(startPix(saleId)).resolves.toBeDefined();
    await expect(startPix(saleId)).rejects.toThrow("é preciso informar o CPF");
    expect(await rig.calls()).toEqual(before);
  });
});
