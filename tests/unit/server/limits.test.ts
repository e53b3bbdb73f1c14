import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { concurrencyLimiter } from "#app/platform/concurrency-limiter.ts";
import { countInWindow } from "#app/platform/count-in-window.ts";
import { limitCampaigns } from "#app/server/limits/limit-campaigns.server.ts";
import {
  countUnknownCoupon,
  limitCouponGuesses,
  refuseCouponGuesses,
} from "#app/server/limits/limit-coupon-guesses.server.ts";
import { limitHeaders, recordLimit } from "#app/server/limits/limit-headers.server.ts";
import { limitOAuthCodes } from "#app/server/limits/limit-oauth-codes.server.ts";
import { limitPolicyReports, mayLogPolicyReport } from "#app/server/limits/limit-policy-reports.server.ts";
import { limitPreviews } from "#app/server/limits/limit-previews.server.ts";
import { limitVisits } from "#app/server/limits/limit-visits.server.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";

// A clock of its own, each test on a later day: windows begin with a test and end when it says so.
let day = 0;
beforeEach(() => {
  vi.useFakeTimers();
  day += 1;
  vi.advanceTimersByTime(day * DAY);
});
afterEach(() => {
  vi.useRealTimers();
});

let clients = 0;
/** A request of a client that no other test uses. */
function newClient(): Request {
  const number = clients++;
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  return new Request("http://localhost/", { headers: { "X-Forwarded-For": address } });
}

test("a window counts each key by itself, states when it ends, and begins anew then", () => {
  const count = countInWindow(2, 1000);
  expect([count("a"), count("a")]).toEqual([0, 0]);
  vi.advanceTimersByTime(400);
  expect([count("a"), count("b")]).toEqual([600, 0]);
  vi.advanceTimersByTime(600);
  expect([count("a"), count("a"), count("a")]).toEqual([0, 0, 1000]);
});

test("slots are limited by name, and a slot released twice is one slot", () => {
  const acquire = concurrencyLimiter(2);
  const [first, second] = [acquire("a"), acquire("a")];
  expect([acquire("a"), acquire("b")]).toEqual([null, expect.any(Function)]);
  first!();
  first!();
  expect([acquire("a"), acquire("a")]).toEqual([expect.any(Function), null]);
  second!();
  expect(acquire("a")).not.toBeNull();
});

test.each([
  [0, "1 segundo", 1],
  [1000, "1 segundo", 1],
  [1001, "2 segundos", 2],
  [59_000, "59 segundos", 59],
  [60_000, "1 minuto", 60],
  [60_001, "2 minutos", 61],
])("after %i ms more: %s", (wait, words, retryAfter) => {
  const message = `Muitas tentativas. Tente de novo em ${words}.`;
  expect(tooManyRefusal(wait, "email")).toMatchObject({
    kind: "too-many",
    message,
    field: "email",
    retryAfter,
  });
});

test("of several limits the headers state the one with the least remaining", () => {
  const request = newClient();
  expect(limitHeaders(request)).toEqual({});
  recordLimit(request, { limit: 10, remaining: 3, wait: 1500 });
  recordLimit(request, { limit: 7, remaining: 3, wait: 9000 });
  recordLimit(request, { limit: 5, remaining: 4, wait: 9000 });
  const headers = (limit: string, remaining: string, reset: string) => ({
    "RateLimit-Limit": limit,
    "RateLimit-Remaining": remaining,
    "RateLimit-Reset": reset,
  });
  expect(limitHeaders(request)).toEqual(headers("10", "3", "2"));
  recordLimit(request, { limit: 4, remaining: -1, wait: 3000 });
  expect(limitHeaders(request)).toEqual(headers("4", "0", "3"));
});

const named = (campaign: string) =>
  ({
    product: { id: 1 },
    step: "seen",
    campaign: ["ig", campaign],
    device: "phone",
  }) satisfies Parameters<typeof limitCampaigns>[1];

test("a client's campaigns beyond the tenth are counted as others, for an hour", () => {
  const client = newClient();
  const counted = (request: Request, campaign: string) => limitCampaigns(request, named(campaign)).campaign;
  for (let n = 0; n < 10; n++) expect(counted(client, `c${n}`)).toEqual(["ig", `c${n}`]);
  expect(counted(client, "c10")).toBe("others");
  expect(counted(client, "c3")).toEqual(["ig", "c3"]);
  expect(counted(newClient(), "c10")).toEqual(["ig", "c10"]);
  const none = { ...named("x"), campaign: [null, null] as [null, null] };
  expect(limitCampaigns(client, none)).toBe(none);
  const sourceOnly = { ...named("x"), campaign: ["ig", null] as [string, null] };
  expect(limitCampaigns(client, sourceOnly).campaign).toBe("others");
  const others = { ...named("x"), campaign: "others" as const };
  expect(limitCampaigns(client, others)).toBe(others);
  const elsewhere = { ...named("c10"), product: { id: 2 } };
  expect(limitCampaigns(client, elsewhere)).toBe(elsewhere);
  vi.advanceTimersByTime(60 * 60_000);
  expect(counted(client, "c10")).toEqual(["ig", "c10"]);
});

