import { expect, test } from "vitest";
import { buildPurchaseUrl, createPurchaseKey, isPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";

const [SALE, OTHER] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const BIA = "bia@exemplo.com.br";

test("a purchase's key is valid for the sale and the address that it was mailed to, and no other text is", () => {
  const key = createPurchaseKey(SALE, BIA);
  expect(isPurchaseKey(key, SALE, BIA)).toBe(true);
  expect(isPurchaseKey(key, OTHER, BIA)).toBe(false);
  expect(isPurchaseKey(key, SALE, "caio@exemplo.com.br")).toBe(false);
  for (const wrong of ["", "x", key.slice(1)]) expect(isPurchaseKey(wrong, SALE, BIA)).toBe(false);
});

test("a purchase's mailed address carries the key of its e-mail; without an e-mail there is none", () => {
  const address = `/thank-you/${SALE}`;
  expect(buildPurchaseUrl({ id: SALE }, null)).toMatch(new RegExp(`${address}$`));
  const key = createPurchaseKey(SALE, BIA);
  expect(buildPurchaseUrl({ id: SALE }, BIA)).toContain(`${address}?chave=${encodeURIComponent(key)}`);
});
