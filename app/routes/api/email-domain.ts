import { createDomain } from "#app/domain/mail/create-domain.server.ts";
import { type DomainFields, domainForm } from "#app/domain/mail/domain-form.server.ts";
import { domainJson } from "#app/domain/mail/domain-json.ts";
import { findDomain } from "#app/domain/mail/find-domain.server.ts";
import { findResendKey } from "#app/domain/mail/find-resend-key.server.ts";
import { saveDomain } from "#app/domain/mail/save-domain.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/guards.server.ts";
import { originOf } from "#app/web/origin.server.ts";
import { requireOwner } from "#app/web/recent-sign-in.server.ts";

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
