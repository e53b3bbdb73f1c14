import { expect, test } from "vitest";
import { checkDns } from "#app/domain/mail/sending-domain/check-dns.server.ts";
import { lookUpDns } from "#app/domain/mail/sending-domain/look-up-dns.server.ts";
import { checkContent } from "#app/domain/mail/template/check-content.server.ts";

const GOOD = {
  subject: "Sua compra foi aprovada",
  html: `<p>${"Texto de sobra para ler aqui. ".repeat(10)}</p><img src="x" alt="Logo">`,
  text: `${"Texto de sobra para ler aqui. ".repeat(10)} Escola da Vera, CNPJ 11.222.333/0001-81`,
  template: '<a href="{{ product_file_url }}">Acessar</a>',
  unknown: [],
  names: ["Escola da Vera"],
};
const states = (mail: typeof GOOD | object) =>
  Object.fromEntries(checkContent({ ...GOOD, ...mail }).map((check) => [check.id, check.state]));

test("a good mail has nothing to correct", () => {
  expect(Object.values(states({})).every((state) => state === "ok")).toBe(true);
});

test.each([
  [{ html: '<a href="https://bit.ly/abc">x</a>' }, "links", "fail"],
  [{ subject: "PROMOÇÃO IMPERDÍVEL" }, "subject", "warn"],
  [{ subject: "Corra!!!" }, "subject", "warn"],
  [{ html: '<img src="x">', text: "Oi" }, "text", "warn"],
  [{ html: '<img src="x">' }, "images", "warn"],
  [{ text: "Sem nome nem nada ".repeat(10) }, "identity", "warn"],
  [{ html: "<script>1</script>" }, "active", "fail"],
  [{ template: "<p>sem link</p>" }, "access", "warn"],
  [{ unknown: ["{foo}"] }, "placeholders", "fail"],
  [{ html: "x".repeat(110_000) }, "size", "warn"],
])("%j is pointed out as %s", (mail, id, state) => {
  const check = checkContent({ ...GOOD, ...mail }).find((each) => each.id === id)!;
  expect([check.state, Boolean(check.fix)]).toEqual([state, true]);
});

test.each([
  [1, "1 imagem sem texto alternativo."],
  [2, "2 imagens sem texto alternativo."],
])("%i pictures without an alternative text are counted", (many, text) => {
  const mail = { ...GOOD, html: '<img src="x">'.repeat(many) };
  expect(checkContent(mail).find(({ id }) => id === "images")!.text).toBe(text);
});

const ZONE: Record<string, string[]> = {
  "send.loja.com.br TXT": ["v=spf1 include:amazonses.com ~all"],
  "resend._domainkey.loja.com.br TXT": ["p=MIGf"],
  "_dmarc.loja.com.br TXT": ["v=DMARC1; p=none;"],
};
const zone = async (name: string, type: string) => ZONE[`${name} ${type}`] ?? [];

test("records that are there are found", async () => {
  const checks = await checkDns("loja.com.br", [], zone);
  expect(checks.map(({ id, state }) => [id, state])).toEqual([
    ["spf", "ok"],
    ["dkim", "ok"],
    ["dmarc", "ok"],
  ]);
});

test("a subdomain follows its parent's DMARC", async () => {
  const [, , dmarc] = await checkDns("mail.loja.com.br", [], zone);
  expect(dmarc!.state).toBe("ok");
});

test.each([
  ["a.mail.loja.com.br", "loja.com.br", "ok"],
  ["a.mail.loja.com", "loja.com", "ok"],
  ["mail.ana.med.br", "ana.med.br", "ok"],
  ["a.mail.loja.co.uk", "loja.co.uk", "ok"],
  ["a.mail.loja.pt", "loja.pt", "ok"],
  ["outra.com.br", "com.br", "fail"],
  ["outra.adv.br", "adv.br", "fail"],
  ["outra.co.uk", "co.uk", "fail"],
  ["a.mail.outra.com.br", "mail.outra.com.br", "fail"],
] as const)("%s with a DMARC record at %s: %s", async (name, host, state) => {
  const [, , dmarc] = await checkDns(name, [], async (asked) =>
    asked === `_dmarc.${host}` ? ["v=DMARC1; p=reject;"] : [],
  );
  expect(dmarc!.state).toBe(state);
});

test("missing records are failures with something to do", async () => {
  const checks = await checkDns("nada.com.br", [], async () => []);
  expect(checks.every((check) => check.state === "fail" && check.fix)).toBe(true);
});

test("a DNS server that does not answer is reported as unknown, never as missing", async () => {
  const checks = await checkDns("loja.com.br", [], async () => null);
  expect(checks.map(({ state }) => state)).toEqual(["unknown", "unknown", "unknown"]);
});

test("lookups end in time and do not throw, with or without a network", async () => {
  const began = Date.now();
  const found = await lookUpDns("_dmarc.dominio-que-nao-existe-mesmo.invalid", "TXT");
  expect(found === null || found.length === 0).toBe(true);
  expect(Date.now() - began).toBeLessThan(30_000);
});
