import type { openSandbox } from "./open-sandbox.ts";

export const ACCESS_TOKEN = "APP_USR-sandbox-1";
export const PUBLIC_KEY = "APP_USR-chave-publica";
export const VISA = "4235647728025682";

/** Calls of an account that takes cards at the sandbox's Mercado Pago. */
export function cardCalls({ post, get }: Pick<Awaited<ReturnType<typeof openSandbox>>, "post" | "get">) {
  const asAccount = { authorization: `Bearer ${ACCESS_TOKEN}` };
  const tokenCall = (changes: object = {}, holder: object = {}) =>
    post(`/mercadopago/v1/card_tokens?public_key=${PUBLIC_KEY}`, {
      ...{ card_number: VISA, security_code: "123", expiration_month: 11, expiration_year: 2050 },
      cardholder: { name: "APRO", identification: { type: "CPF", number: "12345678909" }, ...holder },
      ...changes,
    });
  const token = async (name = "APRO"): Promise<string> => (await (await tokenCall({}, { name })).json()).id;
  const create = (body: object, headers: Record<string, string> = {}) =>
    post("/mercadopago/v1/orders", body, {
      ...asAccount,
      ...{ "x-idempotency-key": crypto.randomUUID(), ...headers },
    });

  return {
    tokenCall,
    token,
    create,
    /** An order of this token, as the answer to it. */
    charge: (cardToken: string, method: object = {}, order: object = {}) =>
      create(cardOrder(cardToken, method, order)),
    find: async (id: string) => (await get(`/mercadopago/v1/orders/${id}`, asAccount)).json(),
    act: (id: string, action: "cancel" | "refund", body?: object) =>
      post(`/mercadopago/v1/orders/${id}/${action}`, body, {
        ...asAccount,
        "x-idempotency-key": crypto.randomUUID(),
      }),
    async search(reference: string) {
      const query = new URLSearchParams({
        begin_date: new Date(Date.now() - 60_000).toISOString(),
        end_date: new Date(Date.now() + 60_000).toISOString(),
        external_reference: reference,
      });
      return (await (await get(`/mercadopago/v1/orders?${query}`, asAccount)).json()).data;
    },
  };
}

/** The body of an order of R$ 100,00 by card. */
export function cardOrder(token: string, method: object = {}, order: object = {}) {
  return {
    ...{ type: "online", processing_mode: "automatic", total_amount: "100.00", capture_mode: "automatic" },
    ...{ external_reference: "pedido-1", additional_info: { "payer.is_prime_user": false } },
    items: [{ title: "Curso", unit_price: "100.00", quantity: 1, category_id: "virtual_goods" }],
    payer: {
      ...{ email: "bia@exemplo.com.br", first_name: "Bia", last_name: "Souza" },
      identification: { type: "CPF", number: "12345678909" },
      phone: { area_code: "11", number: "999999999" },
    },
    transactions: {
      payments: [
        {
          amount: "100.00",
          payment_method: { ...{ id: "visa", type: "credit_card", token, installments: 1 }, ...method },
        },
      ],
    },
    ...order,
  };
}
