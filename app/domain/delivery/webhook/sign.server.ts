import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** A new secret, Standard Webhooks 1.0: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** A new token as Kiwify shows them: 11 lower-case letters and digits. */
export function newToken(): string {
  return randomBytes(16).toString("hex").slice(0, 11);
}

/** A message's signatures, one for each valid secret: `v1,<base64>`, separated by blanks. */
export function standardSignature(
  secrets: string[],
  message: { id: string; at: Date; body: string },
): string {
  const signed = `${message.id}.${unixSeconds(message.at)}.${message.body}`;
  return secrets
    .map((secret) => Buffer.from(secret.replace(PREFIX, ""), "base64"))
    .map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`)
    .join(" ");
}

/** The three headers of Standard Webhooks. */
export function standardHeaders(
  secrets: string[],
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(unixSeconds(message.at)),
    "webhook-signature": standardSignature(secrets, message),
  };
}

/** An address with Kiwify's signature in its query: HMAC-SHA1 of the body by the token, in hex. */
export function kiwifyAddress(url: string, token: string, body: string): string {
  const signature = createHmac("sha1", token).update(body).digest("hex");
  const [rest, fragment] = url.split("#", 2) as [string, string | undefined];
  const signed = `${rest}${rest.includes("?") ? "&" : "?"}signature=${signature}`;
  return fragment === undefined ? signed : `${signed}#${fragment}`;
}

function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
