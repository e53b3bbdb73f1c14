import { z } from "zod";
import type { Destination, OpenDestination, Verdict } from "#app/domain/outbox/destination.ts";
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
import {
  type SingleOrder,
  shortCode,
  singleOrders,
} from "#app/domain/outbox/webhook/single-orders.server.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * Cademí's custom postback (contracts-2.md 5.6): a delivery each thing sold. The fields and `aprovado` are what others send
 * that work; which word ends a delivery nobody has written down, and `cancelado` is a guess that the screen calls one.
 */
export const cademi: Destination = {
  ...MEMBER_MANNERS,
  service: "cademi",
  draw: (news, to) => {
    const access = accessOf(news);
    if ("unsaid" in access) return access;
    const known = news.isTest ? [testOrder(news, to)] : knownOrders(news);
    if (known.length === 0) return { unsaid: "nothing-to-say" };
    const orders = known.filter(({ line }) => !news.held.includes(itemCode(line)!));
    if (orders.length === 0) return { unsaid: "still-held" };
    const status = access.opens ? "aprovado" : "cancelado";
    const email = news.isTest ? areaOf(to).test.email : access.email;
    return orders.map((order) => JSON.stringify(delivery(news, to, { order, status, email })));
  },
  request: ({ body }, to) => {
    const told = parseOutside(body) as Record<string, unknown>;
    return {
      url: `${areaAddress(areaOf(to).area)}/api/postback/custom`,
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ token: to.token ?? "", ...told }),
      keepOut: [to.token ?? "", ...namedIn(told, NAMES)],
    };
  },
  judge,
};

const NAMES = ["cliente_email", "cliente_nome", "cliente_celular", "cliente_doc"];

/** Where an area is: always one of Cademí's own, but for the sandbox. */
export function areaAddress(area: string, base = env.CADEMI_BASE_URL ?? null): string {
  const name = encodeURIComponent(area);
  return base ? `${withoutEnd(base, "/")}/${name}` : `https://${name}.cademi.com.br`;
}

/** What was deleted from the catalogue has no code any more by which they could know it. */
function knownOrders(news: SaleNews): SingleOrder[] {
  return singleOrders(news).filter(({ line }) => itemCode(line) !== null);
}

function testOrder(news: SaleNews, to: OpenDestination): SingleOrder {
  const [order] = singleOrders(news);
  return { ...order!, line: { ...order!.line, name: areaOf(to).test.name } };
}

type Delivery = { order: SingleOrder; status: string; email: string };

function delivery(news: SaleNews, to: OpenDestination, { order, status, email }: Delivery) {
  const { customer, isTest } = news;
  const { withDocument, test } = areaOf(to);
  return {
    // An order to an e-mail: where that is corrected, the old one's ends without the new one's.
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

/** Each by itself: of an answer that is odd in one of them the other still counts. */
const ANSWER = z.object({ success: z.unknown().optional(), code: z.unknown().optional() });
/** As they may write no; one that is missing is none. */
const NO: unknown[] = [false, 0, "false", "0"];

/** It may say 200 to what it refuses, with the truth inside. */
function judge(answer: { status: number; headers: Headers; body: string }): Verdict {
  const early = judgeAccess(answer);
  if (early) return early;
  const { success, code } = readAnswer(answer.body, ANSWER) ?? {};
  if (!NO.includes(success)) return { result: "taken", why: "taken" };
  return ["401", "403"].includes(String(code))
    ? { result: "gone", why: "token" }
    : { result: "refused", why: "rejected" };
}
