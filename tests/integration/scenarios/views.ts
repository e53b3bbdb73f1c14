import { Parser } from "htmlparser2";
import { expect } from "vitest";
import { inPortal } from "#tests/integration/buyer/support.ts";
import type { Stage } from "#tests/integration/scenarios/stage.ts";
import { orderOf } from "#tests/integration/tracking/support.ts";

/** Everything that reports on a sale. */
export const VIEWS = [
  "PIX screen",
  "thank-you page",
  "receipt",
  "buyer portal",
  "mails to buyer",
  "event stream",
  "status API",
  "mails to seller",
  "action items",
  "sales list",
  "sale details",
  "sale API",
  "CSV",
  "reports",
  "funnel",
  "webhook",
  "Kiwify webhook",
  "Hotmart webhook",
  "pixels",
  "UTMify",
] as const;
export type View = (typeof VIEWS)[number];

/** Those a buyer reads: none may show the provider's fee or the seller's net amount. */
export const BUYER_VIEWS: readonly View[] = VIEWS.slice(0, 7);

/** Those that people read, as sentences. */
export const PEOPLE_READ = [
  "PIX screen",
  "thank-you page",
  "receipt",
  "buyer portal",
  "mails to buyer",
  "mails to seller",
  "sale details",
] as const satisfies readonly View[];

/**
 * What each view shows of a sale: pages as visible text; mails with their subjects, in the order in which they were
 * sent; for programs a line for each message, with its texts and amounts.
 */
export type Seen = Record<View, string>;

export async function readViews(stage: Stage): Promise<Seen> {
  await stage.deliver();
  const { app, saleId, email, seller, receivers, cookie } = stage;
  const portal = await portalOf(email);
  const read = async (path: string, headers: Record<string, string> = {}, statuses = [200]) => {
    const answer = await app.fetch(path, { headers });
    const text = await answer.text();
    expect(statuses, `${path}: ${answer.status} ${text.slice(0, 300)}`).toContain(answer.status);
    return text;
  };
  const page = async (...of: Parameters<typeof read>) => textOf(await read(...of));
  const arrivals = async (name: string, line: (body: Body) => string) =>
    (await app.sandbox.arrivals(name)).map(({ body }) => line(JSON.parse(body))).join("\n");
  const ids = [receivers.meta, receivers.ga4];
  const conversions = (await app.sandbox.conversions()).filter(({ pixel }) =>
    ids.some((id) => pixel.endsWith(id)),
  );
  const desk = stage.isClosed ? [302, 401, 403] : [200];
  const paymentId = stage.charges.at(-1)!.chargeId;
  return {
    "PIX screen": await pixScreen(stage),
    "thank-you page": await page(`/thank-you/${saleId}`, {}, [200, 403]),
    receipt: portal ? await page(`/minhas-compras/${saleId}`, portal, [200, 404]) : "",
    "buyer portal": portal ? await page("/minhas-compras", portal) : "",
    "mails to buyer": await mailsTo(stage, [email, ...stage.formerEmails]),
    "event stream": await firstEvents(stage),
    "status API": await statusLine(stage, paymentId),
    "mails to seller": await mailsTo(stage, [seller.email]),
    "action items": titlesOf(await read("/dashboard", cookie, desk)),
    "sales list": await page("/reports", cookie, desk),
    "sale details": await page(`/reports/sales/${saleId}`, cookie, desk),
    "sale API": await read(`/api/sales/${saleId}/details`, cookie, desk),
    CSV: (await read("/reports/export", cookie, desk)).split("\r\n")[1] ?? "",
    reports: await read("/api/reports/stats", cookie, desk),
    funnel: stage.isClosed ? "" : funnelLine(JSON.parse(await read("/api/reports/funnel", cookie))),
    webhook: await arrivals(receivers.standard, standardLine),
    "Kiwify webhook": await arrivals(receivers.kiwify, kiwifyLine),
    "Hotmart webhook": await arrivals(receivers.hotmart, hotmartLine),
    pixels: conversions
      .map(({ service, event, body }) => pixelLine(service, event, body))
      .sort()
      .join("\n"),
    UTMify: await utmifyLines(stage),
  };
}

