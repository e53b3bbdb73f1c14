import type { Account } from "./resend-accounts.ts";

/** Why a mail is rejected: the error's status, name and message. */
export type Rejection = [status: number, name: string, message: string];

const MAX_RECIPIENTS = 50;
const ADDRESS = /^[^\s@<>,]+@[^\s@<>,]+\.[^\s@<>,]+$/;
const TAG = /^[A-Za-z0-9_-]{1,256}$/;
const TEST_SENDER = "onboarding@resend.dev";

/**
 * Validates one posted mail as Resend does, in this order: required fields, addresses, tags, attachments, sender. Returns
 * the first reason to reject it, or undefined.
 */
export function refusalOf(mail: Record<string, unknown>, account: Account): Rejection | undefined {
  for (const field of ["from", "to", "subject"]) {
    if (
      mail[field] === undefined ||
      mail[field] === "" ||
      (Array.isArray(mail[field]) && mail[field].length === 0)
    )
      return [422, "missing_required_field", `Missing \`${field}\` field.`];
  }
  if (mail.html === undefined && mail.text === undefined && mail.template === undefined)
    return [422, "missing_required_field", "Missing `html` or `text` field."];
  if (mail.template !== undefined && (mail.html !== undefined || mail.text !== undefined))
    return [400, "validation_error", "`template` cannot be combined with `html` or `text`."];
  return (
    refusalOfAddresses(mail) ??
    refusalOfTags(mail.tags) ??
    refusalOfAttachments(mail.attachments) ??
    refusalOfSender(mail, account)
  );
}

/** Bare addresses of `to`, `cc` and `bcc`, lowercase. */
export function recipientsOf(mail: Record<string, unknown>): string[] {
  return ["to", "cc", "bcc"].flatMap((field) => asList(mail[field])).map((each) => addressOf(each) ?? "");
}

/** `addr` of `addr` or `Name <addr>`, lowercase; undefined for other texts. */
function addressOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const address = (/^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value).trim();
  return ADDRESS.test(address) ? address.toLowerCase() : undefined;
}

export function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function refusalOfAddresses(mail: Record<string, unknown>): Rejection | undefined {
  if (!addressOf(mail.from)) return [422, "invalid_from_address", `Invalid \`from\` field. ${ADDRESS_HELP}`];
  for (const field of ["to", "cc", "bcc", "reply_to"]) {
    const values = asList(mail[field]);
    if (!values.every(addressOf))
      return [400, "validation_error", `Invalid \`${field}\` field. ${ADDRESS_HELP}`];
    if (values.length > MAX_RECIPIENTS)
      return [
        400,
        "validation_error",
        `The \`${field}\` field must not have more than ${MAX_RECIPIENTS} addresses.`,
      ];
  }
  return undefined;
}

const ADDRESS_HELP =
  "The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.";

function refusalOfTags(tags: unknown): Rejection | undefined {
  for (const tag of asList(tags) as { name?: unknown; value?: unknown }[]) {
    const bad = [tag?.name, tag?.value].some((text) => typeof text !== "string" || !TAG.test(text));
    if (bad)
      return [
        400,
        "validation_error",
        "Tags should only contain ASCII letters, numbers, underscores, or dashes.",
      ];
  }
  return undefined;
}

function refusalOfAttachments(attachments: unknown): Rejection | undefined {
  for (const attachment of asList(attachments) as Record<string, unknown>[]) {
    if (typeof attachment?.filename !== "string" || (!attachment.content && !attachment.path))
      return [
        422,
        "invalid_attachment",
        "Attachment must have a `filename` and either a `content` or `path`.",
      ];
  }
  return undefined;
}

function refusalOfSender(mail: Record<string, unknown>, account: Account): Rejection | undefined {
  const from = addressOf(mail.from) as string;
  if (from === TEST_SENDER) {
    if (recipientsOf(mail).every((address) => address === account.ownAddress)) return undefined;
    return [
      403,
      "validation_error",
      `You can only send testing emails to your own email address (${account.ownAddress}). To send emails to other recipients, please verify a domain at resend.com/domains, and change the \`from\` address to an email using this domain.`,
    ];
  }
  const name = from.slice(from.indexOf("@") + 1);
  if (account.domains.some((domain) => domain.name === name && domain.status === "verified"))
    return undefined;
  return [
    403,
    "validation_error",
    `The ${name} domain is not verified. Please, add and verify your domain on https://resend.com/domains`,
  ];
}
