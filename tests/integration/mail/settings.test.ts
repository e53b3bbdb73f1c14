import { expect, test } from "vitest";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
import { ensureHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { removeResendKey, saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { sendTestMail } from "#app/domain/mail/sending/send-test-mail.server.ts";
import { checkDomain } from "#app/domain/mail/sending-domain/check-domain.server.ts";
import { createDomain } from "#app/domain/mail/sending-domain/create-domain.server.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { removeDomain, saveDomain } from "#app/domain/mail/sending-domain/save-domain.server.ts";
import { verifyDomain } from "#app/domain/mail/sending-domain/verify-domain.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { BODY_PLACEHOLDERS } from "#app/domain/mail/template/placeholders.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import * as domainRoute from "#app/routes/api/email/domain.ts";
import * as templateRoute from "#app/routes/api/email/template.ts";
import * as testRoute from "#app/routes/api/email/test-email.ts";
import * as emailPage from "#app/routes/seller/settings/email/email.tsx";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeOwnSender, waitingJobs } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
const ATTEMPT = { number: 1, last: false };
let accounts = 0;

async function withKey(key = `re_conta-${++accounts}`) {
  const seller = await makeSeller();
  await saveResendKey(seller.id, key);
  return { seller, key };
}

test("a key is stored encrypted, shown masked, and stays when the mask or nothing is sent", async () => {
  const { seller, key } = await withKey("re_segredo-plantado-1234");
  expect(await maskedResendKey(seller.id)).toBe("••••••••1234");
  for (const typed of ["••••••••1234", "", "   "]) await saveResendKey(seller.id, typed);
  expect(await maskedResendKey(seller.id)).toBe("••••••••1234");
  const rows = await sql`select s::text as said from mail_settings s where seller_id = ${seller.id}`;
  expect(rows[0]!.said).not.toContain(key);
  await expect(saveResendKey(seller.id, "sk_errada")).rejects.toMatchObject({
    kind: "invalid",
    field: "resend_api_key",
  });
  await removeResendKey(seller.id);
  expect(await maskedResendKey(seller.id)).toBe("");
});

test("a domain at Resend is not replaced by a request with an older version, which creates none there", async () => {
  const { seller } = await withKey();
  const headers = await signedIn(seller);
  const at = "/api/email/domain";
  const { version } = (await (await call(domainRoute, at, { headers })).json()) as { version: string };
  await createDomain(seller.id, "salvo-em-outro-lugar.com.br");
  const callsBefore = (await app.sandbox.calls()).resend;
  const post = (more: object) =>
    call(domainRoute, at, { method: "POST", headers, body: { domain_name: "antigo.com.br", ...more } });
  expect((await post({ version })).status).toBe(409);
  expect((await app.sandbox.calls()).resend).toEqual(callsBefore);
  expect((await findDomain(seller.id))!.domainName).toBe("salvo-em-outro-lugar.com.br");
  const shown = (await (await call(domainRoute, at, { headers })).json()) as { version: string };
  expect((await post({ version: shown.version })).status).toBe(200);
  expect((await findDomain(seller.id))!.domainName).toBe("antigo.com.br");
});

test("a page from before another tab connected a domain neither replaces nor removes it", async () => {
  const { seller } = await withKey();
  const headers = await signedIn(seller);
  const { version } = await (await call(domainRoute, "/api/email/domain", { headers })).json();
  await createDomain(seller.id, "exemplo.com.br");
  const saved = await findDomain(seller.id);
  for (const intent of ["create-domain", "remove-domain"]) {
    const body = new URLSearchParams({ intent, domain_name: "antigo.com.br", version });
    expect((await call(emailPage, "/settings/email", { method: "POST", headers, body })).status).toBe(409);
  }
  expect(await findDomain(seller.id)).toEqual(saved);
});

test("a domain created at Resend shows no DMARC record of another one, and keeps its own", async () => {
  const { seller } = await withKey();
  const typed = { is_verified: false, spf_record: "", dkim_record: "", dmarc_record: "v=DMARC1; p=reject" };
  for (const [name, kept] of [
    ["exemplo.com.br", "v=DMARC1; p=reject"],
    ["nova.exemplo.com.br", ""],
  ] as const) {
    await saveDomain(seller.id, { domain_name: "exemplo.com.br", ...typed });
    await createDomain(seller.id, name);
    expect((await findDomain(seller.id))!.dmarcRecord).toBe(kept);
  }
});

test("the same key again leaves the domain alone, another one leaves its account", async () => {
  const { seller, key } = await withKey();
  await createDomain(seller.id, "minha-loja.com.br");
  for (const pasted of [` ${key} `, `\u200b${key}\u00a0`, `"${key}"`]) await saveResendKey(seller.id, pasted);
  expect(await findDomain(seller.id)).toMatchObject({ atResend: true });
  await saveResendKey(seller.id, "re_outra-conta");
  expect(await findDomain(seller.id)).toMatchObject({ atResend: false, isVerified: false, status: "manual" });
});

test("another key of the account that has the domain leaves it connected", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "fica.com.br");
  const connected = await findDomain(seller.id);
  const data = await sql`
    select provider_id as id, domain_name as name from email_domains where seller_id = ${seller.id}`;
  const body = { object: "list", has_more: false, data: [...data] };
  await app.sandbox.fault({ service: "resend", route: "domains", mode: "status-200", body });
  await saveResendKey(seller.id, "re_nova-chave-da-mesma-conta");
  expect(await findDomain(seller.id)).toEqual(connected);
  expect(connected).toMatchObject({ atResend: true });
  await removeResendKey(seller.id);
  expect(await findDomain(seller.id)).toMatchObject({ atResend: false });
});

