import { z } from "zod";
import type { Destination, OpenDestination, Request, Verdict } from "#app/domain/outbox/destination.ts";
import {
  accessOf,
  areaOf,
  judgeAccess,
  MEMBER_MANNERS,
  namedIn,
  nationalPhone,
} from "#app/domain/outbox/members/access.ts";
import { itemCode, type SaleNews } from "#app/domain/outbox/news.ts";
import { readAnswer } from "#app/domain/outbox/read-answer.server.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * MemberKit's API (contracts-2.md 5.6, and the list of it that its makers published): a member is one e-mail, made or
 * changed by the same call. `status` speaks of the classes of the call and `blocked` of the whole member; that it is so for
 * `inactive` too is read from there and not tried. Removing a member would take what they bought elsewhere, so nobody is.
 */
export const memberkit: Destination = {
  ...MEMBER_MANNERS,
  service: "memberkit",
  draw: (news, to) => {
    if (news.isTest) return [JSON.stringify({ GET: CLASSES })];
    const access = accessOf(news);
    if ("unsaid" in access) return access;
    const wanted = classesOf(news.lines.map(itemCode), to);
    if (wanted.length === 0) return { unsaid: "no-class" };
    const held = classesOf(news.held, to);
    const ids = wanted.filter((id) => access.opens || !held.includes(id));
    if (ids.length === 0) return { unsaid: "still-held" };
    return [JSON.stringify(member(news, access, ids))];
  },
  request: ({ body, isTest }, to) => (isTest ? question(to) : upsert(body, to)),
  judge,
};

const MEMBERS = "/api/v1/users";
const CLASSES = "/api/v1/classrooms";

function classesOf(codes: (string | null)[], to: OpenDestination): number[] {
  const { classes } = areaOf(to);
  const ids = codes.flatMap((code) => classes.find(({ item }) => item === code)?.ids ?? []);
  return [...new Set(ids)];
}

function member({ customer }: SaleNews, { opens, email }: { opens: boolean; email: string }, ids: number[]) {
  return {
    full_name: customer.name ?? email,
    email,
    phone_number: nationalPhone(customer.phone),
    status: opens ? "active" : "inactive",
    classroom_ids: ids,
  };
}

function upsert(body: string, to: OpenDestination): Request {
  const told = parseOutside(body) as Record<string, unknown>;
  const { keepOut, ...asked } = call(MEMBERS, to);
  return {
    ...asked,
    headers: { ...asked.headers, "Content-Type": "application/json" },
    body,
    keepOut: [...keepOut, ...namedIn(told, ["email", "full_name", "phone_number"])],
  };
}

/** A test asks for the classes there are: it shows whether the key is taken and the classes exist, and changes nothing. */
function question(to: OpenDestination): Request {
  return { ...call(CLASSES, to), method: "GET", judge: (answer) => judgeClasses(answer, to) };
}

/** The key stands in the address, as they have it: an address of theirs is in no log, no metric and no error. */
function call(path: string, { token }: OpenDestination): Request {
  const key = encodeURIComponent(token ?? "");
  return {
    url: `${withoutEnd(env.MEMBERKIT_BASE_URL, "/")}${path}?api_key=${key}`,
    headers: { Accept: "application/json" },
    body: "",
    keepOut: [token ?? "", key],
  };
}

const ERROR = z.object({ error: z.unknown().optional(), errors: z.unknown().optional() });

function judge(answer: { status: number; headers: Headers; body: string }): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const { error, errors } = readAnswer(answer.body, ERROR) ?? {};
  return [error, errors].some(saysSomething)
    ? { result: "refused", why: "rejected" }
    : { result: "taken", why: "taken" };
}

/** An empty list of errors is none. */
function saysSomething(error: unknown): boolean {
  return typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
}

function judgeClasses(
  answer: { status: number; headers: Headers; body: string },
  to: OpenDestination,
): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const found = readClasses(answer.body);
  // A list that is longer than what is read of it is a list all the same.
  if (found === null)
    return answer.body.startsWith("[")
      ? { result: "taken", why: "taken" }
      : { result: "refused", why: "unclear" };
  const ids = areaOf(to).classes.flatMap((one) => one.ids);
  return ids.every((id) => found.some((one) => one.id === id))
    ? { result: "taken", why: "taken" }
    : { result: "refused", why: "unknown-class" };
}

const LIST = z.array(z.object({ id: z.number().int(), name: z.string() }));

/** The classes an answer to a test names; null where it is no list, or was cut short. */
export function readClasses(body: string) {
  return readAnswer(body, LIST);
}
