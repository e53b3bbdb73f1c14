import { expect, test } from "vitest";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { pick } from "#app/kit/pick.ts";
import { startApp } from "#tests/support/app.ts";

const app = await startApp({ web: 0, worker: 0 });

/** What a provider is understood to say of a transaction, where it answers with this. */
async function find(service: "pushinpay" | "woovi" | "mercadopago", status: number, body: unknown) {
  await app.sandbox.fault({ service, mode: `status-${status}`, body, times: 1 });
  return pick(providers, service)!.findTransaction({ apiKey: "sandbox" }, "transacao-0001");
}

test.each(["pushinpay", "woovi", "mercadopago"] as const)(
  "an answer of %s that cannot be read is none, and not that it does not know the transaction",
  async (provider) => {
    for (const body of ["<html>", {}, []])
      await expect(find(provider, 200, body)).rejects.toMatchObject({ kind: "nonsense" });
    expect(await find(provider, 404, [])).toBeNull();
  },
);

test("an answer that begins with a byte order mark is read as one without", async () => {
  const body = JSON.stringify({ id: "transacao-0001", status: "paid", value: 9700 });
  expect(await find("pushinpay", 200, `\uFEFF${body}`)).toMatchObject({ state: "paid" });
});

test("a payment at PushinPay without an amount is not read as one of nothing", async () => {
  const paid = { id: "transacao-0001", status: "paid", webhook_url: null };
  for (const value of [9700, "9700"])
    expect(await find("pushinpay", 200, { ...paid, value })).toMatchObject({
      ...{ state: "paid", amountCents: 9700 },
    });
  for (const value of [null, "", 0, "0", true, "97,00"])
    await expect(find("pushinpay", 200, { ...paid, value })).rejects.toMatchObject({ kind: "nonsense" });
});
