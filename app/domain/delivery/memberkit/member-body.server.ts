import type { Opened } from "#app/domain/delivery/destination.ts";
import { nationalPhone } from "#app/domain/delivery/member-area/access.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";

/** An e-mail, and classes of it. */
type Enrolment = { email: string; classroom_ids: number[] };

/** A call that opens classes or closes them; `replaced`: what the delivery opened by earlier bodies, which is not sent. */
type MemberBody = Enrolment & {
  full_name: string;
  phone_number: string | undefined;
  status: "active" | "inactive";
  replaced?: Enrolment[];
};

/** The body that opens or closes these classes for a member. */
export function memberBody(
  { customer }: SaleNotification,
  { opens, email }: { opens: boolean; email: string },
  ids: number[],
): string {
  const body: MemberBody = {
    full_name: customer.name ?? email,
    email,
    phone_number: nationalPhone(customer.phone),
    status: opens ? "active" : "inactive",
    classroom_ids: ids,
  };
  return JSON.stringify(body);
}

const read = (body: string) => parseUntrusted(body) as MemberBody;

/** The classes that a body opened, or one that it replaced. */
export function openedBy(body: string): Opened[] {
  const { replaced = [], ...last } = read(body);
  return [last, ...replaced].map(({ email, classroom_ids }) => ({ email, ids: classroom_ids }));
}

/** The classes that were opened to one e-mail, as far as it is known, or to any. */
export function classesOpened(opened: Opened[], email?: string): number[] {
  return opened.flatMap((one) =>
    email === undefined || one.email === null || one.email === email ? one.ids : [],
  );
}

/** The class that a body closes. Null where it is of several: an opening, or a closing that an earlier version rendered. */
export function partOf(body: string): string | null {
  const { status, classroom_ids } = read(body);
  return status === "inactive" && classroom_ids.length === 1 ? String(classroom_ids[0]) : null;
}

/** An opening that also remembers what the body that it replaces opened, so that a closing ends that, too. */
export function keepOpened(body: string, replaced: string): string {
  const next = read(body);
  const { email, classroom_ids, replaced: earlier = [] } = read(replaced);
  if (next.status !== "active") return body;
  const isLeft = (one: Enrolment) =>
    one.email !== next.email || one.classroom_ids.some((id) => !next.classroom_ids.includes(id));
  const left = [{ email, classroom_ids }, ...earlier].filter(isLeft);
  const kept = [...new Map(left.map((one) => [JSON.stringify(one), one])).values()];
  return kept.length === 0 ? body : JSON.stringify({ ...next, replaced: kept });
}

/** The body as it is sent. */
export function sentBody(body: string): string {
  const { replaced, ...sent } = read(body);
  return replaced ? JSON.stringify(sent) : body;
}
