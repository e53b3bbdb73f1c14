import { expect, test } from "vitest";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import { listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { itemNumber, itemUuid } from "#app/domain/delivery/webhook/single-orders.server.ts";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import {
  listWebhooks,
  revealSecret,
  revealToken,
  rotateSecret,
  showWebhook,
} from "#app/domain/delivery/webhook/webhooks.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { createWebhook, listPixels, saveWebhook } from "#tests/support/rows/destinations.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { makeWebhook, receiverAt, SECRET, TOKEN } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ worker: 0 });

const form = (fields: object = {}) =>
  webhookForm.parse({ name: "CRM", url: receiverAt("settings"), events: ["sale.paid"], ...fields });

test.each([
  "http://example.com/hook",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://[::ffff:10.0.0.1]/",
  "https://169.254.169.254/latest/meta-data",
  "https://localhost:8443/",
  "https://user:pass@example.com/",
  "ftp://example.com/",
  "nonsense",
])("%s is no address for a webhook", async (url) => {
  const seller = await makeSeller();
  await expect(createWebhook(seller.id, form({ url }), undefined)).rejects.toMatchObject({ field: "url" });
  expect(await listWebhooks(seller.id)).toEqual([]);
  const saved = await makeWebhook(seller, { name: "saved" });
  const change = saveWebhook(seller.id, saved, form({ url }), undefined);
  await expect(change).rejects.toMatchObject({ field: "url" });
});

test("secret and token are stored encrypted, and shown as masks", async () => {
  const seller = await makeSeller();
  const id = await createWebhook(seller.id, form({ form: "hotmart", token: "hottok-1234" }), undefined);
  const [row] = await sql`select * from destinations where id = ${id}`;
  expect(unseal(row!.secret_sealed)).toMatch(/^whsec_.{44}$/);
  expect(unseal(row!.token_sealed)).toBe("hottok-1234");
  const view = await showWebhook(seller.id, id);
  expect(view.token).toBe("••••••••1234");
  expect(view.secret).toMatch(/^•{8}.{4}$/);
});

test("a mask keeps the token, but Hotmart's goes to no other host by it", async () => {
  const seller = await makeSeller();
  const id = await createWebhook(seller.id, form({ form: "hotmart", token: "hottok-1234" }), undefined);
  const { token } = await showWebhook(seller.id, id);
  await saveWebhook(seller.id, id, form({ form: "hotmart", token, name: "Outro" }), undefined);
  expect(await showWebhook(seller.id, id)).toMatchObject({ name: "Outro", token });
  const elsewhere = form({ form: "hotmart", token, url: "https://example.com/" });
  await expect(saveWebhook(seller.id, id, elsewhere, undefined)).rejects.toMatchObject({ field: "token" });
  // Nor does a page, which sends the mask, lead to a token that nobody can read.
  const standard = await createWebhook(seller.id, form({ form: "standard" }), undefined);
  const masked = { token: (await showWebhook(seller.id, standard)).token };
  const left = form({ form: "hotmart", ...masked, url: "https://example.com/" });
  await expect(saveWebhook(seller.id, standard, left, undefined)).rejects.toMatchObject({ field: "token" });
});

test("a token that was typed for another host in Kiwify's format is not sent in Hotmart's", async () => {
  const seller = await makeSeller();
  const id = await createWebhook(seller.id, form({ form: "kiwify", token: "tokenA12345" }), undefined);
  const { token } = await showWebhook(seller.id, id);
  const url = "https://example.com/";
  await saveWebhook(seller.id, id, form({ form: "kiwify", token, url }), undefined);
  const sent = form({ form: "hotmart", token, url });
  await expect(saveWebhook(seller.id, id, sent, undefined)).rejects.toMatchObject({ field: "token" });
  await saveWebhook(seller.id, id, form({ form: "hotmart", token: "hottok-1234", url }), undefined);
  expect((await showWebhook(seller.id, id)).token).toBe("••••••••1234");
});

test("only events that a form supports are saved, and none of them is refused", () => {
  const stored = form({ form: "kiwify", events: ["access.granted", "sale.paid", "pix.expired"] }).events;
  expect(stored).toEqual(["sale.paid"]);
  const { error } = webhookForm.safeParse({
    name: "W",
    url: "https://a.b",
    form: "kiwify",
    events: ["pix.expired"],
  });
  expect(error!.issues.map(({ path }) => path)).toEqual([["events"]]);
});

test("the seller gets a mail about a new webhook and a new address, not about another name", async () => {
  const seller = await makeSeller();
  const id = await createWebhook(seller.id, form(), undefined);
  await saveWebhook(seller.id, id, form({ name: "Outro nome" }), undefined);
  const mails = () =>
    sql`select subject from mails where seller_id = ${seller.id} and kind = 'security-notice'`;
  expect(await mails()).toHaveLength(1);
  await saveWebhook(seller.id, id, form({ url: receiverAt("elsewhere") }), undefined);
  expect(await mails()).toHaveLength(2);
});

test("another seller's products are no choice, and twenty webhooks are enough", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const product = await makeProduct(other);
  const some = form({ scope: "some", products: [product.id] });
  await expect(createWebhook(seller.id, some, undefined)).rejects.toMatchObject({ kind: "not-found" });
  for (let n = 0; n < 20; n++) await makeWebhook(seller, { name: `many-${n}` });
  await expect(createWebhook(seller.id, form(), undefined)).rejects.toMatchObject({ kind: "conflict" });
});

