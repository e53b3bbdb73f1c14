import type { Provider } from "#app/domain/gateway/providers/port.ts";

/**
 * Whether what is given as an account's public key is a secret one: of these API keys, or one by its form. Any buyer could read it.
 */
export function isSecretKey(
  { apiKeyPattern }: Pick<Provider, "apiKeyPattern">,
  publicKey: string,
  apiKeys: string[],
): boolean {
  return apiKeys.includes(publicKey) || apiKeyPattern?.test(publicKey) === true;
}
