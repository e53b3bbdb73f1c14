import type { WebhookForm, WebhookSettings } from "#app/domain/delivery/webhook/settings.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";

type Body = {
  webhook_event_type?: string;
  creation_date?: number;
  Customer?: { CPF?: string; cnpj?: string };
  data?: { customer?: { document?: string | null }; buyer?: { document?: string } };
};

/** A stored body's format, and the document that each format has in a place of its own. */
function readBody(stored: string): { form: WebhookForm; document: string } {
  const { webhook_event_type, creation_date, Customer, data } = parseUntrusted(stored) as Body;
  if (webhook_event_type !== undefined)
    return { form: "kiwify", document: Customer?.CPF || Customer?.cnpj || "" };
  if (creation_date !== undefined) return { form: "hotmart", document: data?.buyer?.document ?? "" };
  return { form: "standard", document: data?.customer?.document ?? "" };
}

/**
 * Whether a stored body is of another format than the webhook's by now, holds a document that is sent no more, or may lack one
 * that is sent since the webhook was changed.
 */
export function isOutdated(stored: string, settings: WebhookSettings, isChanged: boolean): boolean {
  const { form, document } = readBody(stored);
  if (form !== settings.form) return true;
  return document === "" ? settings.withDocument && isChanged : !settings.withDocument;
}

/** `KEY_PARAMETER` and a signature. */
const KEY = /[?&]chave=([\w-]{43})/g;

/** The keys in a body's addresses, each of which opens a purchase. */
export function purchaseKeysIn(body: string): string[] {
  return [...body.matchAll(KEY)].map(([, key]) => key!);
}
