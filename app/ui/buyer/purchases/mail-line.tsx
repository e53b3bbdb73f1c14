import type { BuyerMail } from "#app/domain/access/access-mails.server.ts";
import { MAIL_STATES } from "#app/domain/access/mail-state.ts";
import { formatDateTime } from "#app/kit/dates.ts";

/** A mail and how it is doing. */
export function MailLine({ name, state, at }: Pick<BuyerMail, "name" | "state" | "at">) {
  return (
    <p className="small">
      {name}:{" "}
      <b className={state === "returned" || state === "unsent" ? "mail-lost" : undefined}>
        {MAIL_STATES[state]}
      </b>{" "}
      <span className="muted">em {formatDateTime(at)}</span>
    </p>
  );
}
