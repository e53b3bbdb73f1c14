import { expect, test } from "vitest";
import { isMailAtHand, toMailState } from "#app/domain/access/mail-state.ts";
import { resentText } from "#app/domain/access/resent-text.ts";
import { MINUTE } from "#app/kit/duration.ts";

const AT = new Date("2026-11-25T12:00:00Z");

test.each([
  ["waiting", { status: "attempting", deliveredAt: null, bouncedAt: null }],
  ["sent", { status: "sent", deliveredAt: null, bouncedAt: null }],
  ["delivered", { status: "sent", deliveredAt: AT, bouncedAt: null }],
  ["returned", { status: "sent", deliveredAt: AT, bouncedAt: AT }],
  ["returned", { status: "failed", deliveredAt: null, bouncedAt: AT }],
  ["unsent", { status: "failed", deliveredAt: null, bouncedAt: null }],
] as const)("a mail is %s: %o", (state, times) => {
  expect(toMailState(times)).toBe(state);
});

test("a seller who sends the access again learns whether a mail was queued, still waits or was sent", () => {
  const textOf = (mail: "queued" | "waiting" | "sent") =>
    resentText({ recipient: "bia@exemplo.com.br", mail });
  expect(textOf("queued")).toBe("Email reenviado para bia@exemplo.com.br");
  expect(textOf("waiting")).toContain("ainda está na fila para bia@exemplo.com.br");
  expect(textOf("sent")).toContain("saiu para bia@exemplo.com.br há menos de um minuto");
});

test("a mail that waits is about to arrive for ten minutes", () => {
  const at = new Date("2026-11-20T12:00:00Z");
  const isAtHand = (ms: number) => isMailAtHand({ state: "waiting", at }, at.getTime() + ms);
  expect([0, 10 * MINUTE - 1, 10 * MINUTE].map(isAtHand)).toEqual([true, true, false]);
});
