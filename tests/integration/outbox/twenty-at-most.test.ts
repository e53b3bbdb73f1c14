import { expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { memberForm } from "#app/domain/outbox/members/member-form.server.ts";
import { createMemberArea } from "#app/domain/outbox/members/save-member-area.server.ts";
import { pixelForm } from "#app/domain/outbox/pixel/pixel-form.server.ts";
import { createPixel } from "#app/domain/outbox/pixel/save-pixel.server.ts";
import { createWebhook } from "#app/domain/outbox/webhook/save-webhook.server.ts";
import { webhookForm } from "#app/domain/outbox/webhook/webhook-form.server.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSeller } from "#tests/support/make.ts";
import { receiverAt } from "#tests/support/rows/make-webhook.ts";

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
])("who makes %s at once has twenty in the end", async (_, make) => {
  const { id } = await makeSeller();
  const made = await Promise.allSettled(Array.from({ length: 24 }, () => make(id)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  await expect(make(id)).rejects.toMatchObject({ kind: "conflict" });
});
