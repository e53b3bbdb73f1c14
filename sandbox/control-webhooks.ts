import express from "express";
import { z } from "zod";
import { PROVIDERS } from "./transactions.ts";
import type { WebhookSettings } from "./webhooks.ts";
import type { World } from "./world.ts";

const settingsSchema = z.object({
  provider: z.enum(PROVIDERS).nullable().optional(),
  encoding: z.enum(["form", "json"]).optional(),
  copies: z.int().min(1).max(50).optional(),
  delayMs: z.int().min(0).optional(),
  drop: z.boolean().optional(),
  order: z.enum(["normal", "reversed"]).optional(),
  created: z.boolean().optional(),
  idCase: z.enum(["upper", "lower"]).optional(),
  header: z
    .object({ name: z.string().default("x-pushinpay-token"), value: z.string() })
    .nullable()
    .optional(),
});
/**
 * `body` is a forged webhook: an object, or text sent as it is. `url` or `id` give its destination. It is sent as
 * `provider` would, which may sign it; `send: false` returns body and headers instead.
 */
const forgerySchema = z.object({
  provider: z.enum(PROVIDERS).nullish(),
  send: z.boolean().default(true),
  body: z.union([z.record(z.string(), z.unknown()), z.string()]).optional(),
  url: z.url().optional(),
  id: z.string().optional(),
});

/**
 * `/control/webhooks`: how webhooks are sent from now on; a `body` sends a forged one at once and returns the app's
 * response.
 */
export function webhookControls({ webhooks, transactions }: World): express.Router {
  const router = express.Router();
  router.get("/", (_request, response) => {
    response.json({
      ...webhooks.settings(),
      answers: webhooks.answerTimes(),
      deliveries: webhooks.deliveries(),
    });
  });
  router.post("/", async (request, response, next) => {
    try {
      const { body, url, id, provider, send } = forgerySchema.parse(request.body);
      const settings = given(settingsSchema.parse(request.body));
      if (body === undefined) webhooks.change(settings);
      else webhooks.change({ ...settings, provider: webhooks.settings().provider });
      if (body === undefined) return response.json(webhooks.settings());
      if (!send) return response.json(webhooks.wrap(body, provider ?? "pushinpay"));
      const target = url ?? targetOf(id ?? idIn(body));
      if (!target)
        return response.status(400).json({ message: "Say where to: url, or the id of a transaction." });
      response.json(await webhooks.forge(target, body, provider ?? "pushinpay"));
    } catch (error) {
      next(error);
    }
  });

  /** Without a known id, the newest transaction's webhook URL: a forged webhook may well name an unknown one. */
  function targetOf(id: string | undefined) {
    const known = id ? transactions.find(id) : undefined;
    const knownUrl = known ? webhooks.urlOf(known) : null;
    if (knownUrl) return knownUrl;
    const newest = transactions.list().findLast((transaction) => webhooks.urlOf(transaction));
    return newest && webhooks.urlOf(newest);
  }

  return router;
}

function idIn(body: string | Record<string, unknown>) {
  return typeof body === "object" && typeof body.id === "string" ? body.id : undefined;
}

/** Drops absent settings: an undefined would overwrite a setting. */
function given(settings: Partial<WebhookSettings>) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
