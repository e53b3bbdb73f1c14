import { sendTestMail, type TestMailResult } from "#app/domain/mail/sending/send-test-mail.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";

type Seller = Parameters<typeof sendTestMail>[0];

/**
 * Sends a seller's test mail, rate-limited: fewer to other addresses than to their own.
 * @throws Refusal too-many, and what `sendTestMail` throws
 */
export async function sendLimitedTestMail(
  request: Request,
  seller: Seller,
  { to, template }: { to: string; template?: Template },
): Promise<TestMailResult> {
  await throttle("test-mail", request, seller.id);
  const address = cleanMail(to);
  if (address !== seller.email) await throttle("test-mail-to-stranger", request, address);
  return sendTestMail(seller, to, template);
}
