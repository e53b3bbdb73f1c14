import { expect, test } from "vitest";
import { withKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { type Credentials, ProviderError } from "#app/domain/gateway/providers/port.ts";

const KEYS = [{ apiKey: "antiga" }, { apiKey: "atual" }];

/** A call that fails with some keys, and the keys that it was made with. */
function callFailingWith(errors: Record<string, Error>) {
  const used: string[] = [];
  const call = async ({ apiKey }: Credentials) => {
    used.push(apiKey);
    const error = errors[apiKey];
    if (error) throw error;
    return "feito";
  };
  return { call, used };
}

const refusal = (key: string) => new ProviderError("credentials", `401: ${key}`);

test("where the provider refuses a key, the next one is used", async () => {
  const { call, used } = callFailingWith({ antiga: refusal("antiga") });
  expect(await withKeys(KEYS, call)).toBe("feito");
  expect(used).toEqual(["antiga", "atual"]);
});

test("where it refuses every key, the last refusal is thrown", async () => {
  const { call, used } = callFailingWith({ antiga: refusal("antiga"), atual: refusal("atual") });
  await expect(withKeys(KEYS, call)).rejects.toThrow("401: atual");
  expect(used).toEqual(["antiga", "atual"]);
});

test.each([
  ["a provider that is busy", new ProviderError("busy", "503: devagar")],
  ["an error of ours", new Error("um erro")],
])("after %s no other key is used", async (_, error) => {
  const { call, used } = callFailingWith({ antiga: error });
  await expect(withKeys(KEYS, call)).rejects.toBe(error);
  expect(used).toEqual(["antiga"]);
});

test("the second key may be of another account: that it does not know the charge is the first one's refusal", async () => {
  const first = refusal("antiga");
  const answering = async ({ apiKey }: Credentials) => {
    if (apiKey === "antiga") throw first;
    return null;
  };
  await expect(withKeys(KEYS, answering)).rejects.toBe(first);
  await expect(withKeys([KEYS[1]!], answering)).resolves.toBeNull();
});

test.each([
  ["of an account that knows the charge", async () => true, "422: saldo insuficiente"],
  ["of another account", async () => false, "401: antiga"],
  [
    "of an account that does not say so",
    () => Promise.reject(new Error("offline")),
    "422: saldo insuficiente",
  ],
])("what the second key, %s, is refused is that account's answer", async (_, knows, message) => {
  const refused = new ProviderError("refused", "422: saldo insuficiente");
  const { call } = callFailingWith({ antiga: refusal("antiga"), atual: refused });
  await expect(withKeys(KEYS, call, knows)).rejects.toThrow(message);
});
