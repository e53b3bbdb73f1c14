import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { confirmEmail } from "#app/domain/identity/email/confirm-email.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

/** The mails of a seller, with their texts. */
async function noticesOf({ id }: { id: string }) {
  return opened(await sql`select recipient, body_sealed from ${mailsWithTexts()} where seller_id = ${id}`);
}

test("a notice says what changed and from where, and leads to what its seller can do", async () => {
  const seller = await makeSeller();
  const origin = { ip: "203.0.113.7", userAgent: "test" };
  await queueSecurityMail(db, seller.id, { change: "password", origin, lines: ["Chave <b>nova</b>"] });
  const [notice, ...more] = await noticesOf(seller);
  expect(more).toEqual([]);
  expect(notice!.recipient).toBe(seller.email);
  const { subject, html } = notice!.payload;
  expect(subject).toBe("Aviso de segurança: sua senha mudou");
  expect(html).toContain("IP 203.0.113.7");
  expect(html).toContain("Chave &lt;b&gt;nova&lt;/b&gt;");
  expect(html).toContain(`"${env.APP_URL}${paths.forgotPassword()}"`);
  const access = `${env.APP_URL}${paths.access()}`;
  expect(html).toContain(`<a href="${access}">${access}</a>`);
});

test("a notice whose origin is not known names no address, and goes where it is sent", async () => {
  const seller = await makeSeller();
  await queueSecurityMail(db, seller.id, { change: "email", to: "antes@exemplo.com.br" });
  const [notice] = await noticesOf(seller);
  expect(notice!.recipient).toBe("antes@exemplo.com.br");
  expect(notice!.payload.html).not.toContain("IP ");
});

test("the address that an account had before is not told to create a password, which it cannot", async () => {
  const seller = await makeSeller();
  const email = `outro-${randomUUID()}@exemplo.com.br`;
  await confirmEmail((await issueEmailToken(db, { sellerId: seller.id, purpose: "confirm", email })).token);
  await requestPasswordReset(seller.email);
  const [notice, ...more] = await noticesOf(seller);
  expect(more).toEqual([]);
  const { recipient, payload } = notice!;
  expect(recipient).toBe(seller.email);
  expect(payload.html).not.toContain(paths.forgotPassword());
  expect(payload.html).toContain("este endereço não recupera mais a conta");
});

test("a notice is logged, and queued for a worker that is woken at once", async () => {
  const seller = await makeSeller();
  const woken: string[] = [];
  const { unlisten } = await sql.listen("due", (payload) => void woken.push(payload));
  const info = vi.spyOn(log, "info").mockImplementation(() => {});
  try {
    await queueSecurityMail(db, seller.id, { change: "password" });
    expect(info).toHaveBeenCalledExactlyOnceWith(
      { sellerId: seller.id, change: "password" },
      "account changed",
    );
  } finally {
    info.mockRestore();
  }
  await until(() => woken.includes("mails"), { what: "workers to be woken", seconds: 30 });
  await unlisten();
});
