import { inPortal } from "#tests/integration/buyer/support.ts";
import { type Cart, cart } from "#tests/integration/orders/carts/cart.ts";
import { checkCustomization } from "#tests/integration/orders/carts/checkout-views.ts";
import { openCartShop } from "#tests/integration/orders/carts/open-cart-shop.ts";
import type { PlacedSale } from "#tests/integration/orders/carts/placed-sale.ts";
import { named, playCart } from "#tests/integration/orders/carts/play-cart.ts";
import { checkPrograms } from "#tests/integration/orders/carts/program-views.ts";
import { checkRefundedShop, refundSale } from "#tests/integration/orders/carts/refunded-views.ts";
import { PAID_VIEWS } from "#tests/integration/orders/carts/sale-views.ts";
import { SHOP_VIEWS } from "#tests/integration/orders/carts/shop-views.ts";
import { fc, RANDOM_SEED } from "#tests/support/random.ts";

/** Reports list as many products: more would be summed up as others. */
const PER_SHOP = 20;
/** How many carts a shorter example is searched with, after a failure. */
const MOST_SHORTENED = 25;

/** How many orders were of each kind. */
export type Played = Record<"refused" | "free" | "paid" | "upsells" | "refunded", number>;

/**
 * Plays that many random carts, in shops of twenty, and refunds what was paid, in full or in parts. A failure reports the seed
 * and the shortest failing cart: those of the failed shop are played again one by one, each in a shop of its own.
 * @param parts of long lists of which each sale shows one: see `inTurn`
 */
export async function holdForCarts(runs: number, parts = 1): Promise<Played> {
  const seed = RANDOM_SEED;
  const count = Number(process.env.CARTS ?? runs);
  const played: Played = { refused: 0, free: 0, paid: 0, upsells: 0, refunded: 0 };
  for (let done = 0; done < count; done += PER_SHOP) {
    const ofShop = { seed: seed + done, numRuns: Math.min(PER_SHOP, count - done) };
    const failure = await playShop(fc.sample(cart, ofShop), parts, played).catch((error: unknown) => error);
    if (failure) throw await shorten(failure, ofShop);
  }
  return played;
}

async function shorten(failure: unknown, ofShop: { seed: number; numRuns: number }): Promise<Error> {
  let shortened = -1;
  const property = fc.asyncProperty(cart, async (one) => {
    if (shortened >= 0 && ++shortened > MOST_SHORTENED) return;
    await playShop([one], 1).catch((error: unknown) => {
      shortened = Math.max(0, shortened);
      throw error;
    });
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, ofShop);
  const again = `RANDOM_SEED=${ofShop.seed} CARTS=${ofShop.numRuns}`;
  if (!failed) return new Error(`${again}, only together: ${wordsOf(failure)}`, { cause: failure });
  const words = `${again}: ${wordsOf(errorInstance)}\nThe cart: ${JSON.stringify(counterexample?.[0])}`;
  return new Error(words, { cause: errorInstance });
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Plays carts in one shop, all at once, and compares every view of their sales. */
async function playShop(carts: Cart[], parts: number, played?: Played): Promise<void> {
  const shop = await openCartShop(carts);
  // Before any offer is sold out.
  await checkCustomization(shop);
  const unread = (await all(shop.carts, (one) => playCart(one))).flat();
  const portal = unread.length > 0 ? await inPortal(shop.email) : {};
  const sales = unread.map((sale, at): PlacedSale => ({ ...sale, portal, turn: { at, of: parts } }));
  await all(sales, async (sale) => {
    for (const [view, read] of Object.entries(PAID_VIEWS)) await named(view, () => read(sale));
    await named("programs", () => checkPrograms(sale));
  });
  if (sales.length === 0) return;
  await all(Object.entries(SHOP_VIEWS), ([view, read]) => named(view, () => read({ ...shop, sales })));
  const refunded = await all([...sales.entries()], ([at, sale]) => refundSale(sale, at));
  const returned = refunded.filter((sale) => sale !== null);
  await named("after refunds", () => checkRefundedShop({ ...shop, sales }, returned));
  if (!played) return;
  played.refunded += returned.length;
  played.refused += shop.carts.filter(({ expected }) => expected.order.kind === "refused").length;
  played.upsells += sales.filter(({ parentId }) => parentId).length;
  for (const { order, parentId } of sales) if (!parentId) played[order.kind]++;
}

/**
 * Four at a time: more would wait for a connection longer than a busy process lets them.
 * @throws the first failure, once none of them is at work any more
 */
async function all<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const waiting = [...items.entries()];
  const workOn = async () => {
    for (let next = waiting.shift(); next && failures.length === 0; next = waiting.shift()) {
      const [at, item] = next;
      await work(item).then(
        (result) => {
          results[at] = result;
        },
        (error: unknown) => {
          failures.push(error);
        },
      );
    }
  };
  await Promise.all([workOn(), workOn(), workOn(), workOn()]);
  if (failures.length > 0) throw failures[0];
  return results;
}
