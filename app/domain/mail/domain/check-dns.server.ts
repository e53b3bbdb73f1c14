import { type Looked, lookUp } from "#app/domain/mail/domain/dns-lookup.server.ts";
import type { DomainView } from "#app/domain/mail/domain/domain-view.ts";
import type { SpamCheck } from "#app/domain/mail/template/spam-check.ts";

type LookUp = typeof lookUp;

const UNKNOWN = "Não foi possível consultar o DNS agora. Tente de novo em alguns minutos.";

/** Whether SPF, DKIM and DMARC of a sending domain are there, looked up now; all at once, at most 2.5 s. */
export async function checkDns(
  name: string,
  records: DomainView["records"],
  look: LookUp = lookUp,
): Promise<SpamCheck[]> {
  return Promise.all([spf(name, records, look), dkim(name, records, look), dmarc(name, look)]);
}

async function spf(name: string, records: DomainView["records"], look: LookUp): Promise<SpamCheck> {
  const hosts = new Set([name, `send.${name}`, ...hostsOf(name, records, "SPF", "TXT")]);
  const answers = await Promise.all([...hosts].map((host) => look(host, "TXT")));
  const found = answers.some((values) => values?.some((value) => /^"?v=spf1\b/i.test(value)));
  return check({
    id: "spf",
    title: "SPF",
    found,
    answers,
    ok: `O domínio ${name} diz quais servidores podem enviar por ele.`,
    missing: `O domínio ${name} não tem registro SPF.`,
    fix: "Copie os registros SPF da aba Domínio para o DNS do seu domínio.",
  });
}

async function dkim(name: string, records: DomainView["records"], look: LookUp): Promise<SpamCheck> {
  const text = new Set([`resend._domainkey.${name}`, ...hostsOf(name, records, "DKIM", "TXT")]);
  const aliases = hostsOf(name, records, "DKIM", "CNAME");
  const answers = await Promise.all([
    ...[...text].map((host) => look(host, "TXT")),
    ...aliases.map((host) => look(host, "CNAME")),
  ]);
  const found = answers.some((values, at) => values?.some((value) => at >= text.size || /\bp=/.test(value)));
  return check({
    id: "dkim",
    title: "DKIM",
    found,
    answers,
    ok: "Os seus e-mails podem ser assinados, e a assinatura pode ser conferida.",
    missing: `A chave DKIM não foi encontrada no domínio ${name}.`,
    fix: "Copie os registros DKIM da aba Domínio para o DNS do seu domínio.",
  });
}

async function dmarc(name: string, look: LookUp): Promise<SpamCheck> {
  // A subdomain without a rule of its own follows its parent's.
  const parent = name.split(".").length > 2 ? [name.split(".").slice(1).join(".")] : [];
  const answers = await Promise.all([name, ...parent].map((host) => look(`_dmarc.${host}`, "TXT")));
  const found = answers.some((values) => values?.some((value) => /^"?v=DMARC1\b/i.test(value)));
  return check({
    id: "dmarc",
    title: "DMARC",
    found,
    answers,
    ok: "O domínio diz o que fazer com e-mails que se passam por você.",
    missing: `O domínio ${name} não tem registro DMARC. Gmail e Yahoo pedem um de quem envia em volume.`,
    fix: `Crie no DNS um registro TXT com nome _dmarc e valor v=DMARC1; p=none;`,
  });
}

function check(seen: {
  id: string;
  title: string;
  found: boolean;
  answers: Looked[];
  ok: string;
  missing: string;
  fix: string;
}): SpamCheck {
  const { id, title, fix } = seen;
  if (seen.found) return { id, title, state: "ok", text: seen.ok };
  if (seen.answers.includes(null)) return { id, title, state: "unknown", text: UNKNOWN };
  return { id, title, state: "fail", text: seen.missing, fix };
}

/** Names are relative to the registrable domain; some come whole. */
function hostsOf(domain: string, records: DomainView["records"], record: string, type: string): string[] {
  return records
    .filter((each) => each.record === record && each.type === type)
    .map(({ name }) => (name.endsWith(domain) ? name : `${name}.${registrable(domain)}`));
}

/** `mail.loja.com.br` → `loja.com.br`: enough of the public suffixes for Brazil and the plain ones. */
function registrable(domain: string): string {
  const parts = domain.split(".");
  const suffix =
    parts.length > 2 && /^(com|net|org|edu|gov|art|blog|eco|ind|ltda|pro|app|dev)$/.test(parts.at(-2)!)
      ? 3
      : 2;
  return parts.slice(-suffix).join(".");
}