test("the campaigns of twenty thousand clients are remembered, then all begin anew", () => {
  // What other tests have left is over.
  vi.advanceTimersByTime(60 * 60_000);
  const limited = newClient();
  const isCounted = (n: number) => limitCampaigns(limited, named(`c${n}`)).campaign !== "others";
  for (let n = 0; n < 10; n++) expect(isCounted(n)).toBe(true);
  for (let client = 0; client < 19_998; client++) limitCampaigns(newClient(), named("c"));
  expect(isCounted(10)).toBe(false);
  limitCampaigns(newClient(), named("c"));
  expect(isCounted(10)).toBe(true);
});

const refusedFor = (retryAfter: number) => expect.objectContaining({ kind: "too-many", retryAfter });

test("thirty unknown codes typed, or two hundred by link, refuse a client's codes for ten minutes", async () => {
  const [typing, linked] = [newClient(), newClient()];
  for (let n = 0; n < 30; n++) {
    await refuseCouponGuesses(typing, "typed");
    await countUnknownCoupon(typing, "typed");
  }
  await expect(refuseCouponGuesses(typing, "typed")).rejects.toThrow(refusedFor(600));
  await refuseCouponGuesses(typing, "linked");
  for (let n = 0; n < 200; n++) {
    await refuseCouponGuesses(linked, "linked");
    await countUnknownCoupon(linked, "linked");
  }
  await expect(refuseCouponGuesses(linked, "linked")).rejects.toMatchObject({ field: "coupon" });
  vi.advanceTimersByTime(600_000);
  await refuseCouponGuesses(typing, "typed");
});

test("an order counts an unknown code and no other refusal, and one without a code is never refused", async () => {
  const client = newClient();
  const refusing = (code: string) => () =>
    Promise.reject(new Refusal("invalid", "Não vale", "coupon", undefined, code));
  const typed = { typed: "ABC", linked: null };
  for (let n = 0; n < 40; n++)
    await expect(limitCouponGuesses(client, typed, refusing("coupon-over"))).rejects.toThrow("Não vale");
  for (let n = 0; n < 30; n++)
    await expect(limitCouponGuesses(client, typed, refusing("coupon-unknown"))).rejects.toThrow("Não vale");
  const place = () => Promise.resolve("placed");
  await expect(limitCouponGuesses(client, typed, place)).rejects.toThrow("Muitas tentativas");
  await expect(limitCouponGuesses(client, { typed: null, linked: "ABC" }, place)).rejects.toThrow("Muitas");
  expect(await limitCouponGuesses(client, { typed: null, linked: null }, place)).toBe("placed");
});

test("reports of the card page's policy: twenty of a client in ten seconds, sixty lines of all in a minute", () => {
  const client = newClient();
  for (let n = 0; n < 20; n++) limitPolicyReports(client);
  expect(() => limitPolicyReports(client)).toThrow(refusedFor(10));
  limitPolicyReports(newClient());
  const logged = Array.from({ length: 61 }, () => mayLogPolicyReport());
  expect(logged).toEqual([...Array(60).fill(true), false]);
});

test("reports of visits: a hundred and twenty of a client in ten seconds", () => {
  const client = newClient();
  for (let n = 0; n < 120; n++) limitVisits(client);
  expect(() => limitVisits(client)).toThrow(refusedFor(10));
});

test("codes of the identity provider: sixty of a client in ten minutes", () => {
  const client = newClient();
  for (let n = 0; n < 60; n++) limitOAuthCodes(client);
  expect(() => limitOAuthCodes(client)).toThrow(refusedFor(600));
  limitOAuthCodes(newClient());
});

test("previews are counted by seller and by client", async () => {
  const client = newClient();
  for (let n = 0; n < 30; n++) await limitPreviews(newClient(), "seller-of-thirty");
  await expect(limitPreviews(newClient(), "seller-of-thirty")).rejects.toThrow(refusedFor(20));
  for (let n = 0; n < 30; n++) await limitPreviews(client, `seller-${n}`);
  await expect(limitPreviews(client, "seller-30")).rejects.toThrow(refusedFor(20));
});
