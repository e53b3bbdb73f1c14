import { explainMailError } from "#app/domain/mail/sending/explain-mail-error.ts";

/** A mail's problem, as the seller reads it; null where there is none. */
export function describeMailProblem(mail: {
  error: string | null;
  templateFailedAt: Date | string | null;
}): string | null {
  const defaultTemplateText = mail.templateFailedAt
    ? "Foi com o nosso modelo: o seu não pôde ser montado."
    : null;
  return (
    [mail.error && explainMailError(mail.error), defaultTemplateText].filter(Boolean).join(" · ") || null
  );
}
