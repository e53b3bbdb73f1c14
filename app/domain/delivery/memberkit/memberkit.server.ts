import { z } from "zod";
import type { Destination, OpenDestination, Request, Verdict } from "#app/domain/delivery/destination.ts";
import {
  accessOf,
  areaOf,
  judgeAccess,
  MEMBER_AREA_DEFAULTS,
  nationalPhone,
  personalTexts,
} from "#app/domain/delivery/member-area/access.ts";
import { readAnswer } from "#app/domain/delivery/read-answer.server.ts";
import { itemCode, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * MemberKit's API (contracts-2.md 5.6, and their own published list): a member is one e-mail, created or changed by the same
 * call. `status` is about the classes of the call, `blocked` about the whole member; that this holds for `inactive` too is
 * documented and untested. Members are never removed: that would end access to what they bought elsewhere.
 */
export const memberkit: Destination = {
  ...MEMBER_AREA_DEFAULTS,
  service: "memberkit",
  render: (notification, to) => {
    if (notification.isTest) return [JSON.stringify({ GET: CLASSES })];
    const access = accessOf(notification);
    if ("skipReason" in access) return access;
    const wanted = classesOf(notification.lines.map(itemCode), to);
    if (wanted.length === 0) return { skipReason: "no-class" };
    const ownedClassIds = classesOf(notification.stillOwnedCodes, to);
    const ids = wanted.filter((id) => access.opens || !ownedClassIds.includes(id));
    if (ids.length === 0) return { skipReason: "still-held" };
    return [JSON.stringify(member(notification, access, ids))];
  },
  buildRequest: ({ body, isTest }, to) => (isTest ? buildClassQuery(to) : buildMemberUpsert(body, to)),
  judge,
};

const MEMBERS = "/api/v1/users";
const CLASSES = "/api/v1/classrooms";

function classesOf(codes: (string | null)[], to: OpenDestination): number[] {
  const { classes } = areaOf(to);
  const ids = codes.flatMap((code) => classes.find(({ item }) => item === code)?.ids ?? []);
  return [...new Set(ids)];
}

function member(
  { customer }: SaleNotification,
  { opens, email }: { opens: boolean; email: string },
  ids: number[],
) {
  return {
    full_name: customer.name ?? email,
    email,
    phone_number: nationalPhone(customer.phone),
    status: opens ? "active" : "inactive",
    classroom_ids: ids,
  };
}

function buildMemberUpsert(body: string, to: OpenDestination): Request {
  const fields = parseUntrusted(body) as Record<string, unknown>;
  const { secrets: callSecrets, ...request } = buildCall(MEMBERS, to);
  return {
    ...request,
    headers: { ...request.headers, "Content-Type": "application/json" },
    body,
    secrets: [...callSecrets, ...personalTexts(fields, ["email", "full_name", "phone_number"])],
  };
}

/** A test lists the classes: it shows whether the key is accepted and the classes exist, and changes nothing. */
function buildClassQuery(to: OpenDestination): Request {
  return { ...buildCall(CLASSES, to), method: "GET", judge: (answer) => judgeClasses(answer, to) };
}

/** Their API requires the key in the address, so no log, metric or error may contain one. */
function buildCall(path: string, { token }: OpenDestination): Request {
  const key = encodeURIComponent(token ?? "");
  return {
    url: `${withoutEnd(env.MEMBERKIT_BASE_URL, "/")}${path}?api_key=${key}`,
    headers: { Accept: "application/json" },
    body: "",
    secrets: [token ?? "", key],
  };
}

const ERROR = z.object({ error: z.unknown().optional(), errors: z.unknown().optional() });

function judge(answer: { status: number; headers: Headers; body: string }): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const { error, errors } = readAnswer(answer.body, ERROR) ?? {};
  return [error, errors].some(isNonEmpty)
    ? { result: "refused", reason: "rejected" }
    : { result: "taken", reason: "taken" };
}

/** An empty list of errors is none. */
function isNonEmpty(error: unknown): boolean {
  return typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
}

function judgeClasses(
  answer: { status: number; headers: Headers; body: string },
  to: OpenDestination,
): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const found = readClasses(answer.body);
  // A list that is longer than we read is still a list.
  if (found === null)
    return answer.body.startsWith("[")
      ? { result: "taken", reason: "taken" }
      : { result: "refused", reason: "unclear" };
  const ids = areaOf(to).classes.flatMap((one) => one.ids);
  return ids.every((id) => found.some((one) => one.id === id))
    ? { result: "taken", reason: "taken" }
    : { result: "refused", reason: "unknown-class" };
}

const LIST = z.array(z.object({ id: z.number().int(), name: z.string() }));

/** The classes in the answer to a test; null where it is no list, or was truncated. */
export function readClasses(body: string) {
  return readAnswer(body, LIST);
}
