import { createDomain } from "#app/domain/mail/domain/create-domain.server.ts";
import { type DomainFields, domainForm } from "#app/domain/mail/domain/domain-form.server.ts";
import { domainJson } from "#app/domain/mail/domain/domain-json.ts";
import { findDomain } from "#app/domain/mail/domain/find-domain.server.ts";
import { saveDomain } from "#app/domain/mail/domain/save-domain.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";
import { requireOwner } from "#app/web/session/recent-sign-in.server.ts";

/**
 * The sending domain. POST with a name alone creates it at Resend where the seller has a key; with records, or without a
 * key, it is kept by hand. Both answer with the fields as kept, and both ask for a session that signed in a moment ago.
 */
export const { loader, action } = endpoint({
  GET: async ({ request }) => domainJson(await findDomain((await requireApiSeller(request, "read")).id)),
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    requireOwner(seller);
    const fields = await readJson(request, domainForm);
    if ((await findResendKey(seller.id)) && !byHand(fields))
      await createDomain(seller.id, fields.domain_name, originOf(request));
    else await saveDomain(seller.id, fields, originOf(request));
    return { success: true, ...domainJson(await findDomain(seller.id)) };
  },
});

function byHand(fields: DomainFields): boolean {
  return fields.is_verified || [fields.spf_record, fields.dkim_record, fields.dmarc_record].some(Boolean);
}
