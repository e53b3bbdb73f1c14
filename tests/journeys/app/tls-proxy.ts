import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A self-signed certificate for all hosts of a domain. */
export function makeCertificate(domain: string): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name)) as [string, string];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2"];
  const names = ["-subj", `/CN=${domain}`, "-addext", `subjectAltName=DNS:${domain},DNS:*.${domain}`];
  try {
    execFileSync("openssl", ["req", "-x509", ...kind, ...names, "-keyout", key, "-out", cert], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Forwards requests to a port of this machine, as a TLS-terminating proxy does. */
export function forwardTo(port: () => number) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const forwarded = request(
      {
        port: port(),
        host: "127.0.0.1",
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, "x-forwarded-proto": "https" },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.once("error", () => outgoing.destroy());
    outgoing.once("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  };
}

/** A server with TLS on a port of its own, until the end of the file. @returns the port */
export async function startTls(
  certificate: { key: Buffer; cert: Buffer },
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<number> {
  const server = createServer(certificate, answer);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}
