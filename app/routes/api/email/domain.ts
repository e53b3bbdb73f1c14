import { z } from "zod";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { createDomain } from "#app/domain/mail/sending-domain/create-domain.server.ts";
import {
  type DomainBody,
  type DomainFields,
  domainBody,
} from "#app/domain/mail/sending-domain/domain-form.server.ts";
import type { DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { mergeDomain } from "#app/domain/mail/sending-domain/merge-domain.ts";
import { domainVersion, saveDomain } from "#app/domain/mail/sending-domain/save-domain.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";

const record = z.object({
  record: z.string(),
  name: z.string(),
  type: z.string(),
  value: z.string(),
  ttl: z.string(),
  status: z.string(),
  priority: z.int().optional(),
});
const answer = z.object({
  domain_name: z.string(),
  is_verified: z.boolean(),
  spf_record: z.string(),
  dkim_record: z.string(),
  dmarc_record: z.string(),
  status: z.string(),
  records: z.array(record),
  version: z.string(),
});

/**
 * The sending domain. POST with only a name creates it at Resend if the seller has a key; with records, or without a key,
 * it is managed manually. Both respond with the stored fields, and POST requires a recent sign-in.
 */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O domínio de envio e os registros que o DNS dele precisa",
      needs: "read",
      answer,
      versioned: true,
      example: {},
    },
    ({ seller }) => show(seller.id),
  ),
  POST: method(
    {
      summary: "Define o domínio de envio",
      details:
        "Só com domain_name, o domínio é criado no Resend quando há uma chave dele; com registros, é mantido à mão. Um nome novo não herda registros nem verificação do anterior.",
      needs: "session",
      body: domainBody,
      answer: successBody.extend(answer.shape),
      versioned: true,
      rateLimited: "calls",
      example: { body: { domain_name: "exemplo.com.br", spf_record: "v=spf1 include:amazonses.com ~all" } },
    },
    async ({ request, seller, readVersioned }) => {
      const { fields, version } = await readVersioned();
      if ((await findResendKey(seller.id)) && !isManual(await mergedOf(seller.id, fields))) {
        await throttle("outside-call", request, seller.id);
        await createDomain(seller.id, fields.domain_name, requestOrigin(request, seller), version);
      } else await saveDomain(seller.id, fields, requestOrigin(request, seller), version);
      return { success: true, ...(await show(seller.id)) };
    },
  ),
});

async function show(sellerId: string) {
  const domain = await findDomain(sellerId);
  return { ...toDomainJson(domain), version: domainVersion(domain) };
}

/** A name on its own asks for the domain at Resend, also where records are saved of it. */
async function mergedOf(sellerId: string, { domain_name, ...fields }: DomainBody): Promise<DomainFields> {
  const saved = await findDomain(sellerId);
  return Object.values(fields).every((value) => value === undefined)
    ? mergeDomain(null, { domain_name })
    : mergeDomain(saved, { domain_name, ...fields });
}

function isManual(fields: DomainFields): boolean {
  return fields.is_verified || [fields.spf_record, fields.dkim_record, fields.dmarc_record].some(Boolean);
}

/** A domain in the API; `status` and `records` are Resend's. */
export function toDomainJson(domain: DomainView | null) {
  return {
    domain_name: domain?.domainName ?? "",
    is_verified: domain?.isVerified ?? false,
    spf_record: domain?.spfRecord ?? "",
    dkim_record: domain?.dkimRecord ?? "",
    dmarc_record: domain?.dmarcRecord ?? "",
    status: domain?.status ?? "manual",
    records: domain?.records ?? [],
  };
}
