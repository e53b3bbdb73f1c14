import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sessions } from "#app/db/schema/sellers.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSeller } from "#tests/support/make.ts";

const app = await startApp({ worker: 0, sandbox: false, env: { TRUSTED_PROXY_HOPS: "0" } });

test("without a proxy of ours nobody chooses an id, so no line of the log is another's", async () => {
  const answer = await app.fetch("/login", { headers: { "X-Request-Id": "somebody-elses-id" } });
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{16}$/);
});

test("without a proxy the client is the socket's address, whatever the request claims", async () => {
  const seller = await makeSeller({ passwordHash: await hashPassword("senha-de-teste-1") });
  const answer = await app.fetch("/api/sessions", {
    method: "POST",
    headers: {
      "X-Forwarded-For": "203.0.113.9",
      "X-Socket-Address": "203.0.113.9",
      "X-Answer-Number": "1",
    },
    body: JSON.stringify({ email: seller.email, password: "senha-de-teste-1" }),
  });
  expect(answer.status).toBe(200);
  const [row] = await db.select().from(sessions).where(eq(sessions.sellerId, seller.id));
  expect(["127.0.0.1", "::1"]).toContain(row!.ip);
});
