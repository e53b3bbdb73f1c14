import express from "express";
import { domainRoutes } from "./resend-domains.ts";
import { emailRoutes } from "./resend-emails.ts";
import { createResendEvents } from "./resend-events.ts";
import {
  answerBrokenBody,
  authenticate,
  limitRate,
  type ResendParts,
  refuse,
  requireUserAgent,
} from "./resend-guards.ts";
import { webhookRoutes } from "./resend-webhooks.ts";

/** `/resend`: sending, domains and webhook endpoints. Source: Resend's API documentation. */
export function resendRoutes(parts: ResendParts): express.Router {
  const events = createResendEvents(parts.time);
  const router = express.Router();
  router.use(requireUserAgent);
  const guards = [authenticate(parts.state), limitRate(parts)];
  router.use(emailRoutes(parts, guards, events));
  router.use(domainRoutes(parts, guards, events));
  router.use(webhookRoutes(parts, guards));
  router.use((_request, response) =>
    refuse(response, 404, "not_found", "The requested endpoint does not exist."),
  );
  router.use(answerBrokenBody);
  return router;
}
