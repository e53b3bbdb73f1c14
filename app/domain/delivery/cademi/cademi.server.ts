import { z } from "zod";
import type { Destination, OpenDestination, Verdict } from "#app/domain/delivery/destination.ts";
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
import {
  type SingleOrder,
  shortCode,
  singleOrders,
} from "#app/domain/delivery/webhook/single-orders.server.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * Cademí's custom postback (contracts-2.md 5.6): one delivery for each line. The fields and `aprovado` are what other
 * working integrations send. The status that ends access is documented nowhere: `cancelado` is a guess, and the screen says
 * so.
 */
export const cademi: Destination = {
  ...MEMBER_AREA_DEFAULTS,
  service: "cademi",
  render: (notification, to) => {
    const access = accessOf(notification);
    if ("skipReason" in access) return access;
    const codedOrders = notification.isTest ? [testOrder(notification, to)] : ordersWithCode(notification);
    if (codedOrders.length === 0) return { skipReason: "nothing-to-say" };
    const orders = codedOrders.filter(({ line }) => !notification.stillOwnedCodes.includes(itemCode(line)!));
    if (orders.length === 0) return { skipReason: "still-held" };
    const status = access.opens ? "aprovado" : "cancelado";
    const email = notification.isTest ? areaOf(to).test.email : access.email;
    return orders.map((order) => JSON.stringify(delivery(notification, to, { order, status, email })));
  },
  buildRequest: ({ body }, to) => {
    const fields = parseUntrusted(body) as Record<string, unknown>;
    return {
      url: `${areaAddress(areaOf(to).area)}/api/postback/custom`,
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ token: to.token ?? "", ...fields }),
      secrets: [to.token ?? "", ...personalTexts(fields, NAMES)],
    };
  },
  judge,
};

const NAMES = ["cliente_email", "cliente_nome", "cliente_celular", "cliente_doc"];

/** The address of an area: always one of Cademí's own, except for the sandbox. */
export function areaAddress(area: string, base = env.CADEMI_BASE_URL ?? null): string {
  const name = encodeURIComponent(area);
  return base ? `${withoutEnd(base, "/")}/${name}` : `https://${name}.cademi.com.br`;
}

/** Lines whose product was deleted have no code that Cademí could know. */
function ordersWithCode(notification: SaleNotification): SingleOrder[] {
  return singleOrders(notification).filter(({ line }) => itemCode(line) !== null);
}

function testOrder(notification: SaleNotification, to: OpenDestination): SingleOrder {
  const [order] = singleOrders(notification);
  return { ...order!, line: { ...order!.line, name: areaOf(to).test.name } };
}

type Delivery = { order: SingleOrder; status: string; email: string };

function delivery(notification: SaleNotification, to: OpenDestination, { order, status, email }: Delivery) {
  const { customer, isTest } = notification;
  const { withDocument, test } = areaOf(to);
  return {
    // An order is for one e-mail: when that is corrected, the old order ends and the new one does not.
    codigo: `${order.id}-${shortCode(email.toLowerCase(), 6)}`,
    status,
    produto_id: isTest ? test.item : itemCode(order.line),
    produto_nome: order.line.name,
    cliente_email: email,
    cliente_nome: customer.name ?? email,
    // An invented number may be somebody's.
    cliente_celular: isTest ? undefined : nationalPhone(customer.phone),
    ...(withDocument && customer.document ? { cliente_doc: customer.document } : {}),
  };
}

/** Each field by itself: if one is malformed, the other still counts. */
const ANSWER = z.object({ success: z.unknown().optional(), code: z.unknown().optional() });
/** The ways they may write no; a missing value is not one. */
const NO_VALUES: unknown[] = [false, 0, "false", "0"];

/** A 200 may be a refusal: the body decides. */
function judge(answer: { status: number; headers: Headers; body: string }): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const { success, code } = readAnswer(answer.body, ANSWER) ?? {};
  if (!NO_VALUES.includes(success)) return { result: "taken", reason: "taken" };
  return ["401", "403"].includes(String(code))
    ? { result: "gone", reason: "token" }
    : { result: "refused", reason: "rejected" };
}
