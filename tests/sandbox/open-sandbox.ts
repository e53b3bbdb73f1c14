import { afterAll, beforeEach } from "vitest";
import { type SandboxOptions, startSandbox } from "#sandbox/server.ts";

export const APP_URL = "http://localhost:3999";
export const TOKEN = "1|sandbox-demo";

/** One real sandbox per test file, forgetting everything before each test. */
export async function openSandbox(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({ port: 0, appUrl: APP_URL, ...options });
  const { url } = sandbox;

  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { redirect: "manual", headers });
  const asAccount = (token = TOKEN) => ({ authorization: `Bearer ${token}` });

  beforeEach(async () => {
    await post("/control/reset");
  });
  afterAll(() => sandbox.close());

  return {
    url,
    post,
    get,
    cashIn: (body: unknown, token?: string) => post("/pushinpay/api/pix/cashIn", body, asAccount(token)),
    query: (id: string, token?: string) => get(`/pushinpay/api/transactions/${id}`, asAccount(token)),
    refund: (id: string, token?: string) =>
      post(`/pushinpay/api/transactions/${id}/refund`, undefined, asAccount(token)),
    async charge(fields: Record<string, unknown> = {}) {
      const response = await post("/pushinpay/api/pix/cashIn", { value: 1990, ...fields }, asAccount());
      return (await response.json()) as Record<string, string>;
    },
    control: async (path: string, body?: unknown) => (await post(`/control${path}`, body)).json(),
    view: async (path: string) => (await get(`/control${path}`)).json(),
  };
}