test("a domain that was created with a key of before is not stored beside the key of now", async () => {
  const { seller } = await withKey();
  let creating: Promise<unknown> | undefined;
  const held = await holdLock(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    creating = createDomain(seller.id, "da-conta-velha.com.br").catch((error: unknown) => error);
    await untilLockedOut();
    await tx`update mail_settings set resend_key_sealed = ${seal("re_conta-nova")} where seller_id = ${seller.id}`;
  });
  await held.release();
  expect(await creating).toMatchObject({ kind: "conflict", field: "domain_name" });
  expect(await findDomain(seller.id)).toBeNull();
});

test("a domain is created with Resend's records as returned, verified, and checked until it is decided", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "violao-da-vera.com.br");
  const created = await findDomain(seller.id);
  expect(created).toMatchObject({
    status: "not_started",
    isVerified: false,
    spfRecord: '"v=spf1 include:amazonses.com ~all"',
  });
  expect(created!.records.map(({ record, type, name }) => [record, type, name])).toEqual([
    ["SPF", "MX", "send"],
    ["SPF", "TXT", "send"],
    ["DKIM", "TXT", "resend._domainkey"],
  ]);
  await verifyDomain(seller.id);
  expect((await findDomain(seller.id))!.status).toBe("pending");
  await checkDomain.handle({ sellerId: seller.id }, ATTEMPT);
  expect((await waitingJobs("check-domain")).some((job) => job.ids.sellerId === seller.id)).toBe(true);
  await until(async () => {
    await checkDomain.handle({ sellerId: seller.id }, ATTEMPT);
    return (await findDomain(seller.id))!.isVerified;
  });
  expect((await findDomain(seller.id))!.records.every(({ status }) => status === "verified")).toBe(true);
});

test("while Resend is away its check of a domain, and our address for its webhooks, are not given up", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "resend-fora.com.br");
  await verifyDomain(seller.id);
  for (const job of [checkDomain, connectResend]) {
    await sql`delete from graphile_worker._private_jobs`;
    await app.sandbox.fault({ service: "resend", mode: "http-500" });
    await job.handle({ sellerId: seller.id }, { number: 8, last: true });
    expect((await waitingJobs(job.name)).map(({ ids }) => ids.sellerId)).toEqual([seller.id]);
  }
  expect((await findDomain(seller.id))!.status).toBe("pending");
});

