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

/** Keys derived from an `APP_SECRET`. `id` names the secret that sealed a text, and reveals nothing else about it. */
const deriveKeys = (secret: string) => {
  const key = (purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync("sha256", secret, "checkintelli", purpose, bytes));
  // Created once: Node otherwise creates a key object at each use, which takes longer than the cipher itself.
  const object = (purpose: string) => createSecretKey(key(purpose));
  return { id: key("id", 4).toString("hex"), sealing: object("seal"), signing: object("sign") };
};
const current = deriveKeys(env.APP_SECRET);
/**
 * The current secret first, then the old one while the secret is being rotated; the old one only decrypts and verifies.
 */
const known = [current, ...(env.APP_SECRET_OLD ? [deriveKeys(env.APP_SECRET_OLD)] : [])];

/** Whether the secret is being rotated: `APP_SECRET_OLD` is set. */
export const isRotatingSecret = known.length > 1;

/** Suffix of every text that is sealed with the current secret. */
export const CURRENT_SEAL_SUFFIX = `.${current.id}`;

/**
 * Encrypts a secret for the database: AES-256-GCM, `v1.<nonce>.<ciphertext+tag>.<key id>`, in base64url except for the
 * last. Older texts have no key id, and older versions ignore it.
 */
export function seal(plain: string | Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", current.sealing, nonce);
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `v1.${nonce.toString("base64url")}.${body.toString("base64url")}${CURRENT_SEAL_SUFFIX}`;
}

/** Decrypts a text from `seal`. @throws Error if it was changed, or sealed with an unknown secret */
export function unseal(sealed: string): string {
  return unsealBytes(sealed).toString("utf8");
}

/** Decrypts bytes from `seal`. @throws Error like `unseal` */
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

/**
 * A secret as a screen may show it: dots and its last four characters, without them where they would be much of it. Saving the
 * mask leaves the secret unchanged.
 */
export function maskSecret(plain: string): string {
  return `••••••••${plain.length < 8 ? "" : plain.slice(-4)}`;
}

/** Whether a posted value is a mask shown earlier, not a new secret. */
export function isMask(value: string): boolean {
  return value.startsWith("••••");
}

/** 32 random bytes as base64url: for cookies, links and keys that must not be guessed. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a random token: SHA-256, hex. Enough for 256 random bits; passwords use argon2. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export type Sign = (text: string) => string;

/**
 * `sign` with the current secret, then with the old one while the secret is being rotated. Compare or look up with
 * both, since older signatures used the old one.
 */
export const signers: readonly Sign[] = known.map(
  ({ signing }) =>
    (text) =>
      createHmac("sha256", signing).update(text).digest("base64url"),
);

/** A keyed hash of private text that must be looked up but not read (HMAC-SHA-256, base64url). */
export const sign: Sign = signers[0]!;

/** The text's keyed hash by each known secret, the current one first. */
export function signaturesOf(text: string): string[] {
  return signers.map((each) => each(text));
}

/** Compares two secret texts in a time that reveals neither where they differ nor how long the right one is. */
export function isSameSecret(known: string, given: string): boolean {
  const [a, b] = [known, given].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a!, b!);
}
