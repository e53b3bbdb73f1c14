import { explainDelivery } from "#app/domain/mail/outbox/explain-delivery.ts";

/** What a seller should know of a mail beside its state, in their words; null where there is nothing to say. */
export function deliveryNote(mail: {
  error: string | null;
  templateFailedAt: Date | string | null;
}): string | null {
  const ours = mail.templateFailedAt ? "Foi com o nosso modelo: o seu não pôde ser montado." : null;
  return [mail.error && explainDelivery(mail.error), ours].filter(Boolean).join(" · ") || null;
}
