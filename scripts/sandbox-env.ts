import { SANDBOX_SECRETS } from "#app/kit/sandbox-secrets.ts";

/** The environment in which the sandbox replaces every outside service. */
export function sandboxEnvironment(port: number, sandboxPort: number): Record<string, string> {
  const sandbox = `http://localhost:${sandboxPort}`;
  return {
    ...SANDBOX_SECRETS,
    PORT: String(port),
    APP_URL: `http://localhost:${port}`,
    SANDBOX_PORT: String(sandboxPort),
    OAUTH_ISSUER: `${sandbox}/identity`,
    OAUTH_AUTHORIZATION_URL: `${sandbox}/identity/auth`,
    OAUTH_TOKEN_URL: `${sandbox}/identity/token`,
    OAUTH_USERINFO_URL: `${sandbox}/identity/me`,
    PUSHINPAY_BASE_URL: `${sandbox}/pushinpay/api`,
    WOOVI_BASE_URL: `${sandbox}/woovi`,
    MERCADOPAGO_BASE_URL: `${sandbox}/mercadopago`,
    MERCADOPAGO_SDK_URL: `${sandbox}/mercadopago/sdk/js/v2`,
    MERCADOPAGO_FIELDS_ORIGIN: sandbox.replace("localhost", "127.0.0.1"),
    UTMIFY_BASE_URL: `${sandbox}/utmify`,
    META_BASE_URL: `${sandbox}/meta`,
    GA4_BASE_URL: `${sandbox}/ga4`,
    TIKTOK_BASE_URL: `${sandbox}/tiktok`,
    KWAI_BASE_URL: `${sandbox}/kwai`,
    CADEMI_BASE_URL: `${sandbox}/cademi`,
    MEMBERKIT_BASE_URL: `${sandbox}/memberkit`,
    RESEND_BASE_URL: `${sandbox}/resend`,
    MAIL_FROM: "Checkintelli <nao-responda@checkintelli.local>",
  };
}
