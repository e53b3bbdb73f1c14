/** With these an address says more about TLS than both drivers read, and is left as it is. */
const DETAILED = /[?&](?:sslrootcert|uselibpqcompat)=/;

/**
 * An address as postgres.js reads it: `no-verify` is a word of node-postgres alone, and with `prefer` postgres.js would go on
 * without TLS where node-postgres does not.
 */
export function postgresJsAddress(address: string): string {
  if (DETAILED.test(address)) return address;
  return address.replace(/([?&]ssl(?:mode)?=)(?:no-verify|prefer)(?=&|$)/, "$1require");
}

/**
 * The same for node-postgres, which would check the server's certificate for `require`; postgres.js does so for `verify-full`
 * alone, as Postgres' own programs do.
 */
export function nodePostgresAddress(address: string): string {
  if (DETAILED.test(address)) return address;
  return address.replace(/([?&]ssl(?:mode)?=)(?:allow|prefer|require)(?=&|$)/, "$1no-verify");
}
