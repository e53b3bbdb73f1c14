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
