import pg from "pg";
import postgres from "postgres";
import { expect, test } from "vitest";
import { SANDBOX_SECRETS } from "#app/kit/sandbox-secrets.ts";
import { parseEnv } from "#app/platform/env.server.ts";
import { nodePostgresAddress } from "#app/platform/postgres-address.server.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { SETTINGS, WRONG_SETTINGS } from "#tests/integration/harness/wrong-settings.ts";

const OWN = {
  APP_URL: "https://loja.exemplo.com.br",
  APP_SECRET: "um segredo de verdade, com mais de 32 letras",
  DATABASE_URL: "postgres://loja@banco/loja",
  RESEND_API_KEY: "re_chave",
  MAIL_FROM: "Loja <loja@exemplo.com.br>",
};

test("a shop with its own secrets starts, and speaks to the real services", () => {
  expect(parseEnv(OWN)).toMatchObject({ ...OWN, sandboxUrl: null, TRUSTED_PROXY_HOPS: 0 });
});

test.each(Object.entries(SANDBOX_SECRETS))("a shop that is no demo refuses the demo's %s", (name, secret) => {
  expect(() => parseEnv({ ...OWN, [name]: secret })).toThrow(name);
});

test("the replacement of a secret is as strong, and a different one", () => {
  const before = "o segredo de antes, com mais de trinta e duas letras";
  expect(parseEnv({ ...OWN, APP_SECRET_OLD: before }).APP_SECRET_OLD).toBe(before);
  expect(parseEnv({ ...OWN, APP_SECRET_OLD: "" }).APP_SECRET_OLD).toBeUndefined();
  for (const wrong of ["curto", OWN.APP_SECRET, SANDBOX_SECRETS.APP_SECRET])
    expect(() => parseEnv({ ...OWN, APP_SECRET_OLD: wrong })).toThrow("APP_SECRET_OLD");
  const demo = { ...sandboxEnvironment(3000, 3001), DATABASE_URL: OWN.DATABASE_URL };
  const { APP_SECRET } = SANDBOX_SECRETS;
  expect(parseEnv({ ...demo, APP_SECRET: before, APP_SECRET_OLD: APP_SECRET }).APP_SECRET_OLD).toBe(
    APP_SECRET,
  );
});

test.each([
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
])("a public shop does not accept this machine as a service: %s", (name) => {
  expect(() => parseEnv({ ...OWN, [name]: "http://localhost:3001/x" })).toThrow(name);
});

test("a public shop that sends through Resend needs a sender of its own", () => {
  const { MAIL_FROM: _, ...withoutSender } = OWN;
  for (const MAIL_FROM of [undefined, "", "loja@Checkintelli.local"])
    expect(() => parseEnv({ ...withoutSender, MAIL_FROM })).toThrow("MAIL_FROM");
  const { RESEND_API_KEY: _key, ...withSmtp } = withoutSender;
  expect(parseEnv({ ...withSmtp, SMTP_URL: "smtp://localhost:25" }).MAIL_FROM).toContain(
    "@checkintelli.local",
  );
  expect(parseEnv({ ...withoutSender, APP_URL: "http://localhost:3000" }).MAIL_FROM).toContain(
    "@checkintelli.local",
  );
});

test("the sandbox is for this machine alone", () => {
  const demo = { ...sandboxEnvironment(3000, 3001), DATABASE_URL: OWN.DATABASE_URL };
  expect(parseEnv(demo).sandboxUrl).toBe("http://localhost:3001");
  expect(() => parseEnv({ ...demo, APP_URL: OWN.APP_URL })).toThrow("SANDBOX_PORT");
});

test("metrics are served nowhere unless a port is named, and then on this machine alone", () => {
  expect(parseEnv({ ...OWN, METRICS_PORT: "", METRICS_HOST: "" })).toMatchObject({
    METRICS_HOST: "127.0.0.1",
  });
  expect(parseEnv(OWN)).not.toHaveProperty("METRICS_PORT");
  expect(parseEnv(OWN)).not.toHaveProperty("WORKER_METRICS_PORT");
  expect(parseEnv({ ...OWN, METRICS_PORT: "9464" }).METRICS_PORT).toBe(9464);
});

