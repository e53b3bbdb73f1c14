import {
  checkResendKey,
  findNewKey,
  type NewResendKey,
} from "#app/domain/mail/resend/check-resend-key.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";

/** Counts the check of a typed Resend key, if there is one to make. @throws Refusal too-many, invalid */
export async function limitKeyCheck(request: Request, sellerId: string, typed: string): Promise<void> {
  if ((await findNewKey(sellerId, typed)) !== null) await throttle("outside-call", request, sellerId);
}

/** The same, and checks it. @throws Refusal as `checkResendKey` does */
export async function checkLimitedKey(
  request: Request,
  sellerId: string,
  typed: string,
): Promise<NewResendKey | null> {
  await limitKeyCheck(request, sellerId, typed);
  return checkResendKey(sellerId, typed);
}

/** Counts a call to a seller's account at Resend, if they have one. @throws Refusal too-many */
export async function limitResendCalls(request: Request, sellerId: string): Promise<void> {
  if (await findResendKey(sellerId)) await throttle("outside-call", request, sellerId);
}