/** The open action items, by title. */
function titlesOf(dashboard: string): string {
  const [list = ""] = dashboard.split("Precisa de você")[1]?.split("</ul>") ?? [];
  return [...list.matchAll(/min-w-0">([^<]+)</g)].map(([, title]) => title).join("\n");
}

/** Null where no link is mailed: nothing was bought with this address. */
async function portalOf(email: string): Promise<Record<string, string> | null> {
  return inPortal(email).catch((error: Error) => {
    if (error.message.startsWith("no link was mailed")) return null;
    throw error;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: each format has its own names.
type Body = any;

const standardLine = ({ type, data: { sale } }: Body) =>
  `${type}: ${sale.status} ${sale.amount_cents} refunded ${sale.refunded_cents}${
    sale.coupon ? ` coupon ${sale.coupon.code} ${sale.coupon.discount_cents}` : ""
  }`;
const kiwifyLine = ({ webhook_event_type, order_status, Commissions, coupon_code }: Body) =>
  `${webhook_event_type}: ${order_status} ${Commissions.charge_amount} commission ${Commissions.my_commission}${
    coupon_code ? ` coupon ${coupon_code} of ${Commissions.product_base_price}` : ""
  }`;
const hotmartLine = ({ event, data: { purchase } }: Body) =>
  `${event}: ${purchase.status} ${cents(purchase.price.value)}${
    purchase.offer.coupon_code
      ? ` coupon ${purchase.offer.coupon_code} of ${cents(purchase.original_offer_price.value)}`
      : ""
  }`;
const funnelLine = ({ steps }: Body) => steps.map(({ step, count }: Body) => `${step} ${count}`).join(", ");

function pixelLine(service: string, event: string, body: Body): string {
  const { value, coupon } = body.custom_data ?? body.events?.[0]?.params ?? {};
  return `${service} ${event}: ${value === undefined ? "no value" : cents(value)}${coupon ? ` coupon ${coupon}` : ""}`;
}

/** Every state that UTMify received, in order. */
async function utmifyLines({ app, saleId }: Stage): Promise<string> {
  const delivered = await orderOf(app, saleId);
  return (delivered?.history ?? [])
    .map(({ body: { status, commission } }: Body) => {
      const { totalPriceInCents, gatewayFeeInCents, userCommissionInCents } = commission;
      return `${status}: ${totalPriceInCents} fee ${gatewayFeeInCents} commission ${userCommissionInCents}`;
    })
    .join("\n");
}

async function statusLine({ app }: Stage, paymentId: string): Promise<string> {
  const answer = await app.fetch(`/api/payments/pushinpay/status/${paymentId}`);
  const { status, standing: paymentSummary } = (await answer.json()) as { status: string; standing: string };
  return `${status} ${paymentSummary}`;
}

/** A paid sale's screen redirects: the target is its text. */
async function pixScreen({ app, saleId }: Stage): Promise<string> {
  const answer = await app.fetch(`/checkout/pix/${saleId}`);
  const location = answer.headers.get("location");
  return location ? `-> ${location.replace(saleId, ":saleId")}` : textOf(await answer.text());
}

async function mailsTo({ app }: Stage, addresses: string[]): Promise<string> {
  const mails = await app.sandbox.emails();
  return mails
    .filter(({ body }) => [body.to].flat().some((to) => addresses.some((one) => to.includes(one))))
    .map(({ body }) => `[${body.subject}] ${textOf(body.html ?? body.text ?? "")}`)
    .filter((mail) => !mail.startsWith("[Entrar em Minhas compras"))
    .join("\n");
}

async function firstEvents({ app, saleId }: Stage): Promise<string> {
  const gone = new AbortController();
  const answer = await app.fetch(`/checkout/pix/${saleId}/events`, { signal: gone.signal });
  let text = "";
  try {
    for await (const part of answer.body!) {
      text += Buffer.from(part).toString();
      if (/event: standing\ndata: .*\n/.test(text)) break;
    }
  } finally {
    gone.abort();
  }
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data).join(" ");
}

const UNREAD = new Set(["script", "style", "head", "template", "svg", "nav"]);

/** The visible text of a page, in order, without the dashboard's frame. */
export function textOf(html: string): string {
  const words: string[] = [];
  let unread = 0;
  const isDashboard = html.includes('<main id="conteudo"');
  const parser = new Parser({
    onopentagname: (name) => void (UNREAD.has(name) && unread++),
    ontext: (text) => void (unread === 0 && words.push(text)),
    onclosetag: (name) => void (UNREAD.has(name) && unread--),
  });
  parser.end(isDashboard ? html.slice(html.indexOf('<main id="conteudo"')) : html);
  return words
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(/\s([.,;:!?])/g, "$1")
    .trim();
}

const cents = (reais: number) => Math.round(reais * 100);
