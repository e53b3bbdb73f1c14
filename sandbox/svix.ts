import { createHmac, randomBytes, randomUUID } from "node:crypto";

/**
 * The `svix-signature` of one message: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`.
 *
 * `secret` is `whsec_` and base64; `timestamp` is in unix seconds; `body` is the raw text sent. Source: Svix's documentation.
 */
export function svixSignature(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/**
 * The headers of one attempt. Retries use the same id. The timestamp is the real time, not the sandbox's clock: a receiver
 * compares it with its own.
 */
export function svixHeaders(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    "content-type": "application/json",
    "user-agent": "Svix-Webhooks/1.4",
    "svix-id": id,
    "svix-timestamp": String(timestamp),
    "svix-signature": svixSignature(secret, id, timestamp, body),
  };
}

export function newMessageId(): string {
  return `msg_${randomUUID().replaceAll("-", "")}`;
}
