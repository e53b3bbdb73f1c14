import { expect, test, vi } from "vitest";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { pick } from "#app/kit/pick.ts";
import type { CallAnswer } from "#app/platform/http.server.ts";

const answers = vi.hoisted(() => ({ next: null as unknown }));
vi.mock("#app/platform/http.server.ts", async (original) => ({
  ...(await original<object>()),
  call: async () => answers.next as CallAnswer,
}));

/** What a provider says of a transaction, where it answers with this. */
function find(provider: string, status: number, body: unknown) {
  answers.next = {
    status,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: new Headers(),
  };
  return pick(providers, provider)!.findTransaction({ apiKey: "sandbox" }, "transacao-0001");
}

test.each(["pushinpay", "woovi", "mercadopago"])(
  "an answer of %s that cannot be read is none, and not that it does not know the transaction",
  async (provider) => {
    for (const body of ["<html>", "{}", "[]"])
      await expect(find(provider, 200, body)).rejects.toMatchObject({ kind: "nonsense" });
    expect(await find(provider, 404, "[]")).toBeNull();
  },
);

test("a payment at PushinPay without an amount is not read as one of nothing", async () => {
  const paid = { id: "transacao-0001", status: "paid", webhook_url: null };
  for (const value of [9700, "9700"])
    expect(await find("pushinpay", 200, { ...paid, value })).toMatchObject({
      state: "paid",
      amountCents: 9700,
    });
  for (const value of [null, "", 0, "0", true, "97,00"])
    await expect(find("pushinpay", 200, { ...paid, value })).rejects.toMatchObject({ kind: "nonsense" });
});
