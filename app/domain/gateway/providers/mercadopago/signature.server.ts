import { createHmac } from "node:crypto";
import type { RawWebhook } from "#app/domain/gateway/providers/port.ts";
import { isSameSecret } from "#app/platform/secrets.server.ts";

/** What a notification names in its query: the signature is of this, not of the body. */
export const ID_IN_QUERY = "data.id";

/**
 * Whether `x-signature` (`ts=…,v1=…`) was made with the application's secret: an HMAC over the id in the query, the request's
 * id and the time. The id is tried as it came, then in small letters: both have been observed.
 */
export function isSignedNotification(secret: string, { header, query }: Omit<RawWebhook, "body">): boolean {
  const parts = new Map(
    (header("x-signature") ?? "").split(",").map((part) => {
      const [name = "", ...value] = part.split("=");
      return [name.trim(), value.join("=").trim()] as const;
    }),
  );
  const [ts, given] = [parts.get("ts"), parts.get("v1")];
  const id = query(ID_IN_QUERY);
  if (!ts || !given || !id) return false;
  const requestId = header("x-request-id");
  return [id, id.toLowerCase()].some((one) =>
    isSameSecret(signNotification(secret, { id: one, requestId, ts }), given),
  );
}

/** The signature, in hex; parts that are missing are left out. */
export function signNotification(
  secret: string,
  { id, requestId, ts }: { id: string; requestId: string | null; ts: string },
): string {
  const manifest = `id:${id};${requestId ? `request-id:${requestId};` : ""}ts:${ts};`;
  return createHmac("sha256", secret).update(manifest).digest("hex");
}
