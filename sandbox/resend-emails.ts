import { createHash, randomUUID } from "node:crypto";
import express, { type RequestHandler } from "express";
import type { Account, Mail } from "./resend-accounts.ts";
import { asList, type Rejection, refusalOf } from "./resend-email-rules.ts";
import type { ResendEvents } from "./resend-events.ts";
import { accountOf, type ResendParts, refuse } from "./resend-guards.ts";
import { HOUR } from "./time.ts";

const IDEMPOTENCY_LASTS = 24 * HOUR;
const MAX_BATCH = 100;

/** `POST /emails`, `POST /emails/batch`, `GET /emails/:id`. */
export function emailRoutes(
  parts: ResendParts,
  guards: RequestHandler[],
  events: ResendEvents,
): express.Router {
  const { faults, state } = parts;
  const router = express.Router();
  // Attachments may be 40 MB after encoding.
  const body = express.json({ limit: "41mb" });
  router.post(
    "/emails",
    faults.arrive("resend", "emails"),
    guards,
    body,
    receiveEmails(parts, events, readOne),
  );
  router.post(
    "/emails/batch",
    faults.arrive("resend", "batch"),
    guards,
    body,
    receiveEmails(parts, events, readBatch),
  );
  router.get("/emails/:id", faults.arrive("resend", "email"), ...guards, (request, response) => {
    const mail = state.mails.find(
      (each) => each.id === request.params.id && each.token === accountOf(response).token,
    );
    if (!mail) return refuse(response, 404, "not_found", "Email not found");
    response.json(toJson(mail));
  });
  return router;
}

type Posted = Record<string, unknown>;
/** The mails in a posted body, and how their ids are returned. */
type Read = (body: unknown) => { mails: Posted[]; answer(ids: string[]): object } | Rejection;

const readOne: Read = (body) => ({
  mails: [(typeof body === "object" && body !== null ? body : {}) as Posted],
  answer: ([id]) => ({ id }),
});

const readBatch: Read = (body) => {
  if (!Array.isArray(body) || body.length === 0 || body.length > MAX_BATCH)
    return [400, "validation_error", `A batch holds 1 to ${MAX_BATCH} emails.`];
  return { mails: body, answer: (ids) => ({ data: ids.map((id) => ({ id })) }) };
};

function receiveEmails({ time, state }: ResendParts, events: ResendEvents, read: Read): RequestHandler {
  return (request, response) => {
    const account = accountOf(response);
    const key = request.get("idempotency-key") ?? null;
    if (key !== null && (key.length < 1 || key.length > 256))
      return refuse(
        response,
        400,
        "invalid_idempotency_key",
        "The idempotency key must be between 1-256 characters.",
      );

    const hash = createHash("sha256").update(JSON.stringify(request.body)).digest("hex");
    const earlier = key === null ? undefined : recall(account, key, time.now());
    if (earlier && earlier.hash !== hash)
      return refuse(
        response,
        409,
        "invalid_idempotent_request",
        "This idempotency key has been used on a different request payload.",
      );
    if (earlier) return response.json(earlier.answer);

    const posted = read(request.body);
    if (Array.isArray(posted)) return refuse(response, ...posted);
    for (const mail of posted.mails) {
      const rejection = refusalOf(mail, account);
      if (rejection) return refuse(response, ...rejection);
    }

    const mails = posted.mails.map(
      (body): Mail => ({
        id: randomUUID(),
        at: new Date(time.now()).toISOString(),
        token: account.token,
        headers: request.headers,
        idempotencyKey: key,
        body,
        lastEvent: "queued",
      }),
    );
    state.mails.push(...mails);
    const answer = posted.answer(mails.map((mail) => mail.id));
    if (key !== null) account.answers.set(key, { hash, answer, at: time.now() });
    response.json(answer);
    for (const mail of mails) events.follow(account, mail);
  };
}

function recall(account: Account, key: string, now: number) {
  const earlier = account.answers.get(key);
  return earlier && now - earlier.at < IDEMPOTENCY_LASTS ? earlier : undefined;
}

function toJson({ id, at, body, lastEvent }: Mail) {
  return {
    object: "email",
    id,
    to: asList(body.to),
    from: body.from,
    created_at: at,
    subject: body.subject,
    html: body.html ?? null,
    text: body.text ?? null,
    bcc: asList(body.bcc),
    cc: asList(body.cc),
    reply_to: asList(body.reply_to),
    last_event: lastEvent,
    scheduled_at: body.scheduled_at ?? null,
    tags: body.tags ?? [],
  };
}