test("a check of a domain that Resend refuses ends, and is no failed job of the operator's", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "chave-revogada.com.br");
  await verifyDomain(seller.id);
  const refusals = [
    { mode: "status-401", body: { statusCode: 401, name: "invalid_api_key", message: "API key is invalid" } },
    { mode: "status-404", body: { statusCode: 404, name: "not_found", message: "Domain not found" } },
  ] as const;
  for (const refusal of refusals) {
    await sql`delete from graphile_worker._private_jobs`;
    await app.sandbox.fault({ service: "resend", times: 1, ...refusal });
    await checkDomain.handle({ sellerId: seller.id }, { number: 8, last: true });
    expect(await waitingJobs("check-domain")).toEqual([]);
  }
});

test("a domain that its account was verifying when it was removed here is checked once it is connected again", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "de-novo.com.br");
  await verifyDomain(seller.id);
  await removeDomain(seller.id);
  await sql`delete from graphile_worker._private_jobs`;
  await createDomain(seller.id, "de-novo.com.br");
  expect((await findDomain(seller.id))!.status).toBe("pending");
  expect((await waitingJobs("check-domain")).map(({ ids }) => ids.sellerId)).toEqual([seller.id]);
  await until(async () => {
    await checkDomain.handle({ sellerId: seller.id }, ATTEMPT);
    return (await findDomain(seller.id))!.isVerified;
  });
});

test("a domain that fails is reported, and may be verified again", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "falha.com.br");
  await verifyDomain(seller.id);
  await until(async () => {
    await checkDomain.handle({ sellerId: seller.id }, ATTEMPT);
    return (await findDomain(seller.id))!.status === "failed";
  });
  await verifyDomain(seller.id);
  expect((await findDomain(seller.id))!.status).toBe("pending");
});

test("a domain the account already has is used with its current state", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "exemplo.com.br");
  expect(await findDomain(seller.id)).toMatchObject({ isVerified: true, status: "verified", atResend: true });
});

test("a domain and an address far down the account's lists are found there", async () => {
  const { seller, key } = await withKey();
  await createDomain(seller.id, "longe.com.br");
  await connectResend.handle({ sellerId: seller.id }, ATTEMPT);
  const { token } = await ensureHook(seller.id);
  await sql`delete from email_domains where seller_id = ${seller.id}`;
  await sql`update mail_hooks set key_hash = null where seller_id = ${seller.id}`;
  const headers = {
    authorization: `Bearer ${key}`,
    "user-agent": "test",
    "content-type": "application/json",
  };
  const list = async (of: string, limit: number) =>
    (await fetch(`${app.sandbox.url}/resend/${of}?limit=${limit}`, { headers })).json();
  // The account's first domain, and a first page of addresses that are not ours.
  const domains = await list("domains", 1);
  expect(domains).toMatchObject({ data: [{ name: "sandbox.local" }], has_more: true });
  await app.sandbox.fault({ service: "resend", route: "domains", mode: "status-200", body: domains });
  await createDomain(seller.id, "longe.com.br");
  expect((await findDomain(seller.id))!.atResend).toBe(true);
  const webhooks = {
    object: "list",
    has_more: true,
    data: [{ id: "outro", endpoint: "https://exemplo.com.br" }],
  };
  await app.sandbox.fault({ service: "resend", route: "webhooks", mode: "status-200", body: webhooks });
  await connectResend.handle({ sellerId: seller.id }, ATTEMPT);
  const { data } = await list("webhooks", 100);
  expect(data.map((one: { endpoint: string }) => one.endpoint)).toEqual([expect.stringContaining(token)]);
});

test("a status of a domain that is not known is read as pending, stored ones too", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "novo-estado.com.br");
  const [row] =
    await sql`select provider_id as id, records from email_domains where seller_id = ${seller.id}`;
  const body = { object: "domain", status: "temporary_failure", ...row };
  await app.sandbox.fault({ service: "resend", route: "domains", mode: "status-200", body });
  await sql`update email_domains set verifying_since = now() where seller_id = ${seller.id}`;
  await checkDomain.handle({ sellerId: seller.id }, ATTEMPT);
  expect((await findDomain(seller.id))!.status).toBe("pending");
  expect((await waitingJobs("check-domain")).some((job) => job.ids.sellerId === seller.id)).toBe(true);
  await sql`update email_domains set status = 'temporary_failure' where seller_id = ${seller.id}`;
  expect((await findDomain(seller.id))!.status).toBe("pending");
});

