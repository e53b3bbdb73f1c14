import { afterEach, expect, test, vi } from "vitest";
import { logDatabaseFailure, logDatabaseRecovered } from "#app/db/database-away.server.ts";
import { databaseFailureReason, isUnavailable, loginRefusalReason } from "#app/db/errors.server.ts";
import { log } from "#app/platform/log.server.ts";

afterEach(() => {
  logDatabaseRecovered();
  vi.restoreAllMocks();
});

const withCode = (code: string) => Object.assign(new Error(`getaddrinfo ${code} db`), { code });

test.each([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ETIMEDOUT",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "57P03",
  "08006",
  "53300",
  "25006",
  "28P01",
  "28000",
  "3D000",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "CERT_HAS_EXPIRED",
])("%s means that the database is away: worth a retry, and logged once", (code) => {
  const lines = vi.spyOn(log, "warn");
  for (const error of [withCode(code), new Error("Failed query", { cause: withCode(code) })]) {
    expect(isUnavailable(error)).toBe(true);
    logDatabaseFailure(error, "work not claimed");
  }
  expect(lines.mock.calls.map(([said]) => said)).toMatchObject([{ code }]);
});

test("a refused login is named in the log, also of the queue, which wraps it in an error that means away", () => {
  const lines = vi.spyOn(log, "warn");
  const wrapped = Object.assign(new Error("refused", { cause: withCode("28P01") }), { code: "57P03" });
  logDatabaseFailure(wrapped, "the queue lost a connection");
  expect(lines.mock.calls.map(([said]) => said)).toMatchObject([
    { code: "28P01", reason: expect.stringContaining("recusou a senha") },
  ]);
});

test("a server that lets nobody in without TLS is told from one that refuses the user", () => {
  const refusal = (message: string) => Object.assign(new Error(message), { code: "28000" });
  const hba = 'no pg_hba.conf entry for host "203.0.113.9", user "loja", database "loja"';
  for (const reason of [loginRefusalReason, databaseFailureReason]) {
    expect(reason(refusal(`${hba}, no encryption`))).toContain("sslmode=verify-full");
    expect(reason(refusal(`${hba}, SSL encryption`))).toBe("O PostgreSQL recusou o usuário de DATABASE_URL.");
    expect(reason(new Error("Failed query", { cause: refusal(`${hba}, no encryption`) }))).toContain("TLS");
  }
});

test.each(["SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "ERR_TLS_CERT_ALTNAME_INVALID"])(
  "a command says in one sentence that it does not accept the server's certificate: %s",
  (code) => {
    const reason = databaseFailureReason(withCode(code));
    expect(reason).toContain(`O certificado do PostgreSQL de DATABASE_URL não foi aceito (${code})`);
    expect(reason).toContain("NODE_EXTRA_CA_CERTS");
  },
);

test.each(["57014", "55P03", "53100", "53200", "NO_FREE_CONNECTION"])(
  "%s passes, too, but the database is there",
  (code) => {
    const lines = vi.spyOn(log, "warn");
    expect(isUnavailable(withCode(code))).toBe(true);
    logDatabaseFailure(withCode(code), "work not claimed");
    expect(lines.mock.lastCall?.[1]).toBe("work not claimed");
  },
);

test("one of several addresses of the database that did not answer counts as the database", () => {
  expect(isUnavailable(new AggregateError([withCode("EHOSTUNREACH"), withCode("ENETUNREACH")]))).toBe(true);
});

test.each(["23505", "42P01", "ERR_INVALID_ARG_TYPE"])("%s is an error of the program", (code) => {
  expect(isUnavailable(withCode(code))).toBe(false);
});

test.each([
  "timeout expired",
  "Connection terminated unexpectedly",
  "Client was closed and is not queryable",
])("'%s' of node-postgres, which has no code, means that the database is away", (message) => {
  for (const error of [new Error(message), new Error("Failed query", { cause: new Error(message) })]) {
    expect(isUnavailable(error)).toBe(true);
    expect(databaseFailureReason(error)).toBe("O PostgreSQL de DATABASE_URL não atende (CONNECTION_LOST).");
  }
  expect(isUnavailable(new Error(`of a buyer: ${message}`))).toBe(false);
});
