import express from "express";
import { z } from "zod";
import type { World } from "../world.ts";
import { HOLDER_NAMES } from "./cards/judge.ts";
import { REPORT_DEFAULTS } from "./settings.ts";

/** `accessToken`, `webhookUrl` and `secret` enter an application's webhook; a null address removes it. */
const schema = z.object({
  accessToken: z.string().optional(),
  webhookUrl: z.url().nullable().optional(),
  secret: z.string().default(""),
  topics: z.array(z.enum(["order", "payment", "topic_chargebacks_wh"])).optional(),
  signedId: z.enum(["received", "lower"]).optional(),
  ts: z.enum(["seconds", "milliseconds"]).optional(),
  signature: z.enum(["right", "wrong", "none"]).optional(),
  hasPixKey: z.boolean().optional(),
  declines: z.boolean().optional(),
  cardOutcome: z
    .union([z.enum(HOLDER_NAMES), z.string().regex(/^[a-z0-9]+(_[a-z0-9]+)+$/)])
    .nullable()
    .optional(),
  threeDs: z.enum(["never", "on_risk", "demanded"]).optional(),
  interestFree: z.int().min(1).max(12).optional(),
  hasSdk: z.boolean().optional(),
  locked: z.int().min(0).optional(),
  isTestAccount: z.boolean().optional(),
  isIndexed: z.boolean().optional(),
  refunds: z.enum(["confirmed", "rejected", "processing"]).optional(),
  hasBalance: z.boolean().optional(),
  reports: z
    .strictObject({
      state: z.enum(["ready", "never", "failed", "refused"]).default(REPORT_DEFAULTS.state),
      omit: z.array(z.string()).default([]),
      amounts: z.record(z.string(), z.int()).default({}),
      extra: z
        .array(
          z.object({ reference: z.string(), type: z.string(), cents: z.int(), feeCents: z.int().default(0) }),
        )
        .default([]),
      format: z.enum(["plain", "comma", "malformed"]).default(REPORT_DEFAULTS.format),
      withoutColumn: z.string().nullable().default(null),
    })
    .optional(),
});

/** `/control/mercadopago`: what a seller enters in the application, and how Mercado Pago behaves from now on. */
export function mercadopagoControls({ settings: { mercadopago } }: World): express.Router {
  const router = express.Router();
  router.post("/", (request, response) => {
    const { accessToken, webhookUrl, secret, ...changes } = schema.parse(request.body ?? {});
    Object.assign(mercadopago, changes);
    if (accessToken && webhookUrl !== undefined) {
      const { [accessToken]: _, ...others } = mercadopago.applications;
      mercadopago.applications =
        webhookUrl === null ? others : { ...others, [accessToken]: { webhookUrl, secret } };
    }
    response.json(mercadopago);
  });
  return router;
}