test("the list shows how the last message went", async () => {
  const seller = await makeSeller();
  const id = await makeWebhook(seller, { name: "last" });
  expect(await listWebhooks(seller.id)).toMatchObject([{ last: null }]);
  await testDestination("webhook", seller.id, id, "sale.paid");
  expect(await listWebhooks(seller.id)).toMatchObject([
    { failingSince: null, last: { status: "sent", responseStatus: 200 } },
  ]);
  await app.sandbox.fault({ service: "receiver", route: "last", mode: "http-500" });
  await testDestination("webhook", seller.id, id, "sale.paid");
  expect(await listWebhooks(seller.id)).toMatchObject([
    { failingSince: null, last: { status: "queued", responseStatus: 500 } },
  ]);
});

test.each([
  ["reveal", {}],
  ["rotate", {}],
  ["save", { name: "CRM", url: "https://example.com/", events: "sale.paid" }],
])("%s needs a recent sign-in", async (intent, fields) => {
  const seller = await makeSeller();
  const id = await makeWebhook(seller, { name: "guarded" });
  const headers = await signedIn(seller);
  await sql`update sessions set authenticated_at = now() - interval '11 minutes' where seller_id = ${seller.id}`;
  const body = new URLSearchParams({ intent, ...fields });
  const before = await sql`select * from destinations where id = ${id}`;
  const answer = await app.fetch(`/settings/webhooks/${id}`, {
    method: "POST",
    headers: { ...headers, Origin: app.url },
    body,
  });
  expect(answer.headers.get("location")).toBe("/confirm-identity");
  expect(await sql`select * from destinations where id = ${id}`).toEqual(before);
  expect(await answer.text()).not.toContain(SECRET);
});

test("a new webhook waits for the same, and another site's form makes none", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const fields = { name: "CRM", url: receiverAt("x"), events: "sale.paid", scope: "all", form: "standard" };
  const post = (origin: string) =>
    app.fetch("/settings/webhooks/new", {
      method: "POST",
      headers: { ...headers, Origin: origin },
      body: new URLSearchParams(fields),
    });
  expect((await post("https://elsewhere.example")).status).toBe(403);
  await sql`update sessions set authenticated_at = now() - interval '11 minutes' where seller_id = ${seller.id}`;
  expect((await post(app.url)).headers.get("location")).toBe("/confirm-identity");
  expect(await listWebhooks(seller.id)).toEqual([]);
});

test("the list has the webhooks of its seller that are not deleted, the newest first, and no other kind", async () => {
  const seller = await makeSeller();
  const [before, after] = [new Date("2026-06-01T10:00:00Z"), new Date("2026-06-02T10:00:00Z")];
  await makeWebhook(seller, { name: "Antes", createdAt: before, tokenSealed: null, stoppedAt: after });
  const id = await makeWebhook(seller, { name: "Depois", createdAt: after });
  const deleted = await makeWebhook(seller, { name: "Excluído", deletedAt: new Date() });
  const pixel = await makePixel(seller, "meta");
  const strange = await makeWebhook(await makeSeller(), { name: "De outra loja" });
  expect(await listWebhooks(seller.id)).toMatchObject([
    { name: "Depois", stopped: null, token: "••••••••oken" },
    { name: "Antes", stopped: "seller", token: "" },
  ]);
  expect((await listPixels(seller.id)).map((listed) => listed.id)).toEqual([pixel]);
  expect(await showWebhook(seller.id, id)).toMatchObject({ name: "Depois" });
  for (const other of [deleted, pixel, strange, "nonsense"])
    await expect(showWebhook(seller.id, other)).rejects.toMatchObject({ kind: "not-found" });
});

