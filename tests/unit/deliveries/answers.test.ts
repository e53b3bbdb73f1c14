import { expect, test } from "vitest";
import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

function judged(kind: string, status: number, headers: Record<string, string> = {}, body = "") {
  return kindOf(kind).judge({ status, headers: new Headers(headers), body });
}

const SERVICES = ["cademi", "memberkit", "utmify", "meta", "ga4", "tiktok", "kwai"];
const PAGE = "\n<!DOCTYPE html><title>Attention Required! | Cloudflare</title>";

test.each([
  ["webhook", 200, "taken", "taken"],
  ["webhook", 299, "taken", "taken"],
  ["webhook", 300, "again", "redirect"],
  ["webhook", 399, "again", "redirect"],
  ["webhook", 400, "again", "status"],
  ["webhook", 410, "gone", "gone"],
  ["webhook", 411, "again", "status"],
  ["webhook", 500, "again", "status"],
  ["memberkit", 300, "refused", "redirect"],
  ["memberkit", 399, "refused", "redirect"],
  ["memberkit", 400, "refused", "rejected"],
  ["memberkit", 401, "gone", "token"],
  ["memberkit", 403, "again", "unclear"],
  ["memberkit", 404, "refused", "rejected"],
  ["memberkit", 499, "refused", "rejected"],
  ["memberkit", 500, "again", "status"],
  ["kwai", 300, "refused", "status"],
  ["kwai", 399, "refused", "status"],
  ["kwai", 400, "refused", "rejected"],
  ["kwai", 429, "again", "status"],
  ["kwai", 499, "refused", "rejected"],
  ["kwai", 500, "again", "status"],
  ["utmify", 299, "taken", "taken"],
  ["utmify", 300, "refused", "redirect"],
  ["utmify", 399, "refused", "redirect"],
  ["utmify", 400, "refused", "rejected"],
  ["utmify", 403, "again", "unclear"],
  ["utmify", 405, "refused", "rejected"],
  ["utmify", 428, "refused", "rejected"],
  ["utmify", 499, "refused", "rejected"],
  ["utmify", 500, "again", "status"],
])("%s's answer %i is %s: %s", (kind, status, result, reason) => {
  expect(judged(kind, status)).toMatchObject({ result, reason });
});

test.each(["webhook", "memberkit", "cademi"])("a busy %s is left alone for half a minute", (kind) => {
  for (const status of [429, 502, 503, 504]) {
    expect(judged(kind, status)).toEqual({ result: "again", reason: "status", retryAfterMs: 30 * SECOND });
    expect(judged(kind, status, { "retry-after": "5" })).toMatchObject({ retryAfterMs: 30 * SECOND });
    expect(judged(kind, status, { "retry-after": "120" })).toMatchObject({ retryAfterMs: 2 * MINUTE });
  }
  for (const status of [500, 501, 505]) expect(judged(kind, status)).not.toHaveProperty("retryAfterMs");
});

test("a busy advertiser is left alone for a minute", () => {
  expect(judged("kwai", 429)).toMatchObject({ retryAfterMs: MINUTE });
  expect(judged("kwai", 500)).toMatchObject({ retryAfterMs: MINUTE });
});

test.each(SERVICES)("%s is called again after what says nothing of the message", (kind) => {
  for (const status of [408, 409, 423, 425, 429])
    expect(judged(kind, status)).toMatchObject({ result: "again", reason: "status" });
  for (const status of [400, 401, 403, 404, 405])
    expect(judged(kind, status, {}, PAGE)).toMatchObject({ result: "again", reason: "unclear" });
  expect(judged(kind, 403, {}, "Forbidden")).toMatchObject({ result: "again", reason: "unclear" });
  expect(judged(kind, 404, {}, '{"error":"não existe"}').result).toBe("refused");
});

test.each([
  ["cademi", 403, '{"success":false,"msg":"Token inválido"}', "gone"],
  ["memberkit", 403, ' {"error":"Chave inválida"}', "gone"],
  ["kwai", 403, '{"result":100110001}', "gone"],
  ["utmify", 403, '{"message":"API_CREDENTIAL_NOT_FOUND"}', "refused"],
  ["utmify", 403, '"API_CREDENTIAL_NOT_FOUND"', "refused"],
  ["memberkit", 403, '["Chave inválida"]', "gone"],
  ["utmify", 404, '"API_CREDENTIAL_NOT_FOUND"', "refused"],
  ["utmify", 404, '{"message":"API_CREDENTIAL_NOT_FOUND"}', "refused"],
])("%s refuses a token by %i with %s", (kind, status, body, result) => {
  expect(judged(kind, status, {}, body)).toMatchObject({ result, reason: "token" });
});
