import { DAY, type Time } from "./time.ts";
import { momentOf, type Order } from "./utmify-order.ts";

/**
 * One order as UTMify would show it: the last body, every accepted one, and the documented rules it broke. `violations` are
 * texts for a test to assert on; an order without them was reported correctly.
 */
export interface ReceivedOrder {
  token: string;
  orderId: string;
  status: Order["status"];
  at: string;
  body: Order;
  history: { at: string; body: Order }[];
  violations: string[];
}

/** A rejected post: the reasons by path, and the same as violations. */
interface RejectedOrder {
  token: string;
  orderId: string | null;
  at: string;
  reasons: Record<string, string>;
  violations: string[];
  body: unknown;
}

export interface Orders {
  receive(token: string, body: Order): void;
  reject(token: string, body: unknown, reasons: Record<string, string>): void;
  received(): ReceivedOrder[];
  rejected(): RejectedOrder[];
  reset(): void;
}

const ORDER_AGE = 7 * DAY;
const REVERSAL_AGE = 45 * DAY;
/** A status may not be followed by one of a lower rank. */
const RANK: Record<Order["status"], number> = {
  waiting_payment: 0,
  refused: 1,
  paid: 2,
  refunded: 3,
  chargedback: 3,
};

export function createOrders(time: Time): Orders {
  const received = new Map<string, ReceivedOrder>();
  let rejected: RejectedOrder[] = [];

  return {
    receive(token, body) {
      const at = new Date(time.now()).toISOString();
      const key = JSON.stringify([token, body.orderId]);
      const earlier = received.get(key);
      const { orderId, status } = body;
      received.set(key, {
        token,
        orderId,
        status,
        at,
        body,
        history: [...(earlier?.history ?? []), { at, body }],
        violations: [...(earlier?.violations ?? []), ...violationsOf(body, earlier?.body, time.now())],
      });
    },
    reject(token, body, reasons) {
      const orderId = orderIdOf(body);
      const violations = rejectionsOf(reasons);
      rejected.push({ token, orderId, at: new Date(time.now()).toISOString(), reasons, violations, body });
      received.get(JSON.stringify([token, orderId]))?.violations.push(...violations);
    },
    received: () => [...received.values()],
    rejected: () => rejected,
    reset() {
      received.clear();
      rejected = [];
    },
  };
}

/** What the API accepts although its rules forbid it. */
function violationsOf(order: Order, earlier: Order | undefined, now: number): string[] {
  const { totalPriceInCents, userCommissionInCents } = order.commission;
  const reversal = order.status === "refunded" || order.status === "chargedback";
  const age = now - momentOf(order.createdAt);
  const found: [boolean, string][] = [
    [earlier !== undefined && earlier.createdAt !== order.createdAt, "createdAt changed"],
    [
      earlier !== undefined && RANK[order.status] < RANK[earlier.status],
      `status regressed from ${earlier?.status} to ${order.status}`,
    ],
    [age > (reversal ? REVERSAL_AGE : ORDER_AGE), "order is too old"],
    [totalPriceInCents > 0 && userCommissionInCents === 0, "userCommissionInCents is 0"],
    [order.status === "paid" && order.approvedDate === null, "approvedDate is null on a paid order"],
    [order.status === "refunded" && order.refundedAt === null, "refundedAt is null on a refunded order"],
  ];
  return found.filter(([broken]) => broken).map(([, text]) => text);
}

function rejectionsOf(reasons: Record<string, string>) {
  return Object.entries(reasons).map(([path, reason]) => {
    if (path === "customer.ip" && reason.endsWith("cannot be null")) return "customer.ip is null";
    if (path.startsWith("trackingParameters.") && reason.includes("empty string"))
      return `${path} is an empty string`;
    return `rejected: ${reason}`;
  });
}

function orderIdOf(body: unknown) {
  const orderId = (body as { orderId?: unknown } | null)?.orderId;
  return typeof orderId === "string" ? orderId : null;
}
