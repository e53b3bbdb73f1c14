import { expect, test } from "vitest";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import {
  createMemberArea,
  createPixel,
  createWebhook,
  memberForm,
  pixelForm,
} from "#tests/support/rows/destinations.ts";
import { makeWebhook, receiverAt } from "#tests/support/rows/make-webhook.ts";

await startApp({ web: 0, worker: 0 });

const webhook = () => webhookForm.parse({ name: "CRM", url: receiverAt("twenty"), events: ["sale.paid"] });
const pixel = () =>
  pixelForm.parse({
    name: "Meta",
    kind: "meta",
    pixel_id: "1234567890123456",
    token: "sandbox-EAAG1",
    events: ["sale.paid"],
  });

const area = () =>
  memberForm.parse({ name: "Escola", kind: "cademi", area: "minha-escola", token: "sandbox-token" });

test.each([
  ["webhooks", (sellerId: string) => createWebhook(sellerId, webhook(), undefined)],
  ["pixels", (sellerId: string) => createPixel(sellerId, pixel(), undefined)],
  ["member areas", (sellerId: string) => createMemberArea(sellerId, area(), undefined)],
  ["keys", (sellerId: string) => createApiKey(sellerId, { name: "CRM", scopes: ["read"] })],
])("creating %s at once stops at twenty", async (_, make) => {
  const { id } = await makeSeller();
  const made = await Promise.allSettled(Array.from({ length: 24 }, () => make(id)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  await expect(make(id)).rejects.toMatchObject({ kind: "conflict" });
});

test("the twenty are those of one seller and one family that are not deleted", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await makeWebhook(seller, { name: `twenty-${n}` }));
  const another = () => createWebhook(seller.id, webhook(), undefined);
  await expect(another()).rejects.toMatchObject({ kind: "conflict" });
  await createWebhook(other.id, webhook(), undefined);
  await createPixel(seller.id, pixel(), undefined);
  await sql`update destinations set deleted_at = now(), stopped_at = now(), stopped_reason = 'seller' where id = ${ids[0]!}`;
  await another();
  await expect(another()).rejects.toMatchObject({ kind: "conflict" });
});
