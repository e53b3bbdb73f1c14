import { createHash } from "node:crypto";
import express, { type RequestHandler, type Response } from "express";
import { type Domain, newDomain } from "./resend-accounts.ts";
import type { ResendEvents } from "./resend-events.ts";
import { accountOf, pageOf, type ResendParts, refuse } from "./resend-guards.ts";
import { SECOND } from "./time.ts";

const REGIONS = ["us-east-1", "eu-west-1", "sa-east-1", "ap-northeast-1"];
const NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;
const VERIFICATION_DURATION = SECOND;

/** `/domains`: add, list, read, verify, remove. A name that contains `falha` never verifies. */
export function domainRoutes(
  parts: ResendParts,
  guards: RequestHandler[],
  events: ResendEvents,
): express.Router {
  const router = express.Router();
  router.use("/domains", parts.faults.arrive("resend", "domains"), guards, express.json({ limit: "64kb" }));
  router.post("/domains", add);
  router.get("/domains", (request, response) => {
    const page = pageOf(accountOf(response).domains, request);
    response.json({ object: "list", ...page, data: page.data.map(toJson) });
  });
  router.get("/domains/:id", (request, response) => {
    const domain = find(response, request.params.id);
    if (domain) response.json({ object: "domain", ...toJson(domain), records: recordsOf(domain) });
  });
  router.post("/domains/:id/verify", verify(parts, events));
  router.delete("/domains/:id", (request, response) => {
    const domain = find(response, request.params.id);
    if (!domain) return;
    const account = accountOf(response);
    account.domains = account.domains.filter((each) => each !== domain);
    response.json({ object: "domain", id: domain.id, deleted: true });
  });
  return router;
}

const add: RequestHandler = (request, response) => {
  const { name, region = "us-east-1" } = (request.body ?? {}) as { name?: unknown; region?: string };
  const { domains } = accountOf(response);
  if (!name) return refuse(response, 422, "missing_required_field", "Missing `name` field.");
  if (typeof name !== "string" || !NAME.test(name))
    return refuse(response, 400, "validation_error", "The domain name is invalid.");
  if (!REGIONS.includes(region))
    return refuse(response, 422, "invalid_region", "The `region` field is invalid.");
  if (domains.some((domain) => domain.name === name.toLowerCase()))
    return refuse(response, 403, "validation_error", `The ${name} domain has been registered already.`);
  const domain = newDomain(name.toLowerCase(), region);
  domains.push(domain);
  response.status(201).json({ ...toJson(domain), records: recordsOf(domain) });
};

function verify({ time }: ResendParts, events: ResendEvents): RequestHandler<{ id: string }> {
  return (request, response) => {
    const account = accountOf(response);
    const domain = find(response, request.params.id);
    if (!domain) return;
    if (domain.status !== "verified") domain.status = "pending";
    time.after(VERIFICATION_DURATION, () => {
      if (domain.status !== "pending") return;
      domain.status = domain.name.includes("falha") ? "failed" : "verified";
      events.sendEvent(account, "domain.updated", { ...toJson(domain), records: recordsOf(domain) });
    });
    response.json({ object: "domain", id: domain.id });
  };
}

/** The account's own domain; otherwise sends a 404. */
function find(response: Response, id: string) {
  const domain = accountOf(response).domains.find((each) => each.id === id);
  if (!domain) refuse(response, 404, "not_found", "Domain not found");
  return domain;
}

function toJson({ id, name, createdAt, status, region }: Domain) {
  return {
    id,
    name,
    created_at: createdAt,
    status,
    region,
    capabilities: { sending: "enabled", receiving: "disabled" },
  };
}

function recordsOf({ name, region, status }: Domain) {
  const key = createHash("sha512").update(name).digest("base64");
  const sending = { name: "send", ttl: "Auto", status };
  return [
    { record: "SPF", type: "MX", ...sending, value: `feedback-smtp.${region}.amazonses.com`, priority: 10 },
    { record: "SPF", type: "TXT", ...sending, value: '"v=spf1 include:amazonses.com ~all"' },
    { record: "DKIM", type: "TXT", name: "resend._domainkey", ttl: "Auto", status, value: `p=${key}` },
  ];
}