test("what Resend refuses or does not answer is reported in Portuguese, and nothing is saved", async () => {
  const { seller } = await withKey("re_restricted-2");
  await expect(createDomain(seller.id, "loja.com.br")).rejects.toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("só pode enviar"),
  });
  const other = await withKey();
  for (const mode of ["http-500", "reset", "malformed"] as const) {
    await app.sandbox.fault({ service: "resend", route: "domains", mode });
    await expect(createDomain(other.seller.id, "loja.com.br")).rejects.toMatchObject({ kind: "unavailable" });
  }
  expect(await findDomain(other.seller.id)).toBeNull();
  await expect(verifyDomain(other.seller.id)).rejects.toMatchObject({ kind: "not-found" });
});

test("managed manually a domain has the state the seller sets; at Resend the one Resend reports", async () => {
  const seller = await makeSeller();
  const fields = {
    domain_name: "loja.com.br",
    is_verified: true,
    spf_record: "v=spf1",
    dkim_record: "",
    dmarc_record: "v=DMARC1",
  };
  await saveDomain(seller.id, fields);
  expect(await findDomain(seller.id)).toMatchObject({
    isVerified: true,
    status: "manual",
    dmarcRecord: "v=DMARC1",
  });
  const own = await withKey();
  await createDomain(own.seller.id, "loja.com.br");
  await saveDomain(own.seller.id, fields);
  expect(await findDomain(own.seller.id)).toMatchObject({
    isVerified: false,
    status: "not_started",
    atResend: true,
  });
});

test("the template's API returns the default, stores what is sent, and reports errors", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const first = await (await call(templateRoute, "/api/email/template", { headers })).json();
  expect(first).toMatchObject({
    sender_name: "{product}",
    subject: expect.stringContaining("{product_name}"),
  });
  expect(first.id).toBeUndefined();
  const body = {
    sender_name: "Loja",
    sender_email: "OI@loja.com.br",
    subject: "Oi",
    html_content: "<p>Oi</p>",
  };
  const saved = await (
    await call(templateRoute, "/api/email/template", { method: "POST", headers, body })
  ).json();
  expect(saved).toMatchObject({ success: true, id: expect.any(Number), sender_email: "oi@loja.com.br" });
  // It is stored unchanged, and its mail gets the link to the purchase at the end.
  expect(saved.html_content).toBe(body.html_content);
  expect(saved.warning).toContain("{product_file_url}");
  const bare = previewTemplate(await findTemplate(seller.id), BODY_PLACEHOLDERS);
  expect(bare.html.startsWith("<p>Oi</p>")).toBe(true);
  expect(bare.html).toContain('<a href="https://exemplo.com.br/minha-compra"');
  const linked = { ...body, html_content: '<p><a href="{{ product_file_url }}">Abrir</a></p>' };
  const whole = await call(templateRoute, "/api/email/template", { method: "POST", headers, body: linked });
  expect((await whole.json()).warning).toBeUndefined();
  expect(
    previewTemplate(await findTemplate(seller.id), BODY_PLACEHOLDERS).html.match(/minha-compra/g),
  ).toHaveLength(1);
  const astray = { ...body, html_content: '<p><a href="https://www.{product_file_url}">Abrir</a></p>' };
  const strayed = await call(templateRoute, "/api/email/template", { method: "POST", headers, body: astray });
  const strayedText = (await strayed.json()).warning;
  expect(strayedText).toContain("escritas: {product_file_url}. Os dados");
  expect(strayedText).toContain("só no começo do endereço), e nada entra depois de uma tag sem fim");
  expect(previewTemplate(await findTemplate(seller.id), BODY_PLACEHOLDERS).html).toContain(
    '<a href="https://exemplo.com.br/minha-compra"',
  );
  // Its end is read as a part of the tag, our button too, so that its buyers get our template.
  const broken = { ...body, html_content: '<p>Oi</p><img alt="<R$ 50">' };
  const lost = await call(templateRoute, "/api/email/template", { method: "POST", headers, body: broken });
  const lostText = (await lost.json()).warning;
  expect(lostText).toContain("o comprador recebe o nosso");
  expect(lostText).not.toContain("acrescentamos");
  for (const wrong of [{ subject: " " }, { html_content: "" }, { sender_email: "x" }, { sender_name: 1 }]) {
    const answer = await call(templateRoute, "/api/email/template", {
      method: "POST",
      headers,
      body: { ...body, ...wrong },
    });
    expect([answer.status, typeof (await answer.json()).error]).toEqual([400, "string"]);
  }
  const longest = { ...body, html_content: "é".repeat(200_000) };
  const long = await call(templateRoute, "/api/email/template", { method: "POST", headers, body: longest });
  expect(long.status, "the longest template there may be").toBe(200);
  const other = await makeSeller();
  expect((await findTemplate(other.id)).id).toBeNull();
  expect((await call(templateRoute, "/api/email/template")).status).toBe(401);
});

