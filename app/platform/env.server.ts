import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { pick } from "#app/kit/pick.ts";
import { SANDBOX_SECRETS } from "#app/kit/sandbox-secrets.ts";
import { incompleteSettings } from "#app/platform/incomplete-settings.server.ts";
import { postgresJsAddress } from "#app/platform/postgres-address.server.ts";
import {
  isOfThisMachine,
  isOrigin,
  isPostgresAddress,
  isSender,
  isSmtpAddress,
} from "#app/platform/setting-formats.server.ts";

const url = () => z.url({ protocol: /^https?$/, error: "precisa ser um endereço http(s)" });
/** A whole number, or any number, within bounds that the message names. */
const number = (from: number, to: number, isWhole = true) => {
  const error = `precisa ser um número${isWhole ? " inteiro" : ""} de ${from} a ${to}`;
  const read = z.coerce.number({ error }).min(from, error).max(to, error);
  return isWhole ? read.int(error) : read;
};
const port = () => number(1, 65_535);
const oneOf = <const T extends [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `precisa ser um destes: ${values.join(", ")}` });
const host = () =>
  z.string().refine(isOfThisMachine, {
    error: "precisa ser um endereço IP desta máquina, como 127.0.0.1, ou 0.0.0.0 para todos",
  });

const secret = () =>
  z
    .string({ error: "falta; use ao menos 32 caracteres aleatórios" })
    .min(32, "use ao menos 32 caracteres aleatórios");

const schema = z.object({
  NODE_ENV: oneOf(["development", "production", "test"]).default("production"),
  PORT: port().default(3000),
  HOST: host().optional(),
  APP_URL: url()
    .refine(isOrigin, {
      error: "precisa ser o endereço do site sem mais nada, como https://loja.exemplo.com.br",
    })
    .optional(),
  DATABASE_URL: z
    .string({ error: "falta; ex.: postgres://usuario:senha@host:5432/banco" })
    .refine(isPostgresAddress, {
      error:
        "não é um endereço como postgres://usuario:senha@host:5432/banco; uma senha com / # ? ou % vai em PGPASSWORD, sem estar no endereço",
    })
    .transform(postgresJsAddress),
  DATABASE_REPLICA_URL: z
    .string()
    .refine(isPostgresAddress, {
      error: "não é um endereço como postgres://usuario:senha@host:5432/banco; sem réplica, fica vazio",
    })
    .transform(postgresJsAddress)
    .optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  SANDBOX_PORT: port().optional(),
  APP_SECRET: secret(),
  APP_SECRET_OLD: secret().optional(),
  TRUSTED_PROXY_HOPS: number(0, 10).default(0),
  METRICS_PORT: port().optional(),
  WORKER_METRICS_PORT: port().optional(),
  METRICS_HOST: host().default("127.0.0.1"),
  SECOND_CONNECTION: oneOf(["refuse", "tell"]).optional(),
  FAST_PATH: oneOf(["on", "off"]).default("on"),
  LOG_LEVEL: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  OAUTH_ISSUER: url().default("https://accounts.google.com"),
  OAUTH_AUTHORIZATION_URL: url().default("https://accounts.google.com/o/oauth2/v2/auth"),
  OAUTH_TOKEN_URL: url().default("https://oauth2.googleapis.com/token"),
  OAUTH_USERINFO_URL: url().default("https://openidconnect.googleapis.com/v1/userinfo"),
  OAUTH_CLIENT_ID: z.string().optional(),
  OAUTH_CLIENT_SECRET: z.string().optional(),
  PUSHINPAY_BASE_URL: url().default("https://api.pushinpay.com.br/api"),
  WOOVI_BASE_URL: url().default("https://api.woovi.com"),
  MERCADOPAGO_BASE_URL: url().default("https://api.mercadopago.com"),
  MERCADOPAGO_SDK_URL: url().default("https://sdk.mercadopago.com/js/v2"),
  MERCADOPAGO_FIELDS_ORIGIN: url().default("https://secure-fields.mercadopago.com"),
  UTMIFY_BASE_URL: url().default("https://api.utmify.com.br"),
  RESEND_BASE_URL: url().default("https://api.resend.com"),
  META_BASE_URL: url().default("https://graph.facebook.com"),
  GA4_BASE_URL: url().default("https://www.google-analytics.com"),
  TIKTOK_BASE_URL: url().default("https://business-api.tiktok.com"),
  KWAI_BASE_URL: url().default("https://www.adsnebula.com"),
  /** Each area has its own host there; if set, areas are paths below this address. */
  CADEMI_BASE_URL: url().optional(),
  MEMBERKIT_BASE_URL: url().default("https://memberkit.com.br"),
  RESEND_API_KEY: z.string().optional(),
  SMTP_URL: z
    .string()
    .refine(isSmtpAddress, { error: "não é um endereço como smtp://usuario:senha@servidor:587" })
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, { error: "não é um remetente como Loja <loja@exemplo.com.br>" })
    .default("Checkintelli <nao-responda@checkintelli.local>"),
  STORAGE_ENDPOINT: url().optional(),
  STORAGE_BUCKET: z.string().optional(),
  STORAGE_REGION: z.string().default("auto"),
  STORAGE_ACCESS_KEY: z.string().optional(),
  STORAGE_SECRET_KEY: z.string().optional(),
  STORAGE_SELLER_GB: number(0.001, 100_000, false).default(20),
});

/**
 * Reads the environment into typed settings. `APP_URL` falls back to `http://localhost:PORT`. If `SANDBOX_PORT` is set,
 * the sandbox replaces the outside services: then, and only then, its secrets are accepted, and only on this machine (a
 * loopback `APP_URL`).
 * @param earlierProblems what was found wrong elsewhere
 * @throws Error naming every wrong or missing variable
 */
