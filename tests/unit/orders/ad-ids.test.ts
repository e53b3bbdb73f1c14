import { expect, test } from "vitest";
import { buildAdIds, readAdAnswer } from "#app/domain/order/ad-ids.server.ts";

/** The ids of a browser with these cookies. */
function idsOf(cookies: Record<string, string> = {}) {
  const visit = { hasConsent: true, agent: "Mozilla/5.0", host: "pague.exemplo.com.br" };
  const at = new Date("2026-01-01T00:00:00Z");
  return buildAdIds({ ...visit, cookies: new Map(Object.entries(cookies)) }, {}, at);
}

test("the ids of Google Analytics and TikTok are those of their cookies, and there are none without", () => {
  const cookies = { _ga: "GA1.1.123456.1767225600", _ttp: "2Xy-abc_1.tt" };
  expect(idsOf(cookies)).toMatchObject({ ga: cookies._ga, ttp: cookies._ttp });
  for (const name of ["fbc", "ga", "gaSessions", "ttp"]) expect(idsOf()).not.toHaveProperty(name);
});

test.each([
  ["consents", true, true, true],
  ["does not consent", false, true, false],
  ["is asked nothing, as the seller has no advertisers,", true, false, null],
])(
  "the ids of a browser are kept only with consent: its buyer %s",
  (_, hasConsent, hasAdvertisers, adConsent) => {
    const cookies = new Map([
      ["_ttp", "2Xy-abc_1.tt"],
      ["cliques", "1767225600000.gclid=stored"],
    ]);
    const visit = { hasConsent, agent: "Mozilla/5.0", host: "pague.exemplo.com.br", cookies };
    const kinds = hasAdvertisers ? ["meta"] : [];
    const { campaign, adAnswer } = readAdAnswer(visit, [["utm_source", "ig"]], kinds);
    expect(campaign).toEqual({ utm_source: "ig", ...(adConsent && { gclid: "stored" }) });
    const adIds = adConsent ? expect.objectContaining({ ttp: "2Xy-abc_1.tt" }) : null;
    expect(adAnswer).toEqual({ adConsent, adIds });
  },
);

test.each([
  ["all of them", ["meta", "tiktok"], ["meta", "tiktok"]],
  ["one, before another one was added", ["meta"], ["meta"]],
  ["one that is gone, too", ["meta", "tiktok", "kwai"], ["meta", "tiktok"]],
  ["none, as pages of earlier versions and the API do", undefined, ["meta", "tiktok"]],
  ["only others", ["kwai"], null],
])("a consent holds for the advertisers that the page named: it named %s", (_, namedKinds, kinds) => {
  const visit = { hasConsent: true, agent: "Mozilla/5.0", host: "pague.exemplo.com.br", cookies: new Map() };
  const { adAnswer } = readAdAnswer({ ...visit, namedKinds }, [], ["meta", "tiktok"]);
  const asked = { adConsent: true, adIds: expect.objectContaining({ kinds }) };
  expect(adAnswer).toEqual(kinds ? asked : { adConsent: null, adIds: null });
});

test("a cookie of up to 500 characters is one, a longer one is not", () => {
  expect(idsOf({ _ttp: "x".repeat(500) }).ttp).toHaveLength(500);
  expect(idsOf({ _ttp: "x".repeat(501) })).not.toHaveProperty("ttp");
});

test("of many sessions of Google Analytics five are kept", () => {
  const cookies = Object.fromEntries("ABCDEF".split("").map((name) => [`_ga_${name}1`, "GS2.1.s12$o3"]));
  expect(Object.keys(idsOf(cookies).gaSessions!)).toEqual(["A1", "B1", "C1", "D1", "E1"]);
});

test("an id that is made for Meta ends with a number of 31 bits, as its own do", () => {
  const numbers = Array.from({ length: 60 }, () => Number(idsOf().fbp!.split(".")[3]));
  expect(Math.max(...numbers)).toBeLessThan(2 ** 31);
  expect(new Set(numbers).size).toBeGreaterThan(1);
});
