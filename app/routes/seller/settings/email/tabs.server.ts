import { checkSpam } from "#app/domain/mail/domain/check-spam.server.ts";
import type { DomainView } from "#app/domain/mail/domain/domain-view.ts";
import { findDomain } from "#app/domain/mail/domain/find-domain.server.ts";
import { domainVersion } from "#app/domain/mail/domain/save-domain.server.ts";
import { chooseSender } from "#app/domain/mail/outbox/choose-sender.ts";
import { showMail } from "#app/domain/mail/outbox/save-mail.server.ts";
import { explainRefusal } from "#app/domain/mail/resend/explain-refusal.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { openHook } from "#app/domain/mail/resend/open-hook.server.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { findReminders } from "#app/domain/reminder/schedule/find-reminders.server.ts";
import { remindersVersion } from "#app/domain/reminder/schedule/save-reminders.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

type Seller = { id: string; name: string; email: string };

/** What the template tab shows. */
export async function readTemplateTab(seller: Seller) {
  const [mail, template, key, reminders, domain, brand] = await Promise.all([
    showMail(seller.id),
    findTemplate(seller.id),
    maskedResendKey(seller.id),
    findReminders(seller.id),
    findDomain(seller.id),
    findBrand(seller.id),
  ]);
  const preview = previewTemplate(template, brand);
  return {
    template: mail.shown,
    version: mail.version,
    reminders: { reminders, version: remindersVersion(reminders) },
    isDefault: template.id === null || template.htmlContent === DEFAULT_TEMPLATE.htmlContent,
    leaving: leavingBy({ seller, template, key, domain }, preview.senderName),
    sellerEmail: seller.email,
    preview,
  };
}

/** What the domain tab shows. */
export async function readDomainTab(sellerId: string) {
  const [domain, key] = await Promise.all([findDomain(sellerId), maskedResendKey(sellerId)]);
  const hook = key ? await openHook(sellerId) : null;
  return {
    hasKey: key !== "",
    version: domainVersion(domain),
    domain: domain && {
      ...domain,
      checkedAt: domain.checkedAt && formatDateTime(new Date(domain.checkedAt)),
    },
    hook: hook && {
      address: env.APP_URL + paths.resendWebhook(hook.token),
      connected: hook.hasSecret,
      failure: hook.failure && explainRefusal(hook.failure),
    },
  };
}

/** What the anti-spam tab shows: looked up now. */
export async function readSpamTab(seller: Seller) {
  const [template, domain, key] = await Promise.all([
    findTemplate(seller.id),
    findDomain(seller.id),
    maskedResendKey(seller.id),
  ]);
  const { via } = leavingBy({ seller, template, key, domain }, "");
  return checkSpam({ template, domain, brand: await findBrand(seller.id), own: via === "seller" });
}

/** How the seller's mails leave today. */
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