test.each([
  ["HTTPS://Loja.Exemplo.com.br/", "https://loja.exemplo.com.br"],
  ["https://loja.exemplo.com.br:443", "https://loja.exemplo.com.br"],
  ["https://açaí.com.br", "https://xn--aa-4iaz.com.br"],
])("the public address %s is the origin that browsers send: %s", (APP_URL, origin) => {
  expect(parseEnv({ ...OWN, APP_URL }).APP_URL).toBe(origin);
});

test("every wrong or missing name is reported at once", () => {
  const start = () => parseEnv({ APP_URL: "loja", APP_SECRET: "curto", TRUSTED_PROXY_HOPS: "-1" });
  for (const name of ["APP_URL", "APP_SECRET", "DATABASE_URL", "TRUSTED_PROXY_HOPS"])
    expect(start).toThrow(name);
});

test.each(Object.entries(WRONG_SETTINGS))(
  "a wrong %s is reported by name, in Portuguese, whatever else is right",
  (name, values) => {
    for (const value of values) {
      let output = "";
      try {
        parseEnv({ ...OWN, [name]: value });
      } catch (error) {
        output = (error as Error).message;
      }
      expect(output, value).toMatch(new RegExp(`^O ambiente não permite iniciar:\\n  - ${name}: [^\\n]+$`));
      expect(output, value).not.toMatch(/Invalid|expected|received|Too /);
    }
  },
);

test("every setting that can be wrong has its wrong values", () => {
  const free = [
    ...["APP_SECRET_OLD", "OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET", "RESEND_API_KEY", "DATA_DIR"],
    ...["STORAGE_BUCKET", "STORAGE_REGION", "STORAGE_ACCESS_KEY", "STORAGE_SECRET_KEY"],
  ];
  expect([...Object.keys(WRONG_SETTINGS), ...free].sort()).toEqual(SETTINGS.toSorted());
});

test("two programs' ports are two, and a public shop has a mail sender", () => {
  expect(() => parseEnv({ ...OWN, PORT: "4000", METRICS_PORT: "4000" })).toThrow(
    "METRICS_PORT: é a mesma porta que PORT",
  );
  expect(() => parseEnv({ ...OWN, RESEND_API_KEY: "" })).toThrow("RESEND_API_KEY: falta; ou SMTP_URL");
  expect(parseEnv({ ...OWN, RESEND_API_KEY: "", SMTP_URL: "smtp://u:s@correio:587" }).SMTP_URL).toBeDefined();
});

test.each([
  "postgres://loja:se/nh#a@banco:5432/loja",
  "mysql://loja:segredo@banco/loja",
  "loja:segredo@banco",
])("an unreadable database address is reported without its password: %s", (DATABASE_URL) => {
  const start = () => parseEnv({ ...OWN, DATABASE_URL });
  expect(start).toThrow("DATABASE_URL: não é um endereço");
  expect(start).toThrow(expect.not.objectContaining({ stack: expect.stringMatching(/se\/nh|segredo/) }));
});

const certificateIs = (ssl: unknown) => {
  if (!ssl) return "not encrypted";
  const isUnchecked =
    typeof ssl === "object"
      ? (ssl as { rejectUnauthorized?: boolean }).rejectUnauthorized === false
      : ["allow", "prefer", "require"].includes(String(ssl));
  return isUnchecked ? "not checked" : "checked";
};

test.each([
  ["", "not encrypted"],
  ["?sslmode=disable", "not encrypted"],
  ["?sslmode=require", "not checked"],
  ["?prepare=false&sslmode=require", "not checked"],
  ["?sslmode=require&prepare=false", "not checked"],
  ["?sslmode=prefer", "not checked"],
  ["?sslmode=no-verify", "not checked"],
  ["?ssl=require", "not checked"],
  ["?sslmode=verify-full", "checked"],
  ["?ssl=true", "checked"],
])("both drivers take the certificate of the database alike: %s is %s", (query, expected) => {
  for (const name of ["DATABASE_URL", "DATABASE_REPLICA_URL"] as const) {
    const address = parseEnv({ ...OWN, [name]: `postgres://outra@outro-banco/loja${query}` })[name]!;
    const client = new pg.Client({ connectionString: nodePostgresAddress(address) });
    const seen = [postgres(address).options.ssl, client.ssl].map(certificateIs);
    expect(seen, name).toEqual([expected, expected]);
  }
});

