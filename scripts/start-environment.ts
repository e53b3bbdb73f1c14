import { sandboxEnvironment } from "#scripts/sandbox-env.ts";

type Environment = Record<string, string | undefined>;

/** Settings that belong together: if one of a group is set, the sandbox replaces none of them. */
const GROUPS = [
  ["PUSHINPAY_BASE_URL"],
  ["WOOVI_BASE_URL"],
  ["MERCADOPAGO_BASE_URL", "MERCADOPAGO_SDK_URL", "MERCADOPAGO_FIELDS_ORIGIN"],
  ["UTMIFY_BASE_URL"],
  ["META_BASE_URL"],
  ["GA4_BASE_URL"],
  ["TIKTOK_BASE_URL"],
  ["KWAI_BASE_URL"],
  ["CADEMI_BASE_URL"],
  ["MEMBERKIT_BASE_URL"],
  ["RESEND_BASE_URL", "RESEND_API_KEY", "SMTP_URL"],
  [
    ...["OAUTH_ISSUER", "OAUTH_AUTHORIZATION_URL", "OAUTH_TOKEN_URL", "OAUTH_USERINFO_URL"],
    ...["OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET"],
  ],
  ["APP_SECRET"],
  ["MAIL_FROM"],
];

/**
 * What `npm start` adds to the given environment: the port and folder defaults, and the sandbox for each outside service
 * without settings, as long as the app serves only this machine. An empty value counts as not set.
 */
export function startEnvironment(given: Environment): Environment {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  const port = set.PORT ?? "3000";
  const base = {
    NODE_ENV: "production",
    DATA_DIR: ".data",
    APP_URL: `http://localhost:${port}`,
    ...set,
    PORT: port,
  };
  // Invalid values are reported with all others, once everything is parsed.
  if (!URL.canParse(base.APP_URL) || !isLocal(base.APP_URL)) return base;
  const sandboxPort = set.SANDBOX_PORT ?? String(Number(port) + 1);
  const sandbox: Environment = sandboxEnvironment(Number(port), Number(sandboxPort));
  const fallbacks = GROUPS.filter((names) => names.every((name) => set[name] === undefined))
    .flat()
    .filter((name) => sandbox[name] !== undefined);
  const usesSandbox = fallbacks.some((name) => name.endsWith("_URL"));
  return {
    // The demo has a well-known password, so it serves only this machine.
    ...(usesSandbox ? { HOST: "127.0.0.1" } : {}),
    ...base,
    ...Object.fromEntries(fallbacks.map((name) => [name, sandbox[name]])),
    ...(usesSandbox ? { SANDBOX_PORT: sandboxPort } : {}),
  };
}

/** Whether payments go to the sandbox: then an empty database is filled with the demo shop. */
export function isDemo(environment: Environment): boolean {
  const { SANDBOX_PORT, PUSHINPAY_BASE_URL } = environment;
  return (
    SANDBOX_PORT !== undefined && PUSHINPAY_BASE_URL === `http://localhost:${SANDBOX_PORT}/pushinpay/api`
  );
}

function isLocal(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname.endsWith(".localhost") || /^(127\.|\[::1\])/.test(hostname);
}
