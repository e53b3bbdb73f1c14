import type { Account, Mail, WebhookEndpoint } from "./resend-accounts.ts";
import { asList, recipientsOf } from "./resend-email-rules.ts";
import { newMessageId, svixHeaders } from "./svix.ts";
import { MINUTE, SECOND, type Time } from "./time.ts";

/** The events that Resend sends to an account's registered endpoints. */
export interface ResendEvents {
  /** Simulates the fate of a mail just accepted: sent, then delivered, bounced or complained about. */
  follow(account: Account, mail: Mail): void;
  /** Sends `data` as an event of `type` to every endpoint subscribed to it. */
  sendEvent(account: Account, type: string, data: object): void;
}

const FATE_AFTER = 100;
const ANSWER_WITHIN = 15 * SECOND;
/** The real service retries for a day; a sandbox seldom runs that long. */
const RETRY_WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE];

export function createResendEvents(time: Time): ResendEvents {
  function sendEvent(account: Account, type: string, data: object) {
    const body = JSON.stringify({ type, created_at: new Date(time.now()).toISOString(), data });
    for (const endpoint of account.endpoints) {
      if (!endpoint.isDisabled && endpoint.events.includes(type)) void deliver(time, endpoint, body);
    }
  }

  function happen(account: Account, mail: Mail, event: string, details: object = {}) {
    mail.lastEvent = event;
    sendEvent(account, `email.${event}`, { ...eventData(mail), ...details });
  }

  return {
    sendEvent,
    follow(account, mail) {
      happen(account, mail, "sent");
      time.after(FATE_AFTER, () => {
        // `bounced+anything@` counts too, so that one test's mail can be distinguished from another's.
        const magic = (letters: string) =>
          recipientsOf(mail.body).some((to) => new RegExp(`^${letters}(\\+.*)?@`).test(to));
        if (magic("bounced")) return happen(account, mail, "bounced", { bounce: BOUNCE });
        happen(account, mail, "delivered");
        if (magic("complained")) time.after(FATE_AFTER, () => happen(account, mail, "complained"));
      });
    },
  };
}

const BOUNCE = {
  type: "Permanent",
  subType: "General",
  message: "The recipient's email provider sent a hard bounce message.",
  diagnosticCode: ["smtp; 550 5.1.1 user unknown"],
};

/** Tags are posted as a list and reported as a map. */
function eventData(mail: Mail) {
  const tags = asList(mail.body.tags) as { name: string; value: string }[];
  return {
    email_id: mail.id,
    message_id: `<${mail.id}@sandbox.local>`,
    created_at: mail.at,
    from: mail.body.from,
    to: asList(mail.body.to),
    subject: mail.body.subject,
    ...(tags.length > 0 ? { tags: Object.fromEntries(tags.map((tag) => [tag.name, tag.value])) } : {}),
  };
}

async function deliver(time: Time, endpoint: WebhookEndpoint, body: string) {
  const id = newMessageId();
  const isCurrent = time.begin();
  for (const wait of [0, ...RETRY_WAITS]) {
    if (wait > 0 && !(await time.sleep(wait))) return;
    try {
      const response = await fetch(endpoint.endpoint, {
        method: "POST",
        body,
        redirect: "manual",
        headers: svixHeaders(endpoint.signingSecret, id, body),
        signal: AbortSignal.timeout(ANSWER_WITHIN),
      });
      await response.body?.cancel();
      if (response.ok) return;
    } catch {
      // No answer: the next attempt may succeed.
    }
    if (!isCurrent()) return;
  }
}
