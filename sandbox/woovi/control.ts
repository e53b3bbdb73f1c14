import { createPrivateKey } from "node:crypto";
import express from "express";
import { z } from "zod";
import type { World } from "../world.ts";

/**
 * `appId` and `webhookUrl` enter an account's address; `rotateKey` makes a new key, and `forget` drops the earlier ones;
 * `useKey` is the private key (PEM) to sign with in place of all.
 */
const schema = z.object({
  appId: z.string().optional(),
  webhookUrl: z.url().nullable().optional(),
  prefix: z.enum(["OPENPIX", "woovi"]).optional(),
  signature: z.enum(["right", "wrong", "none"]).optional(),
  refunds: z.enum(["confirmed", "rejected", "processing"]).optional(),
  hasBalance: z.boolean().optional(),
  rotateKey: z.enum(["keep", "forget"]).optional(),
  useKey: z.string().refine(isPrivateKey, "must be a private key (PEM)").optional(),
});

/** `/control/woovi`: what a seller enters in Woovi's panel, and how Woovi behaves from now on. */
export function wooviControls({ settings: { woovi }, wooviKeys }: World): express.Router {
  const router = express.Router();
  router.post("/", (request, response) => {
    const { appId, webhookUrl, rotateKey, useKey, ...changes } = schema.parse(request.body ?? {});
    Object.assign(woovi, changes);
    if (appId && webhookUrl !== undefined) {
      const { [appId]: _, ...others } = woovi.webhookUrls;
      woovi.webhookUrls = webhookUrl === null ? others : { ...others, [appId]: webhookUrl };
    }
    if (rotateKey) wooviKeys.rotate(rotateKey === "forget");
    if (useKey) wooviKeys.use(useKey);
    response.json(woovi);
  });
  return router;
}

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    return false;
  }
}
