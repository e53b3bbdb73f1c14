import { randomUUID } from "node:crypto";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import * as api from "#app/routes/api/payments/pushinpay.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import * as upsell from "#app/routes/buyer/upsell.tsx";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { makeSale, makeUpsell } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

/** A shop with a buyer who has paid for one product and sees its upsell. Product and upsell cost R$ 97,00. */
export type Scene = Awaited<ReturnType<typeof openScene>>;

export async function openScene() {
  const shop = await openShop();
  const offer = await makeUpsell(shop.product, { priceCents: shop.product.priceCents });
  const customerEmail = `bia-${randomUUID()}@exemplo.com.br`;
  const parent = await makeSale(shop.product, { status: "completed", customerEmail });
  await startNextUpsell({ sellerId: parent.sellerId, saleId: parent.id, productId: shop.product.id });
  return { ...shop, offer, parent, typed: typedBuyer(customerEmail), client: newAddress() };
}

/** What an order contains besides the buyer's data. */
export type Sent = {
  fields?: Record<string, string>;
  bump?: number;
  /** The prices the buyer saw. */
  seen?: string;
  /** The guarantee they saw, in days. */
  guarantee?: number;
  /** The coupon's code. */
  coupon?: string;
  /** The slug of the offer whose address they opened, and how many units they want. */
  offer?: string;
  quantity?: string;
  /** When the countdown they saw ends. */
  timer?: number;
  /** The browser knows the buyer's earlier purchase. */
  known?: boolean;
  again?: boolean;
};

/** `code` names the rule if the route returns it; `words` is the visible message; `sale` is its sale's id if it was accepted. */
type OrderAnswer = {
  status: number;
  words: string;
  code: string | null;
  sale: string | null;
  retryAfter: number;
};

export type OrderRoute = {
  /** The route, as the app's files name it. */
  file: string;
  sells: "product" | "offer";
  /** Whether the answer to a "no" is the form, as it was sent. */
  keepsForm: boolean;
  knock(scene: Scene, sent?: Sent): Promise<OrderAnswer>;
};

/** Every way to place an order. A route that places orders and is not here fails a test. */
export const ORDER_ROUTES: Record<string, OrderRoute> = {
  page: {
    file: "app/routes/buyer/checkout.tsx",
    sells: "product",
    keepsForm: true,
    knock: async (scene, sent = {}) => {
      const body = new URLSearchParams({ ...scene.typed, ...sent.fields });
      if (sent.bump) body.set("order_bumps", String(sent.bump));
      if (sent.seen) body.set("seen_prices", sent.seen);
      if (sent.guarantee) body.set("seen_guarantee", String(sent.guarantee));
      if (sent.timer) body.set("offer_ends_in", String(Math.round(sent.timer - Date.now())));
      if (sent.again) body.set("again", "1");
      if (sent.coupon) body.set("coupon", sent.coupon);
      if (sent.quantity) body.set("quantity", sent.quantity);
      const productId = String(scene.product.id);
      return heardOnPage(
        await call(checkout, sent.offer ? `/checkout/s/${sent.offer}` : `/checkout/${productId}`, {
          method: "POST",
          params: sent.offer ? { slug: sent.offer } : { productId },
          headers: await headersOf(scene, sent),
          body,
        }),
      );
    },
  },
  api: {
    file: "app/routes/api/payments/pushinpay.ts",
    sells: "product",
    keepsForm: false,
    knock: async (scene, sent = {}) => {
      const body = {
        ...scene.typed,
        ...sent.fields,
        product_id: scene.product.id,
        ...(sent.bump ? { order_bumps: [sent.bump] } : {}),
        ...(sent.seen ? { seen_prices: sent.seen } : {}),
        ...(sent.guarantee ? { seen_guarantee: sent.guarantee } : {}),
        ...(sent.timer ? { offer_expires_at: sent.timer } : {}),
        ...(sent.again ? { again: true } : {}),
        ...(sent.coupon ? { coupon: sent.coupon } : {}),
        ...(sent.offer ? { offer: sent.offer } : {}),
        ...(sent.quantity ? { quantity: Number(sent.quantity) } : {}),
      };
      const headers = await headersOf(scene, sent);
      const answer = await call(api, "/api/payments/pushinpay", { method: "POST", headers, body });
      const { error, code, sale_id } = (await answer.json()) as Record<string, string | undefined>;
      const sale = answer.ok ? (sale_id ?? null) : null;
      return { ...readAnswer(answer), words: error ?? "", code: code ?? null, sale };
    },
  },
  "upsell page": {
    file: "app/routes/buyer/upsell.tsx",
    sells: "offer",
    keepsForm: false,
    knock: async (scene, sent = {}) => {
      const productId = String(scene.product.id);
      return heardOnPage(
        await call(upsell, `/upsell/${productId}?sale=${scene.parent.id}`, {
          method: "POST",
          params: { productId },
          headers: await headersOf(scene, sent),
          body: answerTo(scene, sent),
        }),
      );
    },
  },
  "thank-you page": {
    file: "app/routes/buyer/thank-you.tsx",
    sells: "offer",
    keepsForm: false,
    knock: async (scene, sent = {}) => {
      const saleId = scene.parent.id;
      return heardOnPage(
        await call(thankYou, `/thank-you/${saleId}`, {
          method: "POST",
          params: { saleId },
          headers: await headersOf(scene, sent),
          body: answerTo(scene, sent),
        }),
      );
    },
  },
};

function answerTo({ offer }: Scene, { seen }: Sent): URLSearchParams {
  return new URLSearchParams({
    intent: "accept",
    offer: String(offer.id),
    ...(seen ? { seen_prices: seen } : {}),
  });
}

async function headersOf({ client, parent }: Scene, { known }: Sent): Promise<Record<string, string>> {
  const cookie = known && (await rememberSale(new Request("http://localhost"), parent.id))[0]!.split(";")[0]!;
  return { "X-Forwarded-For": client, "User-Agent": "test", ...(cookie ? { Cookie: cookie } : {}) };
}

function readAnswer(answer: Response) {
  return { status: answer.status, retryAfter: Number(answer.headers.get("Retry-After")) };
}

async function heardOnPage(answer: Response): Promise<OrderAnswer> {
  const sale = answer.headers.get("location")?.match(/\/checkout\/pix\/([0-9a-f-]{36})/)?.[1] ?? null;
  return { ...readAnswer(answer), words: await answer.text(), code: null, sale };
}
