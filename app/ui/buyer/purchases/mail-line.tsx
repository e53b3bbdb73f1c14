import type { BuyerMail } from "#app/domain/access/find-buyer-mails.server.ts";
import { MAIL_STATE_TEXTS } from "#app/domain/access/mail-state.ts";
import { formatDateTime } from "#app/kit/dates.ts";

/** A mail and its state. */
export function MailLine({ name, state, at }: Pick<BuyerMail, "name" | "state" | "at">) {
  return (
    <p className="small">
      {name}:{" "}
      <b className={state === "returned" || state === "unsent" ? "mail-lost" : undefined}>
        {MAIL_STATE_TEXTS[state]}
      </b>{" "}
      <span className="muted">em {formatDateTime(at)}</span>
    </p>
  );
}
