import { expect, test } from "vitest";
import { acquireStream } from "#app/server/limits/limit-event-streams.server.ts";

const from = (client: string) =>
  new Request("http://localhost/", { headers: { "X-Forwarded-For": client, "X-Socket-Address": client } });

test("a process has its own limit, and a slot released twice is one slot", () => {
  const slots = Array.from({ length: 4000 }, (_, i) =>
    acquireStream(from(`10.${i >> 12}.${(i >> 4) & 255}.1`), `sale-${i >> 2}`),
  );
  const one = () => acquireStream(from("10.99.0.1"), "one more");
  expect(one).toThrow(expect.objectContaining({ kind: "unavailable", retryAfter: 30 }));
  slots[0]!();
  slots[0]!();
  const leave = one();
  expect(one).toThrow("páginas demais");
  for (const giveBack of [leave, ...slots]) giveBack();
  expect(one).not.toThrow();
});

test("a sale has four streams, a client sixty", () => {
  const slots = [1, 2, 3, 4].map((client) => acquireStream(from(`10.98.0.${client}`), "watched"));
  const fifth = () => acquireStream(from("10.98.0.5"), "watched");
  expect(fifth).toThrow(expect.objectContaining({ kind: "too-many", retryAfter: 30 }));
  slots[0]!();
  fifth()();
  const own = Array.from({ length: 60 }, (_, sale) => acquireStream(from("10.97.0.1"), `own-${sale}`));
  // What is refused for its client takes no slot of its sale.
  for (let attempt = 0; attempt < 5; attempt++)
    expect(() => acquireStream(from("10.97.0.1"), "other")).toThrow(
      expect.objectContaining({ kind: "too-many" }),
    );
  // Whoever closes a page may open another one.
  own[0]!();
  acquireStream(from("10.97.0.1"), "own-60")();
  const others = [1, 2, 3, 4].map((client) => acquireStream(from(`10.96.0.${client}`), "other"));
  for (const giveBack of [...slots, ...own, ...others]) giveBack();
});