test("the domain's API manages it manually without a key and creates it at Resend with one", async () => {
  const manually = await signedIn(await makeSeller());
  const post = async (headers: { Cookie: string }, body: object) =>
    (await call(domainRoute, "/api/email/domain", { method: "POST", headers, body })).json();
  expect(await post(manually, { domain_name: "Loja.com.br", is_verified: 1, spf_record: "a" })).toMatchObject(
    {
      domain_name: "loja.com.br",
      is_verified: true,
      spf_record: "a",
      records: [],
    },
  );
  const own = await signedIn((await withKey()).seller);
  const created = await post(own, { domain_name: "nova-loja.com.br" });
  expect(created).toMatchObject({ is_verified: false, status: "not_started" });
  expect(created.records).toHaveLength(3);
  expect(await (await call(domainRoute, "/api/email/domain", { headers: own })).json()).toMatchObject({
    domain_name: "nova-loja.com.br",
  });
  expect(await post(own, { domain_name: "não é" })).toHaveProperty("error");
});

test("another domain's name inherits neither its records nor its verification", async () => {
  const seller = await makeSeller();
  const own = await withKey();
  const post = async (of: { id: string }, body: object) => {
    const headers = await signedIn(of);
    return (await call(domainRoute, "/api/email/domain", { method: "POST", headers, body })).json();
  };
  const records = { spf_record: "v=spf1", dkim_record: "k=rsa", dmarc_record: "v=DMARC1" };
  const first = { domain_name: "primeira.com.br", is_verified: true, ...records };
  const nothing = { is_verified: false, spf_record: "", dkim_record: "", dmarc_record: "", status: "manual" };
  await post(seller, first);
  expect(await post(seller, { domain_name: "primeira.com.br", spf_record: "v=spf2" })).toMatchObject({
    ...{ ...first, spf_record: "v=spf2" },
  });
  await post(seller, first);
  expect(await post(seller, { ...first, domain_name: "segunda.com.br" })).toMatchObject(nothing);
  expect(await post(seller, { domain_name: "terceira.com.br", ...records })).toMatchObject(records);
  await createDomain(own.seller.id, "primeira.com.br");
  await sql`update email_domains set status = 'verified', verified_at = now() where seller_id = ${own.seller.id}`;
  const { is_verified, spf_record, dkim_record, dmarc_record } = await (
    await call(domainRoute, "/api/email/domain", { headers: await signedIn(own.seller) })
  ).json();
  expect(is_verified).toBe(true);
  const five = { domain_name: "segunda.com.br", is_verified, spf_record, dkim_record, dmarc_record };
  expect(await post(own.seller, five)).toMatchObject({ is_verified: false, status: "not_started" });
  expect(await findDomain(own.seller.id)).toMatchObject({ domainName: "segunda.com.br", atResend: true });
});

