import { z } from "zod";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { env } from "#app/platform/env.server.ts";
import { call } from "#app/platform/http.server.ts";

const tokenResponse = z.object({ access_token: z.string().min(1) });

/**
 * Exchanges an authorization code for an access token (RFC 6749 §4.1.3 with PKCE; the secret is sent with HTTP Basic).
 * @throws CallError or Error if the provider refuses or gives no usable answer
 */
export async function exchangeCode(grant: {
  code: string;
  codeVerifier: string;
  redirectUri: string;
}): Promise<string> {
  const { OAUTH_CLIENT_ID: id = "", OAUTH_CLIENT_SECRET: secret } = env;
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret ?? "")}`);
  const answer = await call(env.OAUTH_TOKEN_URL, {
    method: "POST",
    service: "identity",
    headers: {
      Accept: "application/json",
      "Content-Type": "application/x-www-form-urlencoded",
      ...(secret ? { Authorization: `Basic ${basic.toString("base64")}` } : {}),
    },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: grant.code,
      redirect_uri: grant.redirectUri,
      code_verifier: grant.codeVerifier,
      ...(secret ? {} : { client_id: id }),
    }).toString(),
  });
  if (answer.status !== 200) throw new Error(`token endpoint answered ${answer.status}`);
  return tokenResponse.parse(parseUntrusted(answer.body)).access_token;
}
