import { globSync } from "node:fs";
import { resolve } from "node:path";
import { isbot } from "isbot";
import { z } from "zod";
import { deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import {
  bareAddress,
  displayNameOf,
  domainOf,
  formatAddress,
} from "#app/domain/mail/message/mail-address.ts";
import { toTextPart } from "#app/domain/mail/message/to-text-part.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { checkContent } from "#app/domain/mail/template/check-content.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { BODY_PLACEHOLDERS } from "#app/domain/mail/template/placeholders.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { renderTemplate } from "#app/domain/mail/template/render-template.server.ts";
import { renderSimpleTemplate } from "#app/domain/mail/template/simple-template.server.ts";
import { buildAdIds, readStoredClicks } from "#app/domain/order/ad-ids.server.ts";
import { readCampaign, readOrder } from "#app/domain/order/order-form.server.ts";
import { parseSeenTotal } from "#app/domain/pricing/quote.ts";
import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { findBySearch } from "#app/domain/reports/find-by-search.server.ts";
import { readFunnelFilter } from "#app/domain/reports/funnel/funnel-filter.ts";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { sanitizeCss, sanitizeStyle } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { tidyCss } from "#app/domain/storefront/sanitize/tidy-css.server.ts";
import { tidyHtml } from "#app/domain/storefront/sanitize/tidy-html.server.ts";
import { readVisit } from "#app/domain/visit-counts/read-visit.server.ts";
import { csvRow } from "#app/kit/csv.ts";
import { readJson } from "#app/server/api/read-json.server.ts";
import { parseForm, parseFormData } from "#app/server/forms/forms.server.ts";
import { type CachedPage, sendCachedPage } from "#app/server/pages/cached-page.server.ts";
import { clientIp } from "#app/server/request/client.server.ts";
import { isCrossSite } from "#app/server/request/is-cross-site.server.ts";
import { readAdVisit } from "#app/server/session/buyer-context.server.ts";
import { sessionToken } from "#app/server/session/session-cookie.server.ts";
import type { Reader } from "#tests/unit/growing-texts.ts";

/** What reads text from outside, by name. Forms and the pure functions of `kit` are found automatically. */
export async function readers(): Promise<Record<string, Reader>> {
  return { ...NAMED, ...(await forms()), ...(await kit()) };
}

const REQUESTED = { name: true, email: true, emailConfirmation: true, phone: true, document: true };
const PAGE: CachedPage = { body: Buffer.from("x"), gzipped: Buffer.from("x"), headers: {}, etag: 'W/"x"' };
const ANYTHING = z.looseObject({ name: z.string() });

const withHeader = (name: string, text: string) =>
  new Request("http://localhost:3000/", { headers: { [name]: headerText(text) } });
/** The maximum length of a header. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, "x");
const template = (htmlContent: string) => ({ ...DEFAULT_TEMPLATE, htmlContent });
const posted = (body: string, type: string) =>
  new Request("http://localhost:3000/", { method: "POST", body, headers: { "Content-Type": type } });

const NAMED: Record<string, Reader> = {
  textPart: toTextPart,
  renderTemplate: (text) => renderTemplate(template(text), BODY_PLACEHOLDERS, "<p></p>"),
  simpleHtml: (text) => renderSimpleTemplate({ title: text, text, button: text }),
  "mail preview": (text) => previewTemplate(template(text), BODY_PLACEHOLDERS),
  "mail preview's subject and sender": (text) =>
    previewTemplate({ ...DEFAULT_TEMPLATE, subject: text, senderName: text }, BODY_PLACEHOLDERS),
  "content check": (text) =>
    checkContent({ subject: text, html: text, text, template: text, unknown: [], names: ["Loja"] }),
  explainRefusal: explainResendError,
  formatAddress: (text) => formatAddress(text, "a@b.co"),
  bareAddress,
  nameOf: displayNameOf,
  domainOf,
  sanitizeHtml: (text) => sanitizeHtml(text, "z"),
  // Its parser searches the open tags at each closing one; the form accepts no more characters than these.
  tidyHtml: (text) => tidyHtml(text.slice(0, 20_000)),
  sanitizeCss,
  sanitizeStyle,
  tidyCss,
  order: (text) =>
    readOrder(
      {
        customer_name: text,
        customer_email: text,
        customer_email_confirmation: text,
        customer_phone: text,
        customer_document: text,
        order_bumps: [text],
      },
      REQUESTED,
    ),
  campaign: (text) => readCampaign(new URL(`http://localhost:3000/?utm_source=${text}&${text}`).searchParams),
  "advertisers' cookies": (text) => {
    const cookies = new Map(["_fbp", "_fbc", "_ga", "_ga_AB", "_ttp", "cliques"].map((name) => [name, text]));
    const visit = { hasConsent: true, agent: text, host: "localhost", cookies };
    return [
      buildAdIds(visit, { fbclid: text }, new Date()),
      readStoredClicks(visit),
      readAdVisit(withHeader("cookie", text), true),
    ];
  },
  "advertisers' answers": (text) =>
    (["meta", "ga4", "tiktok", "kwai"] as const).map((kind) => [
      DESTINATIONS[kind].judge({ status: 200, headers: new Headers(), body: text }),
      deliveryText({ status: "refused", reason: "rejected", responseStatus: 200, responseBody: text }),
    ]),
  "seen prices": (text) => parseSeenTotal(text, [1, 2]),
  search: (text) => findBySearch(crypto.randomUUID(), text),
  "sales filter": (text) => {
    const query = new URLSearchParams({
      search: text,
      range: text,
      product: text,
    });
    return readSalesFilter(query, new Date());
  },
  "funnel filter": (text) =>
    readFunnelFilter(new URLSearchParams({ campaign: text, product: text, device: text }), new Date()),
  "reconciled days": (text) =>
    readReconciledDays(new URLSearchParams({ month: text, day: text }), new Date()),
  "a view that is told": (text) => [
    readVisit(text, text),
    // As long as its caller allows: Node's own parsing of a query of 64 kB is not linear.
    readVisit(`seen/checkout/1?utm_source=${text}&${text}`.slice(0, 4096), "Mozilla/5.0"),
    readVisit(`seen/checkout/s/${text}?`, "Mozilla/5.0"),
  ],
  "CSV cell": (text) => csvRow([text]),
  "webhook body": (text) => Object.values(providers).map((provider) => provider.parseWebhook(text)),
  "JSON body": (text) => readJson(posted(JSON.stringify({ name: text }), "application/json"), ANYTHING),
  "raw JSON body": (text) => readJson(posted(text, "application/json"), ANYTHING),
  "form body": async (text) =>
    parseForm(await parseFormData(posted(text, "application/x-www-form-urlencoded")), ANYTHING),
  "form of parts": async (text) =>
    parseForm(
      await parseFormData(
        posted(
          `--x\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${text}\r\n--x--\r\n`,
          "multipart/form-data; boundary=x",
        ),
      ),
      ANYTHING,
    ),
  "If-None-Match": (text) => sendCachedPage(PAGE, withHeader("if-none-match", text)),
  "Accept-Encoding": (text) => sendCachedPage(PAGE, withHeader("accept-encoding", text)),
  "X-Forwarded-For": (text) => clientIp(withHeader("x-forwarded-for", text)),
  Origin: (text) => isCrossSite(withHeader("origin", text)),
  Cookie: (text) => sessionToken(withHeader("cookie", text)),
  "session cookie": (text) => sessionToken(withHeader("cookie", `session=${text}`)),
  "User-Agent": isbot,
};

/** The schemas that forms and bodies are read by, each field filled with the text. */
async function forms(): Promise<Record<string, Reader>> {
  const found: Record<string, Reader> = {};
  for (const [name, value] of await exportsOf("app/domain/**/{*-form,fields,*-fields}.server.ts")) {
    const schema = schemaOf(value);
    if (!schema) continue;
    const names = fieldsOf(schema);
    found[name] = (text) => {
      schema.safeParse(text);
      return schema.safeParse(Object.fromEntries(names.map((field) => [field, text])));
    };
  }
  for (const { id, schema } of Object.values(DESTINATIONS))
    found[`destination ${id}`] = (text) =>
      schema.safeParse(
        Object.fromEntries(fieldsOf(schema).map((field) => [field, field === "kind" ? id : text])),
      );
  return found;
}

function schemaOf(value: unknown): z.ZodType | null {
  if (value instanceof z.ZodType) return value;
  // A form that depends on page or API; others need values that are no text.
  if (typeof value !== "function") return null;
  try {
    const made: unknown = value(false);
    return made instanceof z.ZodType ? made : null;
  } catch {
    return null;
  }
}

function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType);
  return ["1"];
}

/** Every function of `kit` with one text parameter. */
async function kit(): Promise<Record<string, Reader>> {
  const found: Record<string, Reader> = {};
  for (const [name, value] of await exportsOf("app/kit/*.ts"))
    if (typeof value === "function" && !/^[A-Z]/.test(name.split(" ")[1]!))
      found[name] = (text) => value(text, "-");
  return found;
}

async function exportsOf(pattern: string): Promise<[string, unknown][]> {
  const files = globSync(pattern).sort();
  const modules = await Promise.all(files.map((file) => import(resolve(file))));
  return files.flatMap((file, at) =>
    Object.entries(modules[at]).map(([name, value]): [string, unknown] => [`${file} ${name}`, value]),
  );
}
