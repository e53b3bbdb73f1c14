import { expect, test } from "vitest";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import {
  type FunnelCampaign,
  hasViews,
  readFunnelCampaign,
  readFunnelFilter,
  writeFunnelCampaign,
} from "#app/domain/reports/funnel/funnel-filter.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const ID = "7b1c2d3e-4f50-4a61-8b72-9c83ad94be05";
const read = (query: Record<string, string>) => readFunnelFilter(new URLSearchParams(query), NOW);
const EVERYTHING = {
  period: periodOf("7d", NOW),
  ...{ productId: null, campaign: null, device: null, couponId: null, offerId: null },
};

test("an address without a filter means everything, as invalid values do", () => {
  expect(read({})).toEqual(EVERYTHING);
  const invalid = {
    range: "5d",
    product: "1a",
    campaign: "google",
    device: "toaster",
    coupon: "1",
    offer: "x",
  };
  expect(read(invalid)).toEqual(EVERYTHING);
  expect(read({ product: "9".repeat(16) })).toEqual(EVERYTHING);
});

test("each part of the filter is read from the address", () => {
  expect(read({ range: "90d", product: "42" })).toEqual({
    ...EVERYTHING,
    ...{ period: periodOf("90d", NOW), productId: 42 },
  });
  for (const device of ["phone", "computer"] as const)
    expect(read({ device })).toEqual({ ...EVERYTHING, device });
  expect(read({ campaign: '["google","natal"]' })).toEqual({ ...EVERYTHING, campaign: ["google", "natal"] });
  expect(read({ coupon: ID })).toEqual({ ...EVERYTHING, couponId: ID });
  expect(read({ offer: ID })).toEqual({ ...EVERYTHING, offerId: ID });
});

test("views are counted by neither coupon nor offer", () => {
  expect(hasViews({ couponId: null, offerId: null })).toBe(true);
  expect(hasViews({ couponId: ID, offerId: null })).toBe(false);
  expect(hasViews({ couponId: null, offerId: ID })).toBe(false);
});

test.each<[FunnelCampaign, string]>([
  [["google", "natal"], '["google","natal"]'],
  [["google", null], '["google",null]'],
  [[null, null], "[null,null]"],
  ["others", "[]"],
])("the campaign %j is written as %s, and read as it was", (campaign, text) => {
  expect(writeFunnelCampaign(campaign)).toBe(text);
  expect(readFunnelCampaign(text)).toEqual(campaign);
});

test("a campaign without a name is that of its source", () => {
  expect(readFunnelCampaign('["google"]')).toEqual(["google", null]);
});

test.each([
  "",
  "google",
  '"ab"',
  '"google"',
  "7",
  "{}",
  "null",
  '["a","b","c"]',
  '[1,"b"]',
  '["a",2]',
  '[["a"],"b"]',
])("no campaign is read from %s", (text) => {
  expect(readFunnelCampaign(text)).toBeNull();
});
