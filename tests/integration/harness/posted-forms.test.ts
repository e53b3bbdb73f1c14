import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { MAX_FORM_FILE_BYTES } from "#app/domain/content/limits.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { type Call, call, type RouteModule } from "#tests/support/routes/call.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

/** A form may be as long as its schema, once encoded; the others are for strangers or short. */
const LONG_FORMS = [
  "/settings/email/preview",
  "/settings/email",
  "/settings/utmfy",
  "/checkout-customization/preview",
  "/thank-you-customization/preview",
  "/coupons/create",
  "/coupons/:couponId/edit",
  "/settings/webhooks/new",
  "/settings/webhooks/:webhookId",
  "/settings/pixels/new",
  "/settings/pixels/:pixelId",
  "/settings/member-areas/new",
  "/settings/member-areas/:areaId",
];
/** A file comes with it where no script runs. */
const WITH_FILE = [
  "/products/:productId/content",
  "/reports/import",
  "/products/create",
  "/products/:productId/edit",
  "/checkout-customization",
  "/thank-you-customization",
];
/** Their posts have no fields, or go elsewhere. */
const WITHOUT_FIELDS = [
  "/logout",
  "/confirm-email/:token",
  "/reminders/:saleId/:signature",
  "/refused",
  "/checkout/visita",
  "/checkout/csp",
  "/minhas-compras/entrar/:token",
  "/minhas-compras/:saleId",
  "/purchase-email/:saleId/:token",
];
const KB = 1024;

type Posting = {
  address: string;
  post: (body: Call["body"], headers?: Call["headers"]) => Promise<Response>;
};
let posting: Posting[];

beforeAll(async () => {
  const seller = await makeSeller();
  const cookie = await signedIn(seller);
  const product = await makeProduct(seller, { checkoutSlug: "violao" });
  const sale = await makeSale(product, { status: "completed" });
  await makeCharge(sale, { status: "paid" });
  const params: Record<string, string> = {
    productId: String(product.id),
    slug: "violao",
    saleId: sale.id,
    provider: "mercadopago",
    token: "x",
  };
  const pages = (await routeTable()).filter(({ file }) => !file.startsWith("routes/api/"));
  const found = await Promise.all(
    pages.map(async ({ address, file }): Promise<Posting> => {
      const route: RouteModule = await import(/* @vite-ignore */ pathToFileURL(resolve("app", file)).href);
      const path = address.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "x");
      const post: Posting["post"] = (body, headers) =>
        call(route, `${path}?sale=${sale.id}`, {
          method: "POST",
          params,
          body,
          headers: { ...cookie, ...headers },
        });
      return { address, post };
    }),
  );
  const accepts = await Promise.all(
    found.map(
      async ({ address, post }) => !WITHOUT_FIELDS.includes(address) && (await post({})).status !== 405,
    ),
  );
  posting = found.filter((_, at) => accepts[at]);
});

test("every page with a POST answers 400 to a body that is no form", async () => {
  expect(posting.length).toBeGreaterThan(25);
  const answers = [];
  for (const { address, post } of posting) {
    const json = await post({ intent: "save" });
    const cut = await post(new URLSearchParams({ a: "b" }), {
      "Content-Type": "multipart/form-data; boundary=none",
    });
    answers.push([address, json.status, cut.status]);
  }
  expect(answers).toEqual(posting.map(({ address }) => [address, 400, 400]));
});

test("every page that is posted to answers 413 to more than its form can be", async () => {
  const answers = [];
  for (const { address, post } of posting) {
    const limit = WITH_FILE.includes(address)
      ? MAX_FORM_FILE_BYTES + 256 * KB
      : (LONG_FORMS.includes(address) ? 2048 : 64) * KB;
    const over = await post(new URLSearchParams({ a: "b".repeat(limit) }));
    answers.push([address, over.status]);
  }
  expect(answers).toEqual(posting.map(({ address }) => [address, 413]));
});

test("a buyer without a script whose form was too long reads what to do", async () => {
  const { post } = posting.find(({ address }) => address === "/reembolso")!;
  const html = await (await post(new URLSearchParams({ email: "a".repeat(70 * KB) }))).text();
  expect(html).toContain("Volte à página anterior, encurte o texto mais longo e envie de novo.");
});

test("a seller's long form is read whole", async () => {
  const { post } = posting.find(({ address }) => address === "/settings/email/preview")!;
  // The longest body a template may have, of characters that take six bytes each when encoded.
  const html_content = `{{customer_name}}${"é".repeat(199_983)}`;
  const answer = await post(
    new URLSearchParams({ sender_name: "Loja", sender_email: "", subject: "Oi", html_content }),
  );
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("é".repeat(1000));
});
