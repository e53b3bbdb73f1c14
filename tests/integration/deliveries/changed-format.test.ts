import { expect, test } from "vitest";
import { resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { FORMS, type WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { deliveriesOf, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { saveWebhook } from "#tests/support/rows/destinations.ts";
import { makeWebhook, receiverAt, TOKEN } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

const CPF = "52998224725";
const CUSTOMER = { name: "Ana Souza", email: "ana@exemplo.com.br", phone: null, document: CPF };

/** A PIX of product and bump that a webhook's receiver refused. */
async function refusedAt(
  name: string,
  form: WebhookForm,
  withDocument: boolean,
  document: string | null = CPF,
) {
  const { seller, product, bump } = await openShop();
  const webhook = await makeWebhook(seller, { name, form, withDocument, events: ["pix.generated"] });
  const { saleId } = await buy(product.id, { customer: { ...CUSTOMER, document }, bumpIds: [bump.id] });
  await app.sandbox.fault({ service: "receiver", route: name, mode: "status-404" });
  await sendQueued(webhook, saleId);
  const save = (to: WebhookForm, with_document: boolean) => {
    const fields = { name, url: receiverAt(name), events: ["pix.generated"], token: TOKEN };
    const typed = webhookForm.parse({ ...fields, form: to, with_document });
    return saveWebhook(seller.id, webhook, typed, undefined);
  };
  /** Sends it again, and the part that waited for it. @returns what arrived by that */
  async function resend() {
    const before = (await app.sandbox.arrivals(name)).length;
    const [first] = await deliveriesOf(webhook);
    await resendDelivery("webhook", seller.id, webhook, first!.id);
    await sendQueued(webhook, saleId);
    return (await app.sandbox.arrivals(name)).slice(before);
  }
  return { saleId, save, resend };
}

const formOf = (body: string): WebhookForm => {
  const { webhook_event_type, creation_date } = JSON.parse(body);
  return webhook_event_type ? "kiwify" : creation_date ? "hotmart" : "standard";
};

const CHANGES = FORMS.flatMap((from) => FORMS.filter((to) => to !== from).map((to) => [from, to] as const));

test.each(CHANGES)(
  "what was refused in the format %s is sent again as %s, once that is chosen",
  async (from, to) => {
    const { save, resend } = await refusedAt(`format-${from}-${to}`, from, false);
    await save(to, false);
    const arrived = await resend();
    expect(arrived.map(({ body }) => formOf(body))).toEqual(to === "standard" ? [to] : [to, to]);
  },
);

test.each(FORMS)(
  "a CPF whose sending was switched off does not leave when it is sent again as %s",
  async (form) => {
    const { save, resend } = await refusedAt(`no-cpf-${form}`, form, true);
    await save(form, false);
    const arrived = await resend();
    expect(arrived.length).toBeGreaterThan(0);
    expect(arrived.filter(({ body }) => body.includes(CPF))).toEqual([]);
  },
);

test.each(FORMS)("a CPF whose sending was switched on is in what is sent again as %s", async (form) => {
  const { save, resend } = await refusedAt(`cpf-${form}`, form, false);
  await save(form, true);
  expect((await resend()).every(({ body }) => body.includes(CPF))).toBe(true);
});

test.each(FORMS)(
  "what a webhook that was not changed sends again as %s of a buyer without a CPF is what it sent before",
  async (form) => {
    const { saleId, resend } = await refusedAt(`same-${form}`, form, true, null);
    await sql`update sales set customer_name = 'Ana Lima' where id = ${saleId}`;
    const [again] = await resend();
    expect(again!.body).toContain(CUSTOMER.name);
  },
);
