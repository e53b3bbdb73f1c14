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
