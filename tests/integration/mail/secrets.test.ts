import { expect, test } from "vitest";
import { seal } from "#app/platform/secrets.server.ts";
import { withVersion } from "#tests/integration/identity/form-version.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const KEY = "re_invalid-PLANTADO-chave-9f2c";
const HOOK = "whsec_UExBTlRBRE9zZWdyZWRvZG93ZWJob29r";
const app = await startApp({ keepWorker: true });

test("a seller's key and webhook secret come out in no page, answer, error or log", async () => {
  const seller = await makeSeller();
  const { Cookie } = await signedIn(seller);
  const seen: string[] = [];
  const get = async (path: string) => {
    const answer = await app.fetch(path, { headers: { Cookie } });
    seen.push(`${path} ${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`);
  };
  const post = async (path: string, fields: Record<string, string>) => {
    const answer = await app.fetch(path, {
      method: "POST",
      headers: { Cookie },
      body: new URLSearchParams(
        await withVersion((page) => app.fetch(page, { headers: { Cookie } }), fields),
      ),
    });
    seen.push(`${path} ${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`);
  };
  const template = {
    sender_name: "Loja",
    sender_email: "loja@exemplo.com.br",
    subject: "Oi",
    html_content: "<p>Oi {product_file_url}</p>",
  };
  // A key that Resend knew when it was saved, and does not know any more.
  await sql`insert into mail_settings (seller_id, resend_key_sealed) values (${seller.id}, ${seal(KEY)})`;
  await post("/settings/email", { intent: "save", resend_api_key: KEY, ...template });
  await post("/settings/email", { intent: "save", resend_api_key: `${KEY}2`, ...template });
  await post("/settings/email", { intent: "hook-secret", hook_secret: HOOK });
  await post("/settings/email", { intent: "test", test_email: "ana@exemplo.com.br" });
  await post("/settings/email", { intent: "create-domain", domain_name: "loja.com.br" });
  await post("/settings/email", { intent: "preview", ...template });
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await sql`insert into email_domains (seller_id, domain_name, status, verified_at)
    values (${seller.id}, 'exemplo.com.br', 'manual', now())`;
  const resent = await app.fetch(`/api/email/resend/${sale.id}`, { method: "POST", headers: { Cookie } });
  expect(await resent.json()).toMatchObject({ success: true });
  await until(
    async () => (await sql`select 1 from mails where sale_id = ${sale.id} and status = 'sent'`).length === 1,
  );
  for (const path of [
    "/settings/email",
    "/settings/email?tab=domain",
    "/settings/email?tab=anti-spam",
    "/settings",
    "/api/email/template",
    "/api/email/domain",
    "/api/email/delivery-logs",
    "/api/settings/gateways",
  ])
    await get(path);
  const rows = await sql`select m::text as said from mails m`;
  const everything = [...seen, ...rows.map((row) => row.said), JSON.stringify(app.log())].join("\n");
  expect(everything).toContain("••••");
  for (const secret of [KEY, HOOK, "PLANTADO"]) expect(everything.includes(secret), secret).toBe(false);
});
