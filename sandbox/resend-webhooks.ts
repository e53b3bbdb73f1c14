import { randomUUID } from "node:crypto";
import express, { type RequestHandler } from "express";
import type { WebhookEndpoint } from "./resend-accounts.ts";
import { accountOf, pageOf, type ResendParts, refuse } from "./resend-guards.ts";
import { newSigningSecret } from "./svix.ts";

const EVENT = /^(email|contact|domain|suppression)\.[a-z_]+$/;

/**
 * `/webhooks`: an account's webhook endpoints. The secret is returned on creation and on reading.
 */
export function webhookRoutes(parts: ResendParts, guards: RequestHandler[]): express.Router {
  const router = express.Router();
  router.use("/webhooks", parts.faults.arrive("resend", "webhooks"), guards, express.json({ limit: "64kb" }));
  router.post("/webhooks", (request, response) => {
    const { endpoint, events } = (request.body ?? {}) as { endpoint?: unknown; events?: unknown };
    if (typeof endpoint !== "string" || !URL.canParse(endpoint))
      return refuse(response, 422, "missing_required_field", "Missing or invalid `endpoint` field.");
    if (!Array.isArray(events) || events.length === 0 || !events.every((event) => EVENT.test(String(event))))
      return refuse(response, 400, "validation_error", "The `events` field must be a list of event types.");
    const created: WebhookEndpoint = {
      id: randomUUID(),
      endpoint,
      events,
      signingSecret: newSigningSecret(),
      createdAt: new Date(parts.time.now()).toISOString(),
    };
    accountOf(response).endpoints.push(created);
    response.status(201).json({ object: "webhook", id: created.id, signing_secret: created.signingSecret });
  });
  router.get("/webhooks", (request, response) => {
    const page = pageOf(accountOf(response).endpoints, request);
    response.json({ object: "list", ...page, data: page.data.map(toJson) });
  });
  router.get("/webhooks/:id", (request, response) => {
    const found = accountOf(response).endpoints.find((each) => each.id === request.params.id);
    if (!found) return refuse(response, 404, "not_found", "Webhook not found");
    response.json({ object: "webhook", ...toJson(found), signing_secret: found.signingSecret });
  });
  router.patch("/webhooks/:id", (request, response) => {
    const found = accountOf(response).endpoints.find((each) => each.id === request.params.id);
    if (!found) return refuse(response, 404, "not_found", "Webhook not found");
    found.isDisabled = (request.body as { status?: unknown } | undefined)?.status === "disabled";
    response.json({ object: "webhook", id: found.id });
  });
  router.delete("/webhooks/:id", (request, response) => {
    const account = accountOf(response);
    const rest = account.endpoints.filter((each) => each.id !== request.params.id);
    if (rest.length === account.endpoints.length)
      return refuse(response, 404, "not_found", "Webhook not found");
    account.endpoints = rest;
    response.json({ object: "webhook", id: request.params.id, deleted: true });
  });
  return router;
}

function toJson({ id, endpoint, events, createdAt, isDisabled }: WebhookEndpoint) {
  return { id, endpoint, events, status: isDisabled ? "disabled" : "enabled", created_at: createdAt };
}
