import type { BuyerMail } from "#app/domain/access/access-mails.server.ts";
import { BUYER_MAILS, MAIL_STATES } from "#app/domain/access/mail-state.ts";
import { formatDateTime } from "#app/kit/dates.ts";

/** A mail and how it is doing. */
export function MailLine({ kind, state, at }: Pick<BuyerMail, "kind" | "state" | "at">) {
  return (
    <p className="small">
      {BUYER_MAILS[kind]}:{" "}
      <b className={state === "returned" || state === "unsent" ? "mail-lost" : undefined}>
        {MAIL_STATES[state]}
      </b>{" "}
      <span className="muted">em {formatDateTime(at)}</span>
    </p>
  );
}
