import { beforeAll, expect, test } from "vitest";
import { MAX_STAMP_BYTES } from "#app/kit/files/stamp-limits.ts";
import { soldFile } from "#tests/integration/files/delivery.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { formsOf } from "#tests/support/clients/page-forms.ts";
import { sql } from "#tests/support/database.ts";
import { handmade, lockedPdf, pdf, slowPdf } from "#tests/support/files/pdfs.ts";
import { sendFile } from "#tests/support/files/send-file.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ sandbox: false });
});

type Sold = Awaited<ReturnType<typeof soldFile>>;

/** What the form posts from a browser without scripts: nothing while the switch is off. */
async function switched(sold: Sold, on: boolean): Promise<Response> {
  const { client, product, item } = sold;
  const form = formsOf("", await page(sold)).find(({ fields }) => fields.some(([name]) => name === "kind"));
  const version = form!.fields.find(([name]) => name === "version")![1];
  const body = new URLSearchParams({ intent: "save", kind: "file", id: item, name: "Apostila", version });
  if (on) body.set("stamp", "on");
  return app.fetch(`/products/${product.id}/content?edit=${item}`, {
    method: "POST",
    headers: client.headers,
    body,
  });
}
const page = async ({ client, product, item }: Sold) =>
  (await app.fetch(`/products/${product.id}/content?edit=${item}`, { headers: client.headers })).text();
const isOn = async ({ item }: Sold) =>
  (await sql`select stamped_since is not null as "on" from content_items where id = ${item}`)[0]!.on;

test("a PDF's stamp is switched on and off by its form, which states what can be stamped", async () => {
  const sold = await soldFile(app, await pdf(2));
  expect(await page(sold)).toMatch(/Carimbar cada página.*Para PDFs de até 50 MB e 500 páginas/s);
  expect((await switched(sold, true)).status).toBe(302);
  expect(await isOn(sold)).toBe(true);
  expect(await page(sold)).toContain("Carimbado para cada comprador");
  expect((await switched(sold, false)).status).toBe(302);
  expect(await isOn(sold)).toBe(false);
});

const REFUSED: [string, () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>, string][] = [
  ["locked", lockedPdf, "protegido por senha"],
  ["broken", () => new Uint8Array(Buffer.from("%PDF-1.7\nnada disso")), "danificado ou incompleto"],
  ["of too many pages", () => pdf(501), "páginas demais"],
  [
    "signed",
    () => handmade("1 0 obj\n<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[]>>>>\nendobj"),
    "assinatura digital",
  ],
  ["no PDF", () => new Uint8Array(Buffer.from("PK\x03\x04 um zip")), "Só PDFs podem ser carimbados"],
];

test.each(everyNth(4, REFUSED, 3))(
  "the switch of a file that is %s states why it stays off",
  async (_, make, said) => {
    const sold = await soldFile(app, await make());
    const answer = await switched(sold, true);
    // On a busy machine the form is answered before the PDF was tried; then its row states the reason.
    if (answer.status === 302) await until(async () => (await page(sold)).includes(said));
    else {
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(said);
      expect(await isOn(sold)).toBe(false);
    }
  },
);

test("a PDF that is too large has no switch, and states why in its place", async () => {
  const sold = await soldFile(app, await pdf(1));
  await sql`update files set size = ${MAX_STAMP_BYTES + 10_000_000} , received = ${MAX_STAMP_BYTES + 10_000_000}
    where id = ${sold.upload.id}`;
  const html = await page(sold);
  expect(html).toMatch(/Este PDF tem 60 MB: o carimbo vale para até 50 MB/);
  expect(html).not.toContain('name="stamp"');
  expect((await switched(sold, true)).status).toBe(400);
});

test("a replacement of a stamped file is stamped on trial: if that fails, its row states it and its seller is notified", async () => {
  const sold = await soldFile(app, await pdf(1));
  await switched(sold, true);
  const { client, product, item, seller } = sold;
  await sendFile(client, { product_id: product.id, name: "nova.pdf", replaces: item }, lockedPdf());
  await until(
    async () =>
      (await sql`select id from mails where kind = 'unstamped-file' and seller_id = ${seller.id}`)[0],
  );
  expect(await page(sold)).toMatch(/Entregue sem carimbo.*protegido por senha/s);
});

longTest("what is tried for longer than a form waits is switched on, and told of later", async () => {
  const sold = await soldFile(app, slowPdf(900_000));
  await app.worker[0]!.kill();
  expect((await switched(sold, true)).status).toBe(302);
  expect(await isOn(sold)).toBe(true);
  await app.worker[0]!.start();
});