export function parseEnv(source: Record<string, string | undefined>, earlierProblems: string[] = []) {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = schema.safeParse(filled);
  if (!result.success)
    throw startupError([
      ...result.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`),
      ...earlierProblems,
    ]);
  const env = {
    ...result.data,
    // Fails in development and tests; in production it is logged, and a full pool ends in a 503.
    SECOND_CONNECTION:
      result.data.SECOND_CONNECTION ?? (result.data.NODE_ENV === "production" ? "tell" : "refuse"),
    // As browsers name it in `Origin`.
    APP_URL: new URL(result.data.APP_URL ?? `http://localhost:${result.data.PORT}`).origin,
  };
  const problems = [
    ...earlierProblems,
    ...(env.SANDBOX_PORT === undefined ? sandboxLeftovers(env) : publicSandbox(env)),
  ];
  problems.push(...incompleteSettings(env, filled), ...duplicatePorts(env));
  if (!isLoopback(env.APP_URL) && !env.RESEND_API_KEY && !env.SMTP_URL)
    problems.push("RESEND_API_KEY: falta; ou SMTP_URL. Sem um dos dois nenhum e-mail sai, nem o do acesso");
  if (!isLoopback(env.APP_URL) && env.RESEND_API_KEY && /@checkintelli\.local>?$/i.test(env.MAIL_FROM))
    problems.push(
      "MAIL_FROM: falta; o Resend só envia de um domínio verificado, e nunca de checkintelli.local",
    );
  if (env.DATABASE_REPLICA_URL === env.DATABASE_URL)
    problems.push("DATABASE_REPLICA_URL: é o mesmo que DATABASE_URL; é o de uma réplica, ou fica vazio");
  if (env.APP_SECRET_OLD === env.APP_SECRET)
    problems.push("APP_SECRET_OLD: é o mesmo que APP_SECRET; só existe enquanto um segredo dá lugar a outro");
  if (problems.length > 0) throw startupError(problems);
  return {
    ...env,
    sandboxUrl: env.SANDBOX_PORT === undefined ? null : `http://localhost:${env.SANDBOX_PORT}`,
  };
}

/** Ports that two programs of one machine would listen on. */
function duplicatePorts(env: Record<string, unknown>): string[] {
  const names = ["PORT", "SANDBOX_PORT", "METRICS_PORT", "WORKER_METRICS_PORT"];
  return names.flatMap((name, at) => {
    const other = names.slice(0, at).find((one) => pick(env, one) && pick(env, one) === pick(env, name));
    return other ? [`${name}: é a mesma porta que ${other}`] : [];
  });
}

/** Addresses of outside services; the sandbox replaces all of them or none. */
const SERVICE_ADDRESSES = [
  "PUSHINPAY_BASE_URL",
  "WOOVI_BASE_URL",
  "MERCADOPAGO_BASE_URL",
  "MERCADOPAGO_SDK_URL",
  "MERCADOPAGO_FIELDS_ORIGIN",
  "UTMIFY_BASE_URL",
  "RESEND_BASE_URL",
  "META_BASE_URL",
  "GA4_BASE_URL",
  "TIKTOK_BASE_URL",
  "KWAI_BASE_URL",
  "CADEMI_BASE_URL",
  "MEMBERKIT_BASE_URL",
  "OAUTH_TOKEN_URL",
];

function sandboxLeftovers(env: Record<string, unknown> & { APP_URL: string }): string[] {
  const secrets = { ...SANDBOX_SECRETS, APP_SECRET_OLD: SANDBOX_SECRETS.APP_SECRET };
  const problems = Object.entries(secrets)
    .filter(([name, secret]) => pick(env, name) === secret)
    .map(([name]) => `${name}: é um segredo da demonstração; gere um seu`);
  if (isLoopback(env.APP_URL)) return problems;
  const local = SERVICE_ADDRESSES.filter((name) => {
    const address = pick(env, name);
    return address !== undefined && isLoopback(String(address));
  });
  return [
    ...problems,
    ...local.map((name) => `${name}: aponta para esta máquina; produção não fala com a sandbox`),
  ];
}

function publicSandbox(env: { APP_URL: string }): string[] {
  return isLoopback(env.APP_URL)
    ? []
    : ["SANDBOX_PORT: a sandbox só existe com APP_URL em localhost; retire-a em produção"];
}

function isLoopback(address: string): boolean {
  const host = new URL(address).hostname;
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\./.test(host);
}

function startupError(problems: string[]): Error {
  const error = new Error(`O ambiente não permite iniciar:\n${problems.map((p) => `  - ${p}`).join("\n")}`);
  // The stack would only hide the list of problems.
  error.stack = error.message;
  return error;
}

/** Creates the folder if it is missing. */
function unwritableFolder(folder = ""): string[] {
  if (folder === "") return [];
  try {
    makeFolder(resolve(folder));
    accessSync(folder, constants.W_OK);
    return [];
  } catch {
    return [`DATA_DIR: não dá para gravar em ${folder}; use uma pasta em que se possa`];
  }
}

/** One level at a time: with `recursive` Node loops forever where a folder like `/proc` accepts none. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Exits with the list of problems and no stack trace. */
function parseOrExit(): ReturnType<typeof parseEnv> {
  try {
    return parseEnv(process.env, unwritableFolder(process.env.DATA_DIR));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

/** The settings of this process, parsed once. The only place that reads `process.env`. */
export const env = parseOrExit();
