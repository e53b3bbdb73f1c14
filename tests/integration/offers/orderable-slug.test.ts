import { expect, test } from "vitest";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const tomorrow = new Date(Date.now() + DAY);
const yesterday = new Date(Date.now() - DAY);

test.each([
  ["that has no end", {}, true],
  ["that is on sale now", { startsAt: yesterday, endsAt: tomorrow }, true],
  ["that has ended", { endsAt: yesterday }, false],
  ["that has not begun", { startsAt: tomorrow }, false],
  ["that is paused", { deactivatedAt: yesterday }, false],
  ["with one unit left", { maxUnits: 3, units: 2 }, true],
  [
    "with fewer units left than it sells at once",
    { maxUnits: 3, units: 2, minQuantity: 2, maxQuantity: 3 },
    false,
  ],
])(
  "who orders again by an offer %s is led back to it only where it can be ordered",
  async (_, fields, isOrderable) => {
    const product = await makeProduct(await makeSeller(), { checkoutSlug: `curso-${crypto.randomUUID()}` });
    const offer = await makeOffer(product, fields);
    const sale = await makeSale(product, { offerId: offer.id, offerName: offer.name });
    const { checkoutSlug } = (await showPix(sale.id))!;
    expect(checkoutSlug).toBe(isOrderable ? offer.slug : product.checkoutSlug);
  },
);
