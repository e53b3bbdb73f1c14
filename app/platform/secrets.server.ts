import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { env } from "#app/platform/env.server.ts";

/** What is made of an `APP_SECRET`. `id` tells which one sealed a text, and nothing else of it. */
const keysOf = (secret: string) => {
  const key = (purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync("sha256", secret, "checkintelli", purpose, bytes));
  // Made once: Node makes a key object of plain bytes at each use, which takes longer than the cipher itself.
  const object = (purpose: string) => createSecretKey(key(purpose));
  return { id: key("id", 4).toString("hex"), sealing: object("seal"), signing: object("sign") };
};
const current = keysOf(env.APP_SECRET);
/** The one in use first; then, while the secret is being changed, the other one: it is read, and nothing is made with it. */
const known = [current, ...(env.APP_SECRET_OLD ? [keysOf(env.APP_SECRET_OLD)] : [])];

/** Whether one secret gives way to another: `APP_SECRET_OLD` is set. */
export const isChangingSecret = known.length > 1;

/** The end of every text that is sealed with the secret in use. */
export const SEALED_NOW = `.${current.id}`;

/**
 * Encrypts a secret for the database: AES-256-GCM, `v1.<nonce>.<ciphertext+tag>.<key id>`, in base64url but for the last.
 * Texts of before have no key id, and a version of before reads past it.
 */
export function seal(plain: string | Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", current.sealing, nonce);
  const bytes = typeof plain === "string" ? Buffer.from(plain, "utf8") : plain;
  const body = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return `v1.${nonce.toString("base64url")}.${body.toString("base64url")}${SEALED_NOW}`;
}

/** Decrypts what `seal` made of a text. @throws Error where it was changed, or sealed with a secret that is neither of ours */
export function unseal(sealed: string): string {
  return unsealBytes(sealed).toString("utf8");
}

/** The same for what it made of bytes. @throws Error as `unseal` */
export function unsealBytes(sealed: string): Buffer {
  const [version, nonce, body, id] = sealed.split(".");
  if (version !== "v1" || !nonce || !body) throw new Error("not a sealed secret");
  const named = known.filter((keys) => keys.id === id);
  let failure: unknown = new Error("sealed with another APP_SECRET");
  for (const { sealing } of id === undefined ? known : named) {
    try {
      return decrypt(sealing, Buffer.from(nonce, "base64url"), Buffer.from(body, "base64url"));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function decrypt(key: KeyObject, nonce: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
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

export type Sign = (text: string) => string;

/**
 * `sign` with the secret in use, then with the other one while the secret is being changed. What was signed before is
 * known by either: whoever compares or looks up asks with both.
 */
export const signers: readonly Sign[] = known.map(
  ({ signing }) =>
    (text) =>
      createHmac("sha256", signing).update(text).digest("base64url"),
);

/** A keyed hash of private text that must be looked up but not read (HMAC-SHA-256, base64url). */
export const sign: Sign = signers[0]!;

/** The text's keyed hash by each secret that is known, that of the one in use first. */
export function signaturesOf(text: string): string[] {
  return signers.map((each) => each(text));
}

/** Whether two secret texts are the same, in a time that tells neither where they differ nor how long the right one is. */
export function isSameSecret(known: string, given: string): boolean {
  const [a, b] = [known, given].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a!, b!);
}
