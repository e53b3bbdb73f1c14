import { expect, test } from "vitest";
import { takeStream } from "#app/web/limits/event-streams.server.ts";

const from = (client: string) =>
  new Request("http://localhost/", { headers: { "X-Forwarded-For": client, "X-Socket-Address": client } });

test("a process has a bound of its own, and a place given back twice is one place", () => {
  const places = Array.from({ length: 4000 }, (_, i) =>
    takeStream(from(`10.${i >> 12}.${(i >> 4) & 255}.1`), `sale-${i >> 2}`),
  );
  const one = () => takeStream(from("10.99.0.1"), "one more");
  expect(one).toThrow(expect.objectContaining({ kind: "unavailable", retryAfter: 30 }));
  places[0]!();
  places[0]!();
  const leave = one();
  expect(one).toThrow("páginas demais");
  for (const giveBack of [leave, ...places]) giveBack();
  expect(one).not.toThrow();
});
