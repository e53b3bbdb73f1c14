import express, { type RequestHandler } from "express";
import { z } from "zod";
import { isRoute, SERVICES, type Service } from "./calls.ts";
import { transactionControls } from "./control-transactions.ts";
import { webhookControls } from "./control-webhooks.ts";
import { mercadopagoControls } from "./mercadopago/control.ts";
import { PERSONAS } from "./personas.ts";
import { asList, recipientsOf } from "./resend-email-rules.ts";
import { SECOND } from "./time.ts";
import { wooviControls } from "./woovi/control.ts";
import type { World } from "./world.ts";

/** A fault of a mistyped route would never come about. */
const hasKnownRoute = ({ service, route }: { service: Service; route?: string | undefined }) =>
  route === undefined || isRoute(service, route);
const UNKNOWN_ROUTE = { path: ["route"], error: "no route of this service" };
const faultSchema = z
  .object({
    service: z.enum(SERVICES),
    mode: z.string().regex(/^(http-(500|429|422)|timeout|reset|malformed|status-[2-5]\d\d|slow-\d{1,5})$/),
    times: z.coerce.number().int().min(0).default(1),
    route: z.string().optional(),
    after: z.boolean().optional(),
    body: z.unknown().optional(),
  })
  .refine(hasKnownRoute, UNKNOWN_ROUTE);
/** `times: 0` ends a fault in any mode, so the mode may be left out. */
const faultEndSchema = z
  .object({
    service: z.enum(SERVICES),
    times: z.literal(0),
    route: z.string().optional(),
  })
  .refine(hasKnownRoute, UNKNOWN_ROUTE);
const gateSchema = z.object({ enabled: z.boolean().default(true), seconds: z.number().min(0).default(60) });
const pushinpaySchema = z.object({
  qrImage: z.enum(["prefixed", "bare", "absent"]).optional(),
  maxValue: z.int().positive().nullable().optional(),
});
const resendSchema = z.object({
  enforceRateLimit: z.boolean().optional(),
  requestsPerSecond: z.int().positive().optional(),
});
const clockSchema = z.object({ advanceSeconds: z.number().min(0) });
const identitySchema = z.object({
  persona: z
    .string()
    .refine((key) => Object.hasOwn(PERSONAS, key), "unknown persona")
    .nullable()
    .default(null),
  deny: z.boolean().default(false),
});

/** `/control`: how a person or a test controls the outside services. Bodies in JSON, or as a form. */
export function controlRoutes(world: World, appUrl: string): express.Router {
  const { settings } = world;
  const router = express.Router();
  router.use(allowShop(appUrl));
  router.use(express.json({ limit: "1mb" }), express.urlencoded({ extended: false, limit: "64kb" }));
  router.use("/transactions", transactionControls(world, appUrl));
  router.use("/webhooks", webhookControls(world));

  router.get("/faults", (_request, response) => {
    response.json(world.faults.list());
  });
  router.post("/faults", (request, response) => {
    // A payment provider is a service, too.
    const body = { service: request.body?.provider, ...request.body };
    const end = faultEndSchema.safeParse(body);
    world.faults.set(end.success ? { mode: "http-500", ...end.data } : faultSchema.parse(body));
    response.json({ faults: world.faults.list() });
  });
  router.post("/gate", (request, response) => {
    const { enabled, seconds } = gateSchema.parse(request.body);
    settings.pushinpay.gateSeconds = enabled ? seconds : null;
    response.json({ enabled, seconds });
  });
  router.post("/pushinpay", change(settings.pushinpay, pushinpaySchema));
  router.use("/woovi", wooviControls(world));
  router.use("/mercadopago", mercadopagoControls(world));
  router.post("/resend", change(settings.resend, resendSchema));
  router.post("/identity", change(settings.identity, identitySchema));
  router.post("/clock", (request, response) => {
    world.time.advance(clockSchema.parse(request.body).advanceSeconds * SECOND);
    response.json({ now: new Date(world.time.now()).toISOString() });
  });

  router.get("/emails", (request, response) => response.json(emailsTo(world, request.query.to)));
  router.get("/emails/:id/html", (request, response) => {
    const mail = world.resend.mails.find((each) => each.id === request.params.id);
    if (!mail) return response.status(404).json({ message: "Unknown email." });
    // Untrusted HTML: displayed, but its scripts do not run.
    response.set("content-security-policy", "sandbox allow-popups allow-top-navigation-by-user-activation");
    if (typeof mail.body.html === "string") response.type("html").send(mail.body.html);
    else response.type("text/plain").send(String(mail.body.text ?? ""));
  });
  router.get("/orders", (_request, response) => response.json(world.orders.received()));
  router.get("/receiver", (request, response) => {
    const { name } = request.query;
    response.json(world.arrivals.list(typeof name === "string" ? name : undefined));
  });
  router.get("/conversions", (request, response) => {
    const { service } = request.query;
    response.json(world.conversions.list(typeof service === "string" ? service : undefined));
  });
  router.get("/memberships", (request, response) => {
    const { email } = request.query;
    response.json(world.memberships.list(typeof email === "string" ? email : undefined));
  });
  router.get("/orders/rejected", (_request, response) => response.json(world.orders.rejected()));
  router.get("/calls", (_request, response) => response.json(world.calls.report()));
  router.post("/reset", (_request, response) => {
    world.reset();
    response.json({ reset: true });
  });
  router.use((_request, response) => {
    response.status(404).json({ message: "Unknown control." });
  });
  router.use(explainWrongBody);
  return router;
}

/** Merges the validated body into `settings` and responds with them. */
function change<T extends object>(settings: T, schema: z.ZodType<Partial<T>>): RequestHandler {
  return (request, response) => {
    response.json(Object.assign(settings, schema.parse(request.body ?? {})));
  };
}

function emailsTo({ resend }: World, to: unknown) {
  const mails = resend.mails.map(({ id, at, token, headers, idempotencyKey, body }) => ({
    id,
    at,
    token,
    headers,
    idempotencyKey,
    body,
  }));
  const wanted = asList(to).map((address) => String(address).toLowerCase());
  return wanted.length === 0
    ? mails
    : mails.filter((mail) => recipientsOf(mail.body).some((address) => wanted.includes(address)));
}

/** The shop's own pages may call the controls with fetch as well. */
function allowShop(appUrl: string): RequestHandler {
  return (request, response, next) => {
    response.set({
      "access-control-allow-origin": new URL(appUrl).origin,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "content-type",
      vary: "origin",
    });
    if (request.method === "OPTIONS") return response.status(204).end();
    next();
  };
}

const explainWrongBody: express.ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof z.ZodError)
    return response.status(400).json({ message: z.prettifyError(error), issues: error.issues });
  if (error.status >= 400 && error.status < 500)
    return response.status(error.status).json({ message: error.message });
  next(error);
};
