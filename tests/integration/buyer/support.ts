import { openPortal } from "#app/domain/buyer/open-portal.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { portalCookie } from "#app/server/session/portal-cookie.server.ts";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";

/** The token of the newest link that was mailed to an address: of a mail that waits, else of the newest that was sent. */
export async function mailedToken(email: string, path = "/minhas-compras/entrar/"): Promise<string> {
  const [waiting] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where recipient = ${email} and body_sealed is not null
      order by created_at desc limit 1`,
  );
  const html = waiting?.payload.html ?? (await sentTo(email));
  const found = html.split(path)[1]?.split('"')[0];
  if (!found) throw new Error(`no link was mailed to ${email}`);
  return found;
}

/** The HTML of the newest mail in this file's sandbox for an address; empty if there is none. */
async function sentTo(email: string): Promise<string> {
  const [sent] = await sql`select 1 from mails where recipient = ${email} and status = 'sent' limit 1`;
  if (!sent) return "";
  const mails = await sandboxControl(`http://localhost:${process.env.SANDBOX_PORT}`).emails(email);
  return String(mails.at(-1)?.body.html ?? "");
}

/** Headers of a browser in which this address's purchases are open. */
export async function inPortal(email: string): Promise<Record<string, string>> {
  await sendPortalLink(email);
  return cookieOf(await portalCookie(await openPortal(await mailedToken(email))));
}

/** Headers of the browser that placed a sale. */
export async function inBrowserOf(sale: { id: string }): Promise<Record<string, string>> {
  return cookieOf((await rememberSale(new Request("http://localhost"), sale.id))[0]!);
}

/** Headers of any other browser. */
export function fromElsewhere(): Record<string, string> {
  return { "X-Forwarded-For": newAddress() };
}

function cookieOf(line: string): Record<string, string> {
  return { ...fromElsewhere(), Cookie: line.split(";")[0]! };
}
