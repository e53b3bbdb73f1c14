import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { closePortal, findPortalBuyer, openPortal } from "#app/domain/buyer/open-portal.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { mailedToken } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** A buyer's e-mail, and the link that was mailed there. */
async function mailedLink() {
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  await makeSale(await makeProduct(await makeSeller()), { status: "completed", customerEmail: email });
  await sendPortalLink(email);
  return { email, link: await mailedToken(email) };
}

/** For how many minutes the link or session of an e-mail is still valid. */
async function minutesLeft(email: string): Promise<number> {
  const [row] = await sql`
    select round(extract(epoch from expires_at - now()) / 60)::int as minutes from buyer_sessions where email = ${email}`;
  return row!.minutes;
}

test("a link is valid for half an hour, the session it opens for a week, and no longer", async () => {
  const { email, link } = await mailedLink();
  expect(await minutesLeft(email)).toBe(30);
  const token = await openPortal(link);
  expect(await minutesLeft(email)).toBe(7 * 24 * 60);
  expect(await findPortalBuyer(token)).toEqual({ email });
  await sql`update buyer_sessions set expires_at = now() - interval '1 second' where email = ${email}`;
  expect(await findPortalBuyer(token)).toBeNull();
});

test("leaving ends the session of this browser, and no other", async () => {
  const [mine, other] = [await mailedLink(), await mailedLink()];
  const [token, otherToken] = [await openPortal(mine.link), await openPortal(other.link)];
  await closePortal(token);
  expect(await findPortalBuyer(token)).toBeNull();
  expect(await findPortalBuyer(otherToken)).toEqual({ email: other.email });
});