test("a test mail reports its result in Portuguese", async () => {
  const seller = await makeSeller();
  expect(await sendTestMail(seller, " Ana@exemplo.com.br ")).toEqual({
    success: true,
    message: "Email de teste enviado com sucesso!",
    via: "platform",
  });
  const [mail] = await app.sandbox.emails("ana@exemplo.com.br");
  expect(mail!.body.subject).toBe("[Teste] Sua compra foi aprovada: Curso de Violão");
  await expect(sendTestMail(seller, "")).rejects.toMatchObject({ message: "Digite um email para teste" });
  await expect(sendTestMail(seller, "ana")).rejects.toMatchObject({ kind: "invalid" });
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  const headers = await signedIn(seller);
  const answer = await call(testRoute, "/api/test/email", {
    method: "POST",
    headers,
    body: { test_email: "ana@exemplo.com.br" },
  });
  expect([answer.status, await answer.json()]).toEqual([
    502,
    expect.objectContaining({ success: false, message: expect.stringContaining("não respondeu") }),
  ]);
});

test("test mails are limited", async () => {
  const headers = await signedIn(await makeSeller());
  const statuses = new Set<number>();
  for (let i = 0; i < 21; i++) {
    const body = { test_email: "nao-e-email" };
    statuses.add((await call(testRoute, "/api/test/email", { method: "POST", headers, body })).status);
  }
  expect([...statuses]).toEqual([400, 429]);
});

test("a key that Resend does not know is refused when saved, and the earlier one stays", async () => {
  const { seller, key } = await withKey();
  await expect(saveResendKey(seller.id, "re_invalid-1")).rejects.toMatchObject({
    kind: "invalid",
    field: "resend_api_key",
    message: expect.stringContaining("não reconheceu a chave"),
  });
  expect(await maskedResendKey(seller.id)).toBe(`••••••••${key.slice(-4)}`);
});

test("a key that may only send is a good one", async () => {
  const seller = await makeSeller();
  expect(await saveResendKey(seller.id, "re_restricted-so-envia")).toMatchObject({ isConfirmed: true });
});

test("an answer of Resend that has no list of domains confirms a key that it takes", async () => {
  const { seller } = await withKey();
  await createDomain(seller.id, "sem-lista.com.br");
  await app.sandbox.fault({ service: "resend", route: "domains", mode: "status-200", body: {} });
  expect(await saveResendKey(seller.id, "re_sem-lista")).toMatchObject({ isConfirmed: true });
  expect(await findDomain(seller.id)).toMatchObject({ atResend: false });
});

test("while Resend is unreachable a key is saved, and reported as unconfirmed", async () => {
  const seller = await makeSeller();
  await app.sandbox.fault({ service: "resend", route: "domains", mode: "http-500" });
  expect(await saveResendKey(seller.id, "re_quando-fora")).toMatchObject({ isConfirmed: false });
  expect(await maskedResendKey(seller.id)).toBe("••••••••fora");
});

test("a test mail leaves by the seller's account where it has a key and an address, else by the platform's", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  await sql`update email_templates set subject = ${"a".repeat(195)} where seller_id = ${seller.id}`;
  expect(await sendTestMail(seller, "com-remetente@exemplo.com.br")).toMatchObject({
    ...{ success: true, via: "seller" },
  });
  const [own] = await app.sandbox.emails("com-remetente@exemplo.com.br");
  expect(own!.token).toBe("re_sandbox-demo");
  expect(own!.body).toMatchObject({
    ...{ from: expect.stringContaining("<loja@exemplo.com.br>"), reply_to: "loja@exemplo.com.br" },
    subject: `[Teste] ${"a".repeat(192)}`,
  });
  await sql`update email_templates set sender_email = '' where seller_id = ${seller.id}`;
  expect(await sendTestMail(seller, "sem-remetente@exemplo.com.br")).toMatchObject({ via: "platform" });
  const [other] = await app.sandbox.emails("sem-remetente@exemplo.com.br");
  expect(other!.body).toMatchObject({
    ...{ from: expect.stringContaining("<nao-responda@checkintelli.local>"), reply_to: seller.email },
  });
});
