import { createHash, createHmac } from "node:crypto";

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The signature that an S3 service computes for a request at a signed address (AWS Signature Version 4, in the
 * query), as specified: the small server of these tests does not check them.
 */
export function signatureOf(address: string, secretKey: string, method = "GET"): string {
  const url = new URL(address);
  const param = (name: string) => url.searchParams.get(name) ?? "";
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  const path = url.pathname.split("/").map((part) => encoded(decodeURIComponent(part)));
  const canonical = [
    method,
    path.join("/"),
    query.join("&"),
    `host:${url.host}`,
    "",
    "host",
    "UNSIGNED-PAYLOAD",
  ];
  const [, ...scope] = param("X-Amz-Credential").split("/");
  const toSign = [
    param("X-Amz-Algorithm"),
    param("X-Amz-Date"),
    scope.join("/"),
    createHash("sha256").update(canonical.join("\n")).digest("hex"),
  ];
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secretKey}`);
  return hmac(key, toSign.join("\n")).toString("hex");
}
