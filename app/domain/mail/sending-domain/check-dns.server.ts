import type { DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";
import { type DnsValues, lookUpDns } from "#app/domain/mail/sending-domain/look-up-dns.server.ts";
import type { SpamCheck } from "#app/domain/mail/template/spam-check.ts";

type DnsLookup = typeof lookUpDns;

const DNS_UNAVAILABLE_TEXT = "Não foi possível consultar o DNS agora. Tente de novo em alguns minutos.";

/** Looks up whether a sending domain has SPF, DKIM and DMARC; in parallel, at most 2.5 s. */
export async function checkDns(
  name: string,
  records: DomainView["records"],
  lookUp: DnsLookup = lookUpDns,
): Promise<SpamCheck[]> {
  return Promise.all([spf(name, records, lookUp), dkim(name, records, lookUp), dmarc(name, lookUp)]);
}

async function spf(name: string, records: DomainView["records"], lookUp: DnsLookup): Promise<SpamCheck> {
  const hosts = new Set([name, `send.${name}`, ...hostsOf(name, records, "SPF", "TXT")]);
  const answers = await Promise.all([...hosts].map((host) => lookUp(host, "TXT")));
  const found = answers.some((values) => values?.some((value) => /^"?v=spf1\b/i.test(value)));
  return toSpamCheck({
    id: "spf",
    title: "SPF",
    found,
    answers,
    ok: `O domínio ${name} diz quais servidores podem enviar por ele.`,
    missing: `O domínio ${name} não tem registro SPF.`,
    fix: "Copie os registros SPF da aba Domínio para o DNS do seu domínio.",
  });
}

async function dkim(name: string, records: DomainView["records"], lookUp: DnsLookup): Promise<SpamCheck> {
  const text = new Set([`resend._domainkey.${name}`, ...hostsOf(name, records, "DKIM", "TXT")]);
  const aliases = hostsOf(name, records, "DKIM", "CNAME");
  const answers = await Promise.all([
    ...[...text].map((host) => lookUp(host, "TXT")),
    ...aliases.map((host) => lookUp(host, "CNAME")),
  ]);
  const found = answers.some((values, at) => values?.some((value) => at >= text.size || /\bp=/.test(value)));
  return toSpamCheck({
    id: "dkim",
    title: "DKIM",
    found,
    answers,
    ok: "Os seus e-mails podem ser assinados, e a assinatura pode ser conferida.",
    missing: `A chave DKIM não foi encontrada no domínio ${name}.`,
    fix: "Copie os registros DKIM da aba Domínio para o DNS do seu domínio.",
  });
}

async function dmarc(name: string, lookUp: DnsLookup): Promise<SpamCheck> {
  // A subdomain without its own DMARC record follows that of its registrable domain, and none in between or above.
  const hosts = new Set([name, toRegistrableDomain(name)]);
  const answers = await Promise.all([...hosts].map((host) => lookUp(`_dmarc.${host}`, "TXT")));
  const found = answers.some((values) => values?.some((value) => /^"?v=DMARC1\b/i.test(value)));
  return toSpamCheck({
    id: "dmarc",
    title: "DMARC",
    found,
    answers,
    ok: "O domínio diz o que fazer com e-mails que se passam por você.",
    missing: `O domínio ${name} não tem registro DMARC. Gmail e Yahoo pedem um de quem envia em volume.`,
    fix: `Crie no DNS um registro TXT com nome _dmarc e valor v=DMARC1; p=none;`,
  });
}

function toSpamCheck(result: {
  id: string;
  title: string;
  found: boolean;
  answers: DnsValues[];
  ok: string;
  missing: string;
  fix: string;
}): SpamCheck {
  const { id, title, fix } = result;
  if (result.found) return { id, title, state: "ok", text: result.ok };
  if (result.answers.includes(null)) return { id, title, state: "unknown", text: DNS_UNAVAILABLE_TEXT };
  return { id, title, state: "fail", text: result.missing, fix };
}

/** Names are relative to the registrable domain; some are complete. */
function hostsOf(domain: string, records: DomainView["records"], record: string, type: string): string[] {
  return records
    .filter((dnsRecord) => dnsRecord.record === record && dnsRecord.type === type)
    .map(({ name }) => (name.endsWith(domain) ? name : `${name}.${toRegistrableDomain(domain)}`));
}

/**
 * `mail.loja.com.br` → `loja.com.br`, without the list of public suffixes: below `.br` what is registered has three parts
 * (`med.br`, `adv.br` and a hundred others are categories), elsewhere it has three below the likes of `co.uk`.
 */
function toRegistrableDomain(domain: string): string {
  const parts = domain.split(".");
  const [last, category] = [parts.at(-1)!, parts.at(-2)!];
  const isBelowCategory =
    last === "br" || (last.length === 2 && /^(ac|co|com|edu|gob|gov|net|or|org)$/.test(category));
  return parts.slice(isBelowCategory ? -3 : -2).join(".");
}
