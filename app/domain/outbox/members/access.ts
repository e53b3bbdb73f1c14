import type { OpenDestination, Unsaid, Verdict } from "#app/domain/outbox/destination.ts";
import type { MemberSettings } from "#app/domain/outbox/members/settings.ts";
import type { SaleNews } from "#app/domain/outbox/news.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { retryAfter } from "#app/platform/retry-after.ts";

/**
 * What member areas have in common. A buyer who paid is waiting: the first tries follow quickly. They keep who may open
 * what by e-mail, so the same told again changes nothing, and each try says how things stand now: a class that was
 * mended, an e-mail that was corrected. What was bought is brought to who bought it: that needs no consent, as ads do.
 */
export const MEMBER_MANNERS = {
  pauses: [
    ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
    ...[3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR],
  ],
  // As long as what was told is kept: a purchase is worth opening late, too.
  tellWithin: () => 30 * DAY,
  stopAfter: 3 * DAY,
  timeoutMs: 15 * SECOND,
  drawsAnew: true,
} as const;

export function areaOf({ settings }: Pick<OpenDestination, "settings">): MemberSettings {
  return settings as MemberSettings;
}

/** Whose access opens or ends. */
export type Access = { opens: boolean; email: string };

/** What there is to tell of an access, if anything. */
export function accessOf({ event, customer, givenBack, suspended }: SaleNews): Access | Unsaid {
  const opens = event === "access.granted";
  if (!opens && event !== "access.revoked") return { unsaid: "nothing-to-say" };
  if (!customer.email) return { unsaid: "no-email" };
  // Sent late, or again: what was given back in the meantime is not opened.
  if (opens && givenBack) return { unsaid: "given-back" };
  if (opens && suspended) return { unsaid: "disputed" };
  return { opens, email: customer.email };
}

/** `+5511987654321` as these services take it, without the country. */
export function nationalPhone(phone: string | null): string | undefined {
  return phone?.startsWith("+55") ? phone.slice(3) : undefined;
}

/** The texts of a body by which its buyer is named: these services say back what they were told, and no log keeps it. */
export function namedIn(body: Record<string, unknown>, fields: readonly string[]): string[] {
  const texts = fields.map((field) => pick(body, field));
  // A name of a letter or two would black out half the answer.
  return texts.filter((text): text is string => typeof text === "string" && text.length > 2);
}

/** For these a service wants some quiet, whether it says how long or not. */
const BUSY = [429, 502, 503, 504];
const BUSY_FOR = 30 * SECOND;

/** Of an answer that is no yes: null where it is one, as far as its status goes. */
export function judgeAccess(answer: { status: number; headers: Headers; body: string }): Verdict | null {
  const { status, headers, body } = answer;
  if (status === 401 || status === 403) return { result: "gone", why: "token" };
  if (BUSY.includes(status))
    return { result: "again", why: "status", restMs: Math.max(retryAfter(headers), BUSY_FOR) };
  if (status >= 500) return { result: "again", why: "status" };
  if (status >= 400) return { result: "refused", why: "rejected" };
  if (status >= 300) return { result: "refused", why: "redirect" };
  // A page for people: they are being worked on, or somebody else answers.
  return body.trimStart().startsWith("<") ? { result: "again", why: "unclear" } : null;
}
