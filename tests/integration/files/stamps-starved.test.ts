import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { stamping } from "#app/domain/stamp/make-stamp.server.ts";
import { signedAddress } from "#tests/integration/files/delivery.ts";
import { soldStamped, stampAgain, stampsOfSale } from "#tests/integration/files/stamped.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { pdf, slowPdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ sandbox: false });
  // The folder has a file from here on: what has rows without one counts as out of reach.
  await soldStamped(app, await pdf(1));
});
beforeEach(async () => {
  await app.worker[0]!.kill();
  await sql`delete from stamps`;
});

/** Asks for a sale's file once, as its buyer. */
const press = async (permanent: string) => app.fetch(await signedAddress(app, permanent));

async function stamped(permanent: string) {
  const answer = await until(async () => {
    const pressed = await press(permanent);
    return pressed.status === 200 ? pressed : null;
  });
  return stampsOf(new Uint8Array(await answer.arrayBuffer()));
}

/** As if its seller's switch had had it tried, and it took so long. */
async function tried({ seller, upload }: { seller: { id: string }; upload: { id: string } }, tookMs = 300) {
  await sql`insert into stamps (seller_id, file_id, took_ms) values (${seller.id}, ${upload.id}, ${tookMs})`;
}

/** A buyer of another seller's slow PDF who asked for it an hour ago. @returns the seller */
async function rival(tookMs: number | null) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [file] = await sql`insert into files (seller_id, name, size, received, content_type, ready_at)
    values (${seller.id}, 'pesado.pdf', 10, 10, 'application/pdf', now()) returning id`;
  const sale = await makeSale(product, { status: "completed" });
  await sql`insert into stamps (seller_id, file_id, took_ms) values (${seller.id}, ${file!.id}, ${tookMs})`;
  await sql`insert into stamps (seller_id, file_id, sale_id, words_key, due_at, created_at)
    values (${seller.id}, ${file!.id}, ${sale.id}, 'words', now() - interval '1 hour', now() - interval '1 hour')`;
  return seller;
}

test("slow PDFs of many sellers keep nobody's quick one waiting", async () => {
  const slow = await Promise.all(Array.from({ length: 40 }, (_, nth) => rival(nth % 2 ? 25_000 : null)));
  const sold = await soldStamped(app, await pdf(2));
  await tried(sold);
  expect((await press(sold.permanent)).status).toBe(202);
  const [first, second] = [await stamping.claim(1), await stamping.claim(1)];
  expect(first.map(({ saleId }) => saleId)).toEqual([sold.sale.id]);
  expect(slow.map(({ id }) => id)).toContain(second[0]!.sellerId);
});

test("the slow ones of a single seller are one turn among the slow ones of others", async () => {
  const many = await rival(25_000);
  const [file] = await sql`select id from files where seller_id = ${many.id}`;
  for (let nth = 0; nth < 5; nth++) {
    const product = await makeProduct(many);
    const sale = await makeSale(product, { status: "completed" });
    await sql`insert into stamps (seller_id, file_id, sale_id, words_key, due_at)
      values (${many.id}, ${file!.id}, ${sale.id}, 'words', now() - interval '1 hour')`;
  }
  const one = await rival(25_000);
  const order = [await stamping.claim(1), await stamping.claim(1)].map(([due]) => due!.sellerId);
  expect(order.toSorted()).toEqual([many.id, one.id].toSorted());
});

test("a buyer behind a full queue waits with words, however long, and never has the file without their name", async () => {
  const sold = await soldStamped(app, await pdf(2));
  expect((await press(sold.permanent)).status).toBe(202);
  await sql`update stamps set created_at = now() - interval '3 days' where sale_id = ${sold.sale.id}`;
  const answer = await press(sold.permanent);
  const words = expect.stringContaining("Preparando seu arquivo…");
  expect([answer.status, await answer.text()]).toEqual([202, words]);
  const told =
    await sql`select subject from mails where seller_id = ${sold.seller.id} and kind = 'unstamped-file'`;
  expect(told).toEqual([{ subject: "Carimbo demorando: apostila.pdf" }]);
  // Only its seller has it given as it is.
  await sql`update content_items set stamped_since = null where id = ${sold.item}`;
  expect((await press(sold.permanent)).status).toBe(200);
});

function children(): number[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .split(" ")
    .map(Number)
    .filter(Boolean);
}

test("a PDF that was stamped before is never given without a stamp because its process dies, however often", async () => {
  const sold = await soldStamped(app, slowPdf());
  await tried(sold);
  const pressed = press(sold.permanent);
  for (let tries = 1; tries <= 5; tries++) {
    await sql`update stamps set due_at = now() where due_at is not null`;
    const before = new Set(children());
    const due = await until(async () => (await stamping.claim(1))[0]);
    expect(due).toMatchObject({ saleId: sold.sale.id, tries });
    const work = stamping.handle(due);
    process.kill(await until(() => children().find((pid) => !before.has(pid))), "SIGKILL");
    expect(await work).toBeGreaterThan(0);
    expect(await stampsOfSale(sold.sale.id)).toMatchObject([{ failure: null, due_at: expect.any(Date) }]);
  }
  expect((await pressed).status).toBe(202);
});

test("a disk that others have filled has a buyer wait, not go without the stamp", async () => {
  const sold = await soldStamped(app, await pdf(2));
  await app.worker[0]!.start();
  const worker = String(app.worker[0]!.pid);
  execFileSync("prlimit", ["--pid", worker, "--fsize=1:unlimited"]);
  expect((await press(sold.permanent)).status).toBe(202);
  await until(() => app.log().some(({ msg }) => msg === "no room left for stamped files"));
  expect(await stampsOfSale(sold.sale.id)).toMatchObject([{ failure: null }]);
  execFileSync("prlimit", ["--pid", worker, "--fsize=unlimited"]);
  await stampAgain();
  expect(await stamped(sold.permanent)).toHaveLength(2);
});
