import { beforeAll, expect, test } from "vitest";
import { addItem } from "#app/domain/content/save-item.server.ts";
import { beginUpload } from "#app/domain/content/upload.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { beginPicture } from "#app/domain/picture/begin-picture.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { curlText, type ExampleValues, exampleRequest } from "#app/server/openapi/example.server.ts";
import { apiOperations, apiRoutes } from "#tests/integration/api/api-description.ts";
import { type App, startApp } from "#tests/support/app.ts";
import {
  makeCharge,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  signedIn,
} from "#tests/support/make.ts";
import { expectPublished } from "#tests/support/routes/call.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const all = await apiOperations();
const modules = new Map((await apiRoutes()).map(({ address, module }) => [address, module]));
const PASSWORD = "uma senha comprida";
let app: App;
let passwordHash: string;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
  passwordHash = await hashPassword(PASSWORD);
});

async function openShop(): Promise<ExampleValues> {
  const seller = await makeSeller({ passwordHash });
  await makeGateway(seller);
  await makeTracking(seller);
  const slug = `curso-${seller.id.slice(0, 8)}`;
  const product = await makeProduct(seller, { checkoutSlug: slug });
  const sale = await makeSale(product, {
    status: "completed",
    customerDocumentSealed: seal("52998224725"),
  });
  const charge = await makeCharge(sale, { status: "paid" });
  const webhook = await makeWebhook(seller, { name: `exemplo-${seller.id}` });
  return {
    PRODUCT: String(product.id),
    SLUG: slug,
    OFFER: (await makeOffer(product)).id,
    COUPON: (await makeCoupon(seller)).id,
    SALE: sale.id,
    PAYMENT: charge.id,
    // As many bytes as the example sends.
    UPLOAD: await beginUpload(seller.id, {
      productId: product.id,
      owner: { kind: "product", id: product.id },
      name: "apostila.pdf",
      size: "os bytes do arquivo".length,
    }),
    ITEM: await addItem(
      seller.id,
      product.id,
      { kind: "product", id: product.id },
      { kind: "link", name: "Grupo", url: "https://exemplo.com.br/grupo" },
    ),
    WEBHOOK: webhook,
    DELIVERY: await makeDelivery(seller, webhook, { saleId: sale.id }),
    PICTURE: await beginPicture(seller.id, { use: "product", name: "capa.jpg", size: 1000 }),
    EMAIL: seller.email,
    PASSWORD,
    KEY: await createApiKey(seller.id, { name: "Exemplos", scopes: [...SCOPES] }),
    SESSION: (await signedIn(seller)).Cookie,
  };
}

let shared: Promise<ExampleValues> | undefined;
/** Each example gets its own shop, as some delete things; those that only read share one. */
function shopFor(method: string): Promise<ExampleValues> {
  if (method !== "GET") return openShop();
  shared ??= openShop();
  return shared;
}

/** The request a shell would send: method, address, headers and body. */
function readCurl(text: string, file: string | null): [url: string, init: RequestInit] {
  const quoted = (option: string) =>
    [...text.matchAll(new RegExp(`${option} '([^']*)'`, "g"))].map(([, inside]) => inside!);
  const method = /-X ([A-Z]+)/.exec(text)?.[1] ?? "GET";
  const url = /^curl (?:-X [A-Z]+ )?'([^']*)'/.exec(text)![1]!;
  const headers = quoted("-H").map((line) => line.split(": ", 2) as [string, string]);
  const body = text.endsWith("--data-binary @arquivo") ? (file ?? "") : quoted("-d")[0];
  return [url, { method, headers, ...(body === undefined ? {} : { body }) }];
}

const documented = all.filter(({ spec: says }) => says.example);

test("every method has an example, but for those that outside services call", () => {
  const without = all.filter(({ spec: says }) => !says.example).map(({ address }) => address);
  expect(without.filter((address) => !address.startsWith("/api/webhooks/"))).toEqual([]);
});

test.each(documented)("the example of $method $address works as printed", async (operation) => {
  const request = exampleRequest(operation, app.url, await shopFor(operation.method))!;
  const text = curlText(request);
  expect(text).not.toContain("$");
  const [url, init] = readCurl(text, request.body);
  expect([url, init.method, init.body ?? null]).toEqual([request.url, request.method, request.body]);
  const answer = await app.fetch(url, init);
  expect(answer.status, await answer.clone().text()).toBe(operation.spec.status ?? 200);
  await expectPublished(modules.get(operation.address)!, operation.method, answer);
  if (operation.spec.rateLimited === true)
    expect(Number(answer.headers.get("ratelimit-remaining"))).toBeGreaterThan(0);
});
