import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { buyerHashes } from "#app/domain/coupon/reserve-coupon.server.ts";
import { anonymizeUnpaidOrders } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { unsealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { reseal } from "#app/domain/maintenance/reseal.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { CURRENT_SEAL_SUFFIX, unseal } from "#app/platform/secrets.server.ts";
import { findTexts } from "#tests/integration/erasure/support.ts";
import { withBrokenRow } from "#tests/integration/jobs/broken-row.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { holdLock, sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, makeSale, makeSeller } from "#tests/support/make.ts";
import { fillTables } from "#tests/support/rows/fill-tables.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";
import { sealedColumns } from "#tests/support/rows/schema-tables.ts";

/** Named before any module reads the environment. */
const { OLD } = vi.hoisted(() => {
  const OLD = "o segredo de antes, com mais de trinta e duas letras";
  process.env.APP_SECRET_OLD = OLD;
  return { OLD };
});

const run = (ids: Record<string, number> = {}) => reseal.handle(ids, { number: 1, last: false });
/** Texts of any content, and as a process with the old secret seals them. */
const plain = Array.from({ length: 60 }, (_, at) => `text ${at}`);
const [document, another, ...texts] = sealedBefore(["52998224725", "11144477735", ...plain], OLD) as [
  string,
  string,
  ...string[],
];

/** The lines that the job logs. */
async function logged(ids: Record<string, number> = {}): Promise<[object, string][]> {
  const lines: [object, string][] = [];
  const spies = (["info", "warn", "error"] as const).map((level) =>
    vi
      .spyOn(log, level)
      .mockImplementation((...line: unknown[]) => void lines.push(line as [object, string])),
  );
  await run(ids);
  for (const spy of spies) spy.mockRestore();
  return lines;
}

const lastLogged = async (ids: Record<string, number> = {}) => (await logged(ids)).at(-1)!;

test("data encrypted with the old secret is encrypted with the new one, row by row to the last", async () => {
  const { product } = await openShop();
  const sale = await makeSale(product, { customerDocumentSealed: document });
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, customer_document_sealed)
    select seller_id, product_id, 100, 'x' || n, ${another} from sales, generate_series(1, 1500) n where id = ${sale.id}`;
  const sealing = (count: number) => ({
    sealed: expect.objectContaining({ "sales.customer_document_sealed": count }),
    optOuts: 0,
    uses: 0,
  });
  expect(await logged()).toEqual([[sealing(1501), expect.stringContaining("APP_SECRET_OLD any more")]]);
  const texts =
    await sql`select customer_document_sealed as text from sales where product_id = ${product.id}`;
  expect(texts.filter(({ text }) => !text.endsWith(CURRENT_SEAL_SUFFIX))).toEqual([]);
  const [first] = await sql`select customer_document_sealed as text from sales where id = ${sale.id}`;
  expect(unseal(first!.text)).toBe("52998224725");
  expect(await logged()).toEqual([[sealing(0), "nothing kept is sealed with APP_SECRET_OLD"]]);
});

test("the old secret may go once a run two minutes later finds nothing: a web that was still stopping may have used it", async () => {
  const { product } = await openShop();
  const sealOld = () => makeSale(product, { customerDocumentSealed: document });
  const confirmation = { confirms: 1 };
  const queued = () => sql`
    delete from graphile_worker._private_jobs where key = 'reseal:confirm'
    returning payload, run_at > now() + interval '100 seconds' as is_later`;
  await run();
  await queued();
  for (const ids of [{}, confirmation, confirmation]) {
    await sealOld();
    expect((await logged(ids)).map(([, message]) => message)).toEqual([
      "nothing kept is sealed with APP_SECRET_OLD any more; another run follows in two minutes",
    ]);
    expect(await queued()).toEqual([{ payload: confirmation, is_later: true }]);
  }
  expect((await lastLogged(confirmation))[1]).toBe(
    "nothing kept is sealed with APP_SECRET_OLD any more: it may go",
  );
  expect(await queued()).toEqual([]);
});

test("a row that is being changed is skipped, keeps the change, and is reported as remaining", async () => {
  const seller = await makeSeller();
  await sql`insert into mail_settings (seller_id, resend_key_sealed) values (${seller.id}, ${document})`;
  const held = await holdLock(
    (tx) => tx`update mail_settings set resend_key_sealed = ${another} where seller_id = ${seller.id}`,
  );
  expect(await lastLogged()).toEqual([
    expect.objectContaining({ left: 1 }),
    expect.stringContaining("still needed"),
  ]);
  await held.release();
  expect((await lastLogged())[1]).toContain("APP_SECRET_OLD any more");
  const [row] = await sql`select resend_key_sealed as text from mail_settings where seller_id = ${seller.id}`;
  expect([unseal(row!.text), row!.text.endsWith(CURRENT_SEAL_SUFFIX)]).toEqual(["11144477735", true]);
});

test("a column that cannot be written keeps no other, and the old secret is not said to be over", async () => {
  const seller = await makeSeller();
  await sql`insert into mail_settings (seller_id, resend_key_sealed) values (${seller.id}, ${document})`;
  const { product } = await openShop();
  const sale = await makeSale(product, { customerDocumentSealed: another });
  await withBrokenRow("mail_settings", "update", `new.seller_id = '${seller.id}'`, () =>
    expect(run()).rejects.toThrow("APP_SECRET_OLD is still needed"),
  );
  const [row] = await sql`select customer_document_sealed as text from sales where id = ${sale.id}`;
  expect(row!.text).toMatch(new RegExp(`${CURRENT_SEAL_SUFFIX}$`));
  await run();
});

test("who refused reminders is known by the new secret, also where the order was emptied before; others are counted", async () => {
  const { seller, product } = await openShop();
  const refused = async (email: string) => {
    const createdAt = new Date(Date.now() - 31 * DAY);
    const sale = await makeSale(product, { customerEmail: email, createdAt });
    const [now, old] = computeAddressHashes(email);
    await sql`insert into reminder_opt_outs (seller_id, email_hash) values (${seller.id}, ${old!})`;
    return { sale, now: now!, old: old! };
  };
  const [during, before] = [await refused("durante@exemplo.com.br"), await refused("antes@exemplo.com.br")];
  // Emptied before the secret was changed.
  await sql`update sales set customer_email = null, customer_name = null, anonymized_at = now() where id = ${before.sale.id}`;
  await anonymizeUnpaidOrders.handle({}, { number: 1, last: false });
  const [emptied] = await sql`select customer_email from sales where id = ${during.sale.id}`;
  expect(emptied!.customer_email).toBeNull();
  const lines = await logged();
  expect(lines).toContainEqual([
    { optOuts: 2 },
    expect.stringContaining("reminders refused by buyers not stored any more"),
  ]);
  const rows = await sql`select email_hash as hash from reminder_opt_outs where seller_id = ${seller.id}`;
  expect(rows.map(({ hash }) => hash).sort()).toEqual([during.now, before.old].sort());
});

test("data that neither secret decrypts is left unchanged, and reported", async () => {
  const seller = await makeSeller();
  const [text] = sealedBefore(["x"], "um terceiro segredo, que ninguém aqui conhece mais");
  await sql`insert into mail_settings (seller_id, resend_key_sealed) values (${seller.id}, ${text!})`;
  const told = vi.spyOn(log, "error").mockImplementation(() => {});
  await run();
  expect(told).toHaveBeenCalledExactlyOnceWith(
    { unreadable: { "mail_settings.resend_key_sealed": 1 } },
    expect.any(String),
  );
  told.mockRestore();
  const [row] = await sql`select resend_key_sealed as text from mail_settings where seller_id = ${seller.id}`;
  expect(row!.text).toBe(text);
});

test("every sealed column of the schema is sealed anew", async () => {
  const used: string[] = [];
  await fillTables({}, () => {
    used.push(texts[used.length]!);
    return used.at(-1)!;
  });
  expect(used.length).toBeGreaterThan(sealedColumns.length);
  expect(await findTexts(used)).not.toEqual([]);
  expect((await lastLogged())[1]).toContain("APP_SECRET_OLD any more");
  expect(await findTexts(used), "what is still sealed with the old secret").toEqual([]);
  const found: string[] = [];
  for (const [table, column] of sealedColumns.map((name) => name.split(".") as [string, string])) {
    const rows =
      await sql`select ${sql(column)} as text from ${sql(table)} where ${sql(column)} like ${`%${CURRENT_SEAL_SUFFIX}`}`;
    expect(rows.length, `rows of ${table}.${column} sealed with the new secret`).toBeGreaterThan(0);
    found.push(...rows.map(({ text }) => unseal(text)));
  }
  expect(found).toEqual(expect.arrayContaining(plain.slice(0, used.length)));
});

test("a mail that waits says the same afterwards: its text is sealed as bytes", async () => {
  const mail = { from: "Loja <loja@exemplo.com.br>", to: "bia@exemplo.com.br", subject: "Sua compra" };
  const text = { ...mail, html: "<p>Olá, Bia! Está aí o seu acesso.</p>", text: "Olá, Bia!" };
  const id = await makeMail();
  const sealed = runBefore(
    `import { sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
    console.log(JSON.stringify(sealMail(${JSON.stringify(text)}).bodySealed));`,
    OLD,
  );
  await sql`update queued_mails set body_sealed = ${sealed as string} where id = ${id}`;
  expect((await lastLogged())[1]).toContain("APP_SECRET_OLD any more");
  const [row] = await sql`select body_sealed from queued_mails where id = ${id}`;
  expect(row!.body_sealed).toMatch(new RegExp(`${CURRENT_SEAL_SUFFIX}$`));
  expect(unsealMail({ bodySealed: row!.body_sealed })).toEqual(text);
});

test("a buyer's use of a coupon or an offer counts by the new secret alone, with e-mail and document", async () => {
  const { seller, product } = await openShop();
  const limited = [
    ["coupon_uses", { coupon_id: (await makeCoupon(seller)).id }],
    ["offer_uses", { offer_id: (await makeOffer(product)).id, quantity: 1 }],
  ] as const;
  const email = "bia-que-volta@exemplo.com.br";
  const sale = await makeSale(product, { customerEmail: email, customerDocumentSealed: document });
  const nobody = await makeSale(product, { customerEmail: null });
  const hashes = buyerHashes(seller.id, { email, document: "52998224725" });
  const old = { email_hash: hashes.email[1]!, document_hash: hashes.document[1]! };
  const fresh = { email_hash: hashes.email[0]!, document_hash: hashes.document[0]! };
  for (const [table, fields] of limited) {
    const anonymized = { email_hash: null, document_hash: null };
    await sql`insert into ${sql(table)} ${sql({ ...fields, ...old, seller_id: seller.id, sale_id: sale.id })}`;
    await sql`insert into ${sql(table)} ${sql({ ...fields, ...anonymized, seller_id: seller.id, sale_id: nobody.id })}`;
  }
  const held = await holdLock(
    (tx) => tx`update coupon_uses set released_at = now() where sale_id = ${sale.id}`,
  );
  expect(await lastLogged()).toEqual([
    expect.objectContaining({ uses: 1, left: 1 }),
    expect.stringContaining("still needed"),
  ]);
  await held.release();
  expect(await lastLogged()).toEqual([
    expect.objectContaining({ uses: 1 }),
    expect.stringContaining("APP_SECRET_OLD any more"),
  ]);
  for (const [table] of limited)
    expect(
      await sql`select email_hash, document_hash from ${sql(table)} where sale_id = ${sale.id}`,
      table,
    ).toEqual([fresh]);
});

/** Texts as a process with this secret seals them. */
function sealedBefore(texts: string[], secret: string): string[] {
  const code = `import { seal } from "#app/platform/secrets.server.ts";
    console.log(JSON.stringify(${JSON.stringify(texts)}.map(seal)));`;
  return runBefore(code, secret) as string[];
}

/** What a process with this secret writes, as JSON. */
function runBefore(code: string, secret: string): unknown {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", APP_SECRET: secret, APP_SECRET_OLD: "" },
  });
  return JSON.parse(stdout);
}
