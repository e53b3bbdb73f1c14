import { ensureHook, type ResendHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { chooseSender } from "#app/domain/mail/sending/choose-sender.ts";
import { loadMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import { checkSpam } from "#app/domain/mail/sending-domain/check-spam.server.ts";
import type { DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { domainVersion } from "#app/domain/mail/sending-domain/save-domain.server.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { findReminderTimes } from "#app/domain/reminder/schedule/find-reminder-times.server.ts";
import { reminderTimesVersion } from "#app/domain/reminder/schedule/save-reminder-times.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

type Seller = { id: string; name: string; email: string };

/** Data of the template tab. */
export async function readTemplateTab(seller: Seller) {
  const [mail, template, key, reminders, domain, brand] = await Promise.all([
    loadMailSettings(seller.id),
    findTemplate(seller.id),
    maskedResendKey(seller.id),
    findReminderTimes(seller.id),
    findDomain(seller.id),
    findBrand(seller.id),
  ]);
  const preview = previewTemplate(template, brand);
  return {
    template: mail.shown,
    version: mail.version,
    reminders: { reminders, version: reminderTimesVersion(reminders) },
    isDefault: template.id === null || template.htmlContent === DEFAULT_TEMPLATE.htmlContent,
    leaving: {
      ...leavingBy({ seller, template, key, domain }, preview.senderName),
      // The preview's name is an example where the template's has placeholders.
      isExample: preview.senderName !== template.senderName,
    },
    sellerEmail: seller.email,
    preview,
  };
}

/** Data of the domain tab. */
export async function readDomainTab(sellerId: string) {
  const [domain, key] = await Promise.all([findDomain(sellerId), findResendKey(sellerId)]);
  const hook = key ? await ensureHook(sellerId) : null;
  return {
    hasKey: key !== null,
    version: domainVersion(domain),
    domain: domain && {
      ...domain,
      checkedAt: domain.checkedAt && formatDateTime(new Date(domain.checkedAt)),
    },
    hook: hook && {
      address: env.APP_URL + paths.resendWebhook(hook.token),
      state: stateOf(hook, key!),
      failure: hook.failure && explainResendError(hook.failure),
    },
  };
}

/** A secret that was entered by hand may be another webhook's: one that arrives shows that it is not. */
function stateOf({ hasSecret, keyHash, providerId, checkedAt }: ResendHook, key: string) {
  // Another key is another account, whose webhook is not registered yet.
  if (!hasSecret || keyHash !== hashToken(key)) return "connecting" as const;
  return providerId === null && checkedAt === null ? ("saved" as const) : ("connected" as const);
}

/** Data of the anti-spam tab, looked up in DNS now. */
export async function readSpamTab(seller: Seller) {
  const [template, domain, key] = await Promise.all([
    findTemplate(seller.id),
    findDomain(seller.id),
    maskedResendKey(seller.id),
  ]);
  const { via } = leavingBy({ seller, template, key, domain }, "");
  return checkSpam({ template, domain, brand: await findBrand(seller.id), usesOwnAccount: via === "seller" });
}

/** How the seller's mails are sent at present. */
function leavingBy(
  known: { seller: Seller; template: Template; key: string; domain: DomainView | null },
  name: string,
) {
  const { seller, template, key, domain } = known;
  const config = {
    hasKey: key !== "",
    senderEmail: template.senderEmail,
    verifiedDomain: domain?.isVerified ? domain.domainName : null,
    contactEmail: seller.email,
  };
  return chooseSender(config, name, env.MAIL_FROM);
}
