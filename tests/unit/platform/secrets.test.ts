import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { env } from "#app/platform/env.server.ts";
import {
  CURRENT_SEAL_SUFFIX,
  isMask,
  isRotatingSecret,
  maskSecret,
  randomToken,
  seal,
  unseal,
  unsealBytes,
} from "#app/platform/secrets.server.ts";

/** What is stored was sealed with these bytes, so they may not change. */
const derive = (purpose: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", env.APP_SECRET, "checkintelli", purpose, bytes));

/** A text as the first version stored it: without the id of its key. */
function sealedAtFirst(plain: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derive("seal", 32), nonce);
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${nonce.toString("base64url")}.${body.toString("base64url")}`;
}

test("stored texts are read, with the id of their key and without one", () => {
  const stored = sealedAtFirst("chave");
  const id = derive("id", 4).toString("hex");
  expect(unseal(stored)).toBe("chave");
  expect(unseal(`${stored}.${id}`)).toBe("chave");
  expect(CURRENT_SEAL_SUFFIX).toBe(`.${id}`);
});

test("texts and bytes are sealed in one format, and differently each time", () => {
  const [first, second] = [seal("chave"), seal("chave")];
  expect(first).not.toBe(second);
  for (const sealed of [first, second]) {
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{28}\.[0-9a-f]{8}$/);
    expect(unseal(sealed)).toBe("chave");
  }
  const bytes = Buffer.from([0, 255, 10]);
  expect(unsealBytes(seal(bytes))).toEqual(bytes);
});

test("a text that was changed, or is of another version or secret, is not read", () => {
  const [version, nonce, body, id] = seal("chave").split(".");
  const otherNonce = seal("outra").split(".")[1];
  for (const parts of [
    ["v2", nonce, body, id],
    [version, otherNonce, body, id],
    [version, nonce, body, "00000000"],
    [version, "", body, id],
    [version, nonce, "", id],
    ["chave"],
  ])
    expect(() => unseal(parts.join(".")), parts.join(".")).toThrow();
  for (const parts of [["v2", nonce, body, id], [version, "", body, id], [version, nonce, "", id], ["chave"]])
    expect(() => unseal(parts.join(".")), parts.join(".")).toThrow("not a sealed secret");
});

test("without APP_SECRET_OLD no secret is being replaced", () => {
  expect(isRotatingSecret).toBe(false);
});

test("a mask shows the last four characters; a random token is of 32 bytes", () => {
  expect(maskSecret("12|chave-AAAA")).toBe("••••••••AAAA");
  expect(maskSecret("chave-A")).toBe("••••••••");
  expect([isMask("••••••••AAAA"), isMask("12|chave-AAAA")]).toEqual([true, false]);
  expect(randomToken()).toMatch(/^[\w-]{43}$/);
});
