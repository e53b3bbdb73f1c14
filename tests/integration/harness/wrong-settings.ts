import { readFileSync } from "node:fs";

const schema = /const schema = z\.object\(\{\n([\s\S]*?)\n\}\);/.exec(
  readFileSync("app/platform/env.server.ts", "utf8"),
)![1]!;

/** Every setting there is. */
export const SETTINGS = [...schema.matchAll(/^ {2}([A-Z\d_]+):/gm)].map(([, name]) => name!);

const PORTS = ["abc", "0", "70000", "3000.5"];
const ADDRESSES = ["minhaloja", "ftp://loja.com.br"];
const HOSTS = ["nao-existe.invalid", "203.0.113.9"];

/** Values that a setting must refuse. */
export const WRONG_SETTINGS: Record<string, string[]> = {
  NODE_ENV: ["producao"],
  PORT: PORTS,
  HOST: HOSTS,
  APP_URL: [
    ...ADDRESSES,
    ...[
      "https://loja.com.br/loja",
      "https://loja.com.br?a=1",
      "https://loja.com.br#a",
      "https://u:s@loja.com.br",
    ],
  ],
  DATABASE_URL: ["banco", "mysql://loja@banco/loja", "postgres://loja:50%certo@banco/loja"],
  DATABASE_REPLICA_URL: ["replica", "mysql://loja@replica/loja", "postgres://loja:50%certo@replica/loja"],
  SANDBOX_PORT: PORTS,
  APP_SECRET: ["curto"],
  TRUSTED_PROXY_HOPS: ["-1", "muitos", "1.5"],
  METRICS_PORT: PORTS,
  WORKER_METRICS_PORT: PORTS,
  METRICS_HOST: HOSTS,
  SECOND_CONNECTION: ["sim"],
  FAST_PATH: ["talvez"],
  LOG_LEVEL: ["tudo"],
  SMTP_URL: ["nada", "http://correio"],
  MAIL_FROM: ["nada", "Loja <nada>"],
  STORAGE_SELLER_GB: ["muito", "-1", "0"],
  ...Object.fromEntries(
    [
      ...["OAUTH_ISSUER", "OAUTH_AUTHORIZATION_URL", "OAUTH_TOKEN_URL", "OAUTH_USERINFO_URL"],
      ...["WOOVI_BASE_URL", "MERCADOPAGO_BASE_URL", "MERCADOPAGO_SDK_URL", "MERCADOPAGO_FIELDS_ORIGIN"],
      ...["PUSHINPAY_BASE_URL", "UTMIFY_BASE_URL", "RESEND_BASE_URL", "META_BASE_URL", "GA4_BASE_URL"],
      ...["TIKTOK_BASE_URL", "KWAI_BASE_URL", "CADEMI_BASE_URL", "MEMBERKIT_BASE_URL", "STORAGE_ENDPOINT"],
    ].map((name) => [name, ADDRESSES]),
  ),
};
