import express from "express";
import { z } from "zod";
import type { WebhookSettings } from "./webhooks.ts";
import type { World } from "./world.ts";

const settingsSchema = z.object({
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
/** `body` is a forged webhook: an object, or text sent as it is. `url` or `id` give its destination. */
const forgerySchema = z.object({
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
      webhooks.change(given(settingsSchema.parse(request.body)));
      const { body, url, id } = forgerySchema.parse(request.body);
      if (body === undefined) return response.json(webhooks.settings());
      const target = url ?? targetOf(id ?? idIn(body));
      if (!target)
        return response.status(400).json({ message: "Say where to: url, or the id of a transaction." });
      response.json(await webhooks.forge(target, body));
    } catch (error) {
      next(error);
    }
  });

  /** Without a known id, the newest transaction's webhook URL: a forged webhook may well name an unknown one. */
  function targetOf(id: string | undefined) {
    const knownUrl = id ? transactions.find(id)?.webhookUrl : undefined;
    return knownUrl ?? transactions.list().findLast((transaction) => transaction.webhookUrl)?.webhookUrl;
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
