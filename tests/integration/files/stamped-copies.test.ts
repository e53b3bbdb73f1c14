import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import { signedAddress } from "#tests/integration/files/delivery.ts";
import { copiesOfSale, soldStamped } from "#tests/integration/files/stamped.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { lockedPdf, pdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { sendFile } from "#tests/support/files/send-file.ts";
import { makeSale, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let source: Uint8Array<ArrayBuffer>;
/** Stamping costs a process: several tests go on with this purchase. */
let sold: Awaited<ReturnType<typeof soldStamped>>;
beforeAll(async () => {
  app = await startApp({ keepWorker: true });
  source = await pdf(3);
  sold = await soldStamped(app, source);
});

const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
const counted = async (saleId: string) =>
  (await sql`select count(*)::int as n from downloads where sale_id = ${saleId}`)[0]!.n;

/** The file as its buyer gets it, by this signed address or a new one, however long that takes. */
async function download(permanent: string, signed?: string): Promise<Response> {
  return until(
    async () => {
      const answer = await app.fetch(signed ?? (await signedAddress(app, permanent)));
      return answer.status === 202 ? null : answer;
    },
    { what: "the stamped copy to be ready" },
  );
}

test("a buyer's PDF has their name and e-mail on each page, and two clicks at once make and count one copy", async () => {
  const { permanent, sale, seller, buyer, upload } = sold;
  const address = await signedAddress(app, permanent);
  const [answer, ...others] = await Promise.all(
    [address, address, address].map((at) => download(permanent, at)),
  );
  expect(Object.fromEntries(answer!.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="apostila.pdf"; filename*=UTF-8''apostila.pdf`,
  });
  const etag = answer!.headers.get("etag");
  expect(others.map(({ headers }) => headers.get("etag"))).toEqual([etag, etag]);
  const line = `Licenciado para ${buyer}`;
  const whole = await bytesOf(answer!);
  expect(await stampsOf(whole)).toEqual([1, 2, 3].map(() => [line, line]));
  const stretch = await app.fetch(address, { headers: { Range: "bytes=0-4" } });
  expect([stretch.status, stretch.headers.get("etag")]).toEqual([206, etag]);
  expect(etag).not.toBe(`"${upload.id}"`);
  expect(await copiesOfSale(sale.id)).toMatchObject([{ failure: null, scheduled_at: null, attempts: 1 }]);
  expect(await sql`select id from files where seller_id = ${seller.id} and is_copy`).toHaveLength(1);
  expect(await counted(sale.id)).toBe(1);
});

test("a copy that vanished is made anew", async () => {
  const { permanent, sale } = sold;
  await download(permanent);
  const [{ copy_id: copy }] = (await copiesOfSale(sale.id)) as unknown as [{ copy_id: string }];
  rmSync(join(process.env.DATA_DIR!, "files", copy.slice(0, 2), copy));
  expect((await app.fetch(await signedAddress(app, permanent))).status).toBe(202);
  const answer = await download(permanent);
  expect([answer.status, answer.headers.get("etag") === `"${copy}"`]).toEqual([200, false]);
});

test("each buyer has a copy of their own, and a file that is not stamped is the same for all", async () => {
  const { permanent, product, item } = sold;
  const other = await makeSale(product, { status: "completed" });
  await sql`update sales set customer_email = 'outra@exemplo.com.br' where id = ${other.id}`;
  const [line] = await sql`select id from sale_lines where sale_id = ${other.id}`;
  const theirs = `/download/${other.id}/${line!.id}?item=${item}`;
  const [mine, hers] = [await bytesOf(await download(permanent)), await bytesOf(await download(theirs))];
  expect((await stampsOf(mine)).join()).not.toContain("outra@");
  expect((await stampsOf(hers)).join()).toContain("outra@exemplo.com.br");
  await sql`update content_items set stamped_since = null where id = ${item}`;
  expect(await bytesOf(await download(theirs))).toEqual(source);
});

longTest(
  "a click before the copy is ready gets a page that continues by itself, and is counted with the file",
  async () => {
    const { permanent, sale } = await soldStamped(app, await pdf(2));
    await app.worker[0]!.kill();
    const address = await signedAddress(app, permanent);
    const waiting = await app.fetch(address);
    expect(waiting.status).toBe(202);
    expect(await waiting.text()).toContain("Preparando seu arquivo");
    const [, again] = /^2;url=(.*)$/.exec(waiting.headers.get("refresh")!)!;
    await app.worker[0]!.start();
    const ready = await until(async () => {
      const answer = await app.fetch(again!);
      return answer.status === 200 ? answer : null;
    });
    const page = await ready.text();
    expect(page).toContain("Seu arquivo está pronto");
    expect(await counted(sale.id)).toBe(0);
    const [, to] = /^1;url=(.*)$/.exec(ready.headers.get("refresh")!)!;
    expect(page).toContain(`href="${to!.replaceAll("&", "&amp;")}"`);
    const file = await app.fetch(to!);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(await counted(sale.id)).toBe(1);
  },
);

longTest("the copy is made anew after a corrected e-mail, and after the file was replaced", async () => {
  const { permanent, sale, client, product, item } = await soldStamped(app, await pdf(1));
  await download(permanent);
  await sql`update sales set customer_email = 'certo@exemplo.com.br' where id = ${sale.id}`;
  expect((await stampsOf(await bytesOf(await download(permanent)))).join()).toContain("certo@exemplo.com.br");
  await sendFile(client, { product_id: product.id, name: "nova.pdf", replaces: item }, await pdf(4));
  expect(await stampsOf(await bytesOf(await download(permanent)))).toHaveLength(4);
});

test("a PDF that cannot be stamped is sent unstamped, and its seller is notified once", async () => {
  const { permanent, seller, sale } = await soldStamped(app, lockedPdf());
  expect(await bytesOf(await download(permanent))).toEqual(lockedPdf());
  expect(await copiesOfSale(sale.id)).toMatchObject([{ failure: "locked", copy_id: null }]);
  await download(permanent);
  const message =
    await sql`select recipient from mails where kind = 'unstamped-file' and seller_id = ${seller.id}`;
  expect(message).toEqual([{ recipient: seller.email }]);
});

longTest(
  "where stamping takes longer than three minutes the buyer goes on waiting, and the seller is told once",
  async () => {
    const { permanent, seller, sale } = await soldStamped(app, await pdf(1));
    await app.worker[0]!.kill();
    expect((await app.fetch(await signedAddress(app, permanent))).status).toBe(202);
    await sql`update stamped_copies set created_at = now() - interval '4 minutes' where sale_id = ${sale.id}`;
    for (let presses = 1; presses <= 2; presses++)
      expect((await app.fetch(await signedAddress(app, permanent))).status).toBe(202);
    expect(
      await sql`select id from mails where kind = 'unstamped-file' and seller_id = ${seller.id}`,
    ).toHaveLength(1);
    await app.worker[0]!.start();
    await until(async () => (await copiesOfSale(sale.id))[0]!.copy_id);
    expect(await stampsOf(await bytesOf(await download(permanent)))).toHaveLength(1);
  },
);

const clean = () => cleanFiles.handle({}, { number: 1, last: false });
const copiesOf = (seller: { id: string }) =>
  sql`select id from files where seller_id = ${seller.id} and is_copy`;

longTest.each([
  [
    "the money went back",
    (sale: string) => sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale}`,
  ],
  [
    "nobody asked for it for long",
    (sale: string) =>
      sql`update stamped_copies set requested_at = now() - interval '31 days' where sale_id = ${sale}`,
  ],
  [
    "the switch was set off",
    (_: string, item: string) => sql`update content_items set stamped_since = null where id = ${item}`,
  ],
  [
    "the e-mail was corrected and asked for",
    async (sale: string) => {
      await sql`insert into stamped_copies (seller_id, file_id, sale_id, text_key, created_at) select seller_id, file_id, sale_id, 'other',
        now() + interval '1 second' from stamped_copies where sale_id = ${sale}`;
    },
  ],
])("a copy does not use the seller's storage, and is deleted where %s", async (_, ends) => {
  const { permanent, seller, sale, item } = await soldStamped(app, await pdf(1));
  await download(permanent);
  await sql`update files set touched_at = now() - interval '2 days' where seller_id = ${seller.id}`;
  await clean();
  expect(await copiesOf(seller)).toHaveLength(1);
  await ends(sale.id, item);
  await clean();
  expect(await copiesOf(seller)).toEqual([]);
  expect(await sql`select id from files where seller_id = ${seller.id} and not is_copy`).toHaveLength(1);
});

test("files that nothing leads to go all at once, however many there are", async () => {
  const seller = await makeSeller();
  await sql`insert into files (seller_id, name, size, received, content_type, ready_at, touched_at, is_copy)
    select ${seller.id}, 'apostila.pdf', 10, 10, 'application/pdf', now() - interval '2 days', now() - interval '2 days', true
    from generate_series(1, 450)`;
  await clean();
  expect(await copiesOf(seller)).toEqual([]);
});
