import { pick } from "#app/kit/pick.ts";

/** Together they name an S3-compatible service; without them files are stored in `DATA_DIR/files`. */
const STORAGE = ["STORAGE_ENDPOINT", "STORAGE_BUCKET", "STORAGE_ACCESS_KEY", "STORAGE_SECRET_KEY"];

/** Where the identity provider is, beside `OAUTH_ISSUER`. */
const PROVIDER = ["OAUTH_AUTHORIZATION_URL", "OAUTH_TOKEN_URL", "OAUTH_USERINFO_URL"];

/**
 * What is missing of settings that belong together, as sentences in Portuguese.
 * @param env the settings with their defaults
 * @param given those that somebody set
 */
export function incompleteSettings(
  env: Record<string, unknown> & { OAUTH_ISSUER: string },
  given: Record<string, unknown>,
): string[] {
  const isGiven = (name: string) => pick(given, name) !== undefined;
  const problems: string[] = [];
  if (STORAGE.some(isGiven)) problems.push(...missingOf(STORAGE));
  const isGoogle = new URL(env.OAUTH_ISSUER).host === "accounts.google.com";
  if (!isGoogle) problems.push(...missingOf(["OAUTH_ISSUER", ...PROVIDER]));
  if (isGiven("OAUTH_CLIENT_SECRET") && !isGiven("OAUTH_CLIENT_ID"))
    problems.push("OAUTH_CLIENT_ID: falta; sem ele ninguém entra pelo provedor de identidade");
  if (isGoogle && isGiven("OAUTH_CLIENT_ID") && !isGiven("OAUTH_CLIENT_SECRET"))
    problems.push("OAUTH_CLIENT_SECRET: falta; o Google recusa quem não o envia");
  return problems;

  function missingOf(names: string[]): string[] {
    const together = `as quatro de ${names.join(", ")} vão juntas`;
    return names.filter((name) => !isGiven(name)).map((name) => `${name}: falta; ${together}`);
  }
}
