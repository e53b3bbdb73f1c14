import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { env } from "#app/platform/env.server.ts";

const key = (purpose: string) => Buffer.from(hkdfSync("sha256", env.APP_SECRET, "checkintelli", purpose, 32));
const sealingKey = key("seal");
const signingKey = key("sign");

/** Encrypts a secret for the database: AES-256-GCM, `v1.<nonce>.<ciphertext+tag>` in base64url. */
export function seal(plain: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey, nonce);
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${nonce.toString("base64url")}.${body.toString("base64url")}`;
}

/** Decrypts what `seal` made. @throws Error where it was changed or sealed with another APP_SECRET */
export function unseal(sealed: string): string {
  const [version, nonce, body] = sealed.split(".");
  if (version !== "v1" || !nonce || !body) throw new Error("not a sealed secret");
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", sealingKey, Buffer.from(nonce, "base64url"));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
}

/** A secret as a screen may show it: its last four characters behind dots. Saving the mask keeps the secret. */
export function maskSecret(plain: string): string {
  return `••••••••${plain.slice(-4)}`;
}

/** Whether a posted value is a mask shown earlier, not a new secret. */
export function isMask(value: string): boolean {
  return value.startsWith("••••");
}

/** 32 random bytes as base64url: for cookies, links and keys that must not be guessed. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** How a random token is kept: SHA-256, hex. Enough for 256 random bits; passwords use argon2. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A keyed hash of private text that must be looked up but not read (HMAC-SHA-256, base64url). */
export function sign(text: string): string {
  return createHmac("sha256", signingKey).update(text).digest("base64url");
}

/** Whether two secret texts are the same, in a time that tells neither where they differ nor how long the right one is. */
export function isSameSecret(known: string, given: string): boolean {
  const [a, b] = [known, given].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a!, b!);
}
