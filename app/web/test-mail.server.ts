import { sendTestMail, type TestMail } from "#app/domain/mail/outbox/send-test-mail.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";

type Seller = Parameters<typeof sendTestMail>[0];

/**
 * Sends a seller's test mail, counted: to somebody else's address fewer than to their own.
 * @throws Refusal too-many, and what `sendTestMail` throws
 */
export async function sendCountedTestMail(
  request: Request,
  seller: Seller,
  { to, template }: { to: string; template?: Template },
): Promise<TestMail> {
  await throttle("test-mail", request, seller.id);
  const address = to.trim().toLowerCase();
  if (address !== seller.email) await throttle("test-mail-to-stranger", request, address);
  return sendTestMail(seller, to, template);
}