test("a changed secret is another one, and the one before is kept for a day", async () => {
  const seller = await makeSeller();
  const id = await makeWebhook(seller, { name: "rotated" });
  expect(await revealSecret(seller.id, id)).toBe(SECRET);
  await rotateSecret(seller.id, id, undefined);
  const fresh = await revealSecret(seller.id, id);
  expect(fresh).toMatch(/^whsec_.{44}$/);
  expect(fresh).not.toBe(SECRET);
  const [stored] = await sql`select previous_secret_sealed,
    previous_until > now() + interval '23 hours' as long_enough,
    previous_until <= now() + interval '24 hours' as short_enough from destinations where id = ${id}`;
  expect(unseal(stored!.previous_secret_sealed)).toBe(SECRET);
  expect([stored!.long_enough, stored!.short_enough]).toEqual([true, true]);
  expect((await showWebhook(seller.id, id)).previousUntil).toBeInstanceOf(Date);
  await sql`update destinations set previous_until = now() - interval '1 second' where id = ${id}`;
  expect((await showWebhook(seller.id, id)).previousUntil).toBeNull();
});

test("a page's form that is sent twice changes the secret once: the receiver's still signs", async () => {
  const seller = await makeSeller();
  const id = await makeWebhook(seller, { name: "rotated" });
  const headers = await signedIn(seller);
  const [secret] = (await listWebhooks(seller.id)).map((shown) => shown.secret);
  for (let times = 0; times < 2; times++)
    await app.fetch(`/settings/webhooks/${id}?tab=receber`, {
      method: "POST",
      headers: { ...headers, Origin: app.url },
      body: new URLSearchParams({ intent: "rotate", secret: secret! }),
    });
  const [stored] = await sql`select secret_sealed, previous_secret_sealed from destinations where id = ${id}`;
  expect(unseal(stored!.secret_sealed)).not.toBe(SECRET);
  expect(unseal(stored!.previous_secret_sealed)).toBe(SECRET);
  const mails =
    await sql`select subject from mails where seller_id = ${seller.id} and kind = 'security-notice'`;
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Aviso de segurança: o segredo de um webhook foi trocado",
  ]);
});

test("a token is shown to its seller alone, and none where there is none", async () => {
  const seller = await makeSeller();
  const id = await makeWebhook(seller, { name: "with-token" });
  expect(await revealToken(seller.id, id)).toBe(TOKEN);
  await expect(revealToken((await makeSeller()).id, id)).rejects.toMatchObject({ kind: "not-found" });
  await sql`update destinations set token_sealed = null where id = ${id}`;
  expect(await revealToken(seller.id, id)).toBe("");
});

test("the codes of what a seller sells are those of each format, without what is archived or another seller's", async () => {
  const seller = await makeSeller();
  const shop = async (owner: { id: string }, fields: Parameters<typeof makeProduct>[1]) => {
    const product = await makeProduct(owner, fields);
    return { product, bump: await makeBump(product), upsell: await makeUpsell(product) };
  };
  const second = await shop(seller, { name: "Violão" });
  const first = await shop(seller, { name: "Canto" });
  await shop(seller, { name: "Arquivado", archivedAt: new Date() });
  await shop(await makeSeller(), { name: "De outra loja" });
  const codes = await listCodes(seller.id);
  const listed = codes.map(({ kind, id, standard }) => [kind, id, standard]);
  expect(listed.slice(0, 2)).toEqual(
    [first, second].map(({ product: { id } }) => ["product", id, String(id)]),
  );
  const offered = [first, second].flatMap(({ bump, upsell }) => [
    ["bump", bump.id, `bump-${bump.id}`],
    ["offer", upsell.id, `offer-${upsell.id}`],
  ]);
  expect(listed.slice(2).sort()).toEqual(offered.sort());
  expect(codes.map(({ kind }) => kind)).toEqual(["product", "product", "bump", "bump", "offer", "offer"]);
  for (const { kind, id, kiwify, hotmart } of codes) {
    const item = { kind, itemId: id, id: "" };
    expect([kiwify, hotmart]).toEqual([itemUuid(item), String(itemNumber(item))]);
  }
});
