import type { OpenDestination, Skipped, Verdict } from "#app/domain/delivery/destination.ts";
import type { MemberSettings } from "#app/domain/delivery/member-area/settings.ts";
import { isPage, judgePassing } from "#app/domain/delivery/passing-answer.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { parseRetryAfter } from "#app/platform/retry-after.ts";

/** The settings of a member area, as its form stored them. */
export function areaOf({ settings }: Pick<OpenDestination, "settings">): MemberSettings {
  return settings as MemberSettings;
}

/** Whose access opens or ends. */
export type Access = { opens: boolean; email: string };

/** The access to open or end, or the reason to skip it. */
export function accessOf({
  event,
  customer,
  moneyReturned: isRefunded,
  suspended,
}: SaleNotification): Access | Skipped {
  const opens = event === "access.granted";
  if (!opens && event !== "access.revoked") return { skipReason: "nothing-to-say" };
  if (!customer.email) return { skipReason: "no-email" };
  // Sent late, or again: what was refunded meanwhile is not opened.
  if (opens && isRefunded) return { skipReason: "given-back" };
  if (opens && suspended) return { skipReason: "disputed" };
  return { opens, email: customer.email };
}

/** `+5511987654321` as these services take it, without the country code. */
export function nationalPhone(phone: string | null): string | undefined {
  return phone?.startsWith("+55") ? phone.slice(3) : undefined;
}

/** The texts of a body that identify its buyer: these services repeat them in answers, and no log may contain them. */
export function personalTexts(body: Record<string, unknown>, fields: readonly string[]): string[] {
  const texts = fields.map((field) => pick(body, field));
  // Redacting a name of a letter or two would black out half the answer.
  return texts.filter((text): text is string => typeof text === "string" && text.length > 2);
}

/** Statuses after which a service needs time, even without `Retry-After`. */
const BUSY = [429, 502, 503, 504];
const BUSY_FOR = 30 * SECOND;

/** The verdict on an answer by its status and form; null where it may be a yes. */
export function judgeAccess(answer: { status: number; headers: Headers; body: string }): Verdict | null {
  const { status, headers, body } = answer;
  if (BUSY.includes(status))
    return { result: "again", reason: "status", retryAfterMs: Math.max(parseRetryAfter(headers), BUSY_FOR) };
  const passing = judgePassing(answer);
  if (passing) return passing;
  if (status === 401 || status === 403) return { result: "gone", reason: "token" };
  if (status >= 400) return { result: "refused", reason: "rejected" };
  if (status >= 300) return { result: "refused", reason: "redirect" };
  return isPage(body) ? { result: "again", reason: "unclear" } : null;
}