test("neither driver goes on without TLS for an address that asks for it", () => {
  for (const word of ["allow", "prefer", "require", "no-verify", "verify-full"]) {
    const { DATABASE_URL } = parseEnv({ ...OWN, DATABASE_URL: `postgres://loja@banco/loja?sslmode=${word}` });
    const { ssl } = postgres(DATABASE_URL).options;
    // The only word with which postgres.js does.
    expect([false, "prefer"]).not.toContain(ssl);
    expect(new pg.Client({ connectionString: nodePostgresAddress(DATABASE_URL) }).ssl).toBeTruthy();
  }
});

test("an address that says more about TLS than both drivers read stays as it is", () => {
  for (const more of ["sslrootcert=/ca.pem", "uselibpqcompat=true"]) {
    const address = `postgres://loja@banco/loja?sslmode=require&${more}`;
    const { DATABASE_URL } = parseEnv({ ...OWN, DATABASE_URL: address });
    expect([DATABASE_URL, nodePostgresAddress(DATABASE_URL)]).toEqual([address, address]);
  }
});

test("a replica is another server than the database, or none", () => {
  expect(parseEnv(OWN).DATABASE_REPLICA_URL).toBeUndefined();
  expect(parseEnv({ ...OWN, DATABASE_REPLICA_URL: "" }).DATABASE_REPLICA_URL).toBeUndefined();
  const replica = "postgres://loja@replica/loja";
  expect(parseEnv({ ...OWN, DATABASE_REPLICA_URL: replica }).DATABASE_REPLICA_URL).toBe(replica);
  expect(() => parseEnv({ ...OWN, DATABASE_REPLICA_URL: OWN.DATABASE_URL })).toThrow(
    "DATABASE_REPLICA_URL: é o mesmo que DATABASE_URL",
  );
});

test("an identity provider is named whole, with its client", () => {
  const client = { OAUTH_CLIENT_ID: "loja", OAUTH_CLIENT_SECRET: "segredo" };
  const provider = {
    OAUTH_ISSUER: "https://id.exemplo.com.br",
    OAUTH_AUTHORIZATION_URL: "https://id.exemplo.com.br/auth",
    OAUTH_TOKEN_URL: "https://id.exemplo.com.br/token",
    OAUTH_USERINFO_URL: "https://id.exemplo.com.br/me",
  };
  expect(parseEnv({ ...OWN, ...client }).OAUTH_CLIENT_ID).toBe("loja");
  expect(parseEnv({ ...OWN, ...client, ...provider })).toMatchObject(provider);
  // A public client of PKCE has no secret; Google knows none.
  expect(parseEnv({ ...OWN, ...provider, OAUTH_CLIENT_ID: "loja" }).OAUTH_CLIENT_SECRET).toBeUndefined();
  // Google behind a proxy of one's own.
  expect(
    parseEnv({ ...OWN, ...client, OAUTH_TOKEN_URL: "https://saida.exemplo.com.br/token" }),
  ).toBeDefined();
  for (const name of ["OAUTH_AUTHORIZATION_URL", "OAUTH_TOKEN_URL", "OAUTH_USERINFO_URL"])
    expect(() => parseEnv({ ...OWN, ...client, ...provider, [name]: "" })).toThrow(`${name}: falta`);
  expect(() => parseEnv({ ...OWN, ...client, OAUTH_CLIENT_ID: "" })).toThrow("OAUTH_CLIENT_ID: falta");
  expect(() => parseEnv({ ...OWN, ...client, OAUTH_CLIENT_SECRET: "" })).toThrow(
    "OAUTH_CLIENT_SECRET: falta",
  );
});

test("a storage service is named whole or not at all", () => {
  const named = {
    STORAGE_ENDPOINT: "https://s3.exemplo.com.br",
    STORAGE_BUCKET: "arquivos",
    STORAGE_ACCESS_KEY: "chave",
    STORAGE_SECRET_KEY: "segredo",
  };
  expect(parseEnv({ ...OWN, ...named })).toMatchObject({ STORAGE_REGION: "auto", STORAGE_SELLER_GB: 20 });
  for (const name of Object.keys(named))
    expect(() => parseEnv({ ...OWN, ...named, [name]: "" })).toThrow(`${name}: falta`);
});
