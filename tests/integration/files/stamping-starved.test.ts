import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { stampedCopyQueue } from "#app/domain/stamped-copy/make-stamped-copy.server.ts";
import { signedAddress } from "#tests/integration/files/delivery.ts";
import { copiesOfSale, scheduleStamping, soldStamped } from "#tests/integration/files/stamped.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { pdf, slowPdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ sandbox: false });
  // The file exists from here on: rows without a file count as unreachable.
  await soldStamped(app, await pdf(1));
});
beforeEach(async () => {
  await app.worker[0]!.kill();
  await sql`delete from stamped_copies`;
});

/** Requests a sale's file once, as its buyer. */
const submit = async (permanent: string) => app.fetch(await signedAddress(app, permanent));

async function stamped(permanent: string) {
  const answer = await until(async () => {
    const submitted = await submit(permanent);
    return submitted.status === 200 ? submitted : null;
  });
  return stampsOf(new Uint8Array(await answer.arrayBuffer()));
}

/** As if the seller's switch had caused a trial stamp that took that long. */
async function attempted(
  { seller, upload }: { seller: { id: string }; upload: { id: string } },
  tookMs = 300,
) {
  await sql`insert into stamped_copies (seller_id, file_id, duration_ms) values (${seller.id}, ${upload.id}, ${tookMs})`;
}

/** A buyer of another seller's slow PDF who requested it an hour ago. @returns the seller */
async function rival(tookMs: number | null) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [file] = await sql`insert into files (seller_id, name, size, received, content_type, ready_at)
    values (${seller.id}, 'pesado.pdf', 10, 10, 'application/pdf', now()) returning id`;
  const sale = await makeSale(product, { status: "completed" });
  await sql`insert into stamped_copies (seller_id, file_id, duration_ms) values (${seller.id}, ${file!.id}, ${tookMs})`;
  await sql`insert into stamped_copies (seller_id, file_id, sale_id, text_key, scheduled_at, created_at)
    values (${seller.id}, ${file!.id}, ${sale.id}, 'words', now() - interval '1 hour', now() - interval '1 hour')`;
  return seller;
}

longTest("slow PDFs of many sellers do not delay a quick one", async () => {
  const slow = await Promise.all(Array.from({ length: 40 }, (_, nth) => rival(nth % 2 ? 25_000 : null)));
  const sold = await soldStamped(app, await pdf(2));
  await attempted(sold);
  expect((await submit(sold.permanent)).status).toBe(202);
  const [first, second] = [await stampedCopyQueue.claim(1), await stampedCopyQueue.claim(1)];
  expect(first.map(({ saleId }) => saleId)).toEqual([sold.sale.id]);
  expect(slow.map(({ id }) => id)).toContain(second[0]!.sellerId);
});

test("the slow ones of a single seller take one turn among those of others", async () => {
  const many = await rival(25_000);
  const [file] = await sql`select id from files where seller_id = ${many.id}`;
  for (let nth = 0; nth < 5; nth++) {
    const product = await makeProduct(many);
    const sale = await makeSale(product, { status: "completed" });
    await sql`insert into stamped_copies (seller_id, file_id, sale_id, text_key, scheduled_at)
      values (${many.id}, ${file!.id}, ${sale.id}, 'words', now() - interval '1 hour')`;
  }
  const one = await rival(25_000);
  const order = [await stampedCopyQueue.claim(1), await stampedCopyQueue.claim(1)].map(
    ([claimed]) => claimed!.sellerId,
  );
  expect(order.toSorted()).toEqual([many.id, one.id].toSorted());
});

test("a buyer behind a full queue waits with a message, however long, and never gets the file unstamped", async () => {
  const sold = await soldStamped(app, await pdf(2));
  expect((await submit(sold.permanent)).status).toBe(202);
  await sql`update stamped_copies set created_at = now() - interval '3 days' where sale_id = ${sold.sale.id}`;
  const answer = await submit(sold.permanent);
  const message = expect.stringContaining("Preparando seu arquivo…");
  expect([answer.status, await answer.text()]).toEqual([202, message]);
  const told =
    await sql`select subject from mails where seller_id = ${sold.seller.id} and kind = 'unstamped-file'`;
  expect(told).toEqual([{ subject: "Demora no carimbo: apostila.pdf" }]);
  // Only its seller gets it unstamped.
  await sql`update content_items set stamped_since = null where id = ${sold.item}`;
  expect((await submit(sold.permanent)).status).toBe(200);
});

function children(): number[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .split(" ")
    .map(Number)
    .filter(Boolean);
}

test("a PDF that was stamped before is never given without a stamp because its process dies, however often", async () => {
  const sold = await soldStamped(app, slowPdf());
  await attempted(sold);
  const submitted = submit(sold.permanent);
  for (let tries = 1; tries <= 5; tries++) {
    await sql`update stamped_copies set scheduled_at = now() where scheduled_at is not null`;
    const before = new Set(children());
    const claimed = await until(async () => (await stampedCopyQueue.claim(1))[0]);
    expect(claimed).toMatchObject({ saleId: sold.sale.id, attempts: tries });
    const work = stampedCopyQueue.handle(claimed);
    process.kill(await until(() => children().find((pid) => !before.has(pid))), "SIGKILL");
    expect(await work).toBeGreaterThan(0);
    expect(await copiesOfSale(sold.sale.id)).toMatchObject([
      { failure: null, scheduled_at: expect.any(Date) },
    ]);
  }
  expect((await submitted).status).toBe(202);
});

longTest("a disk that others have filled has a buyer wait, not go without the stamp", async () => {
  const sold = await soldStamped(app, await pdf(2));
  await app.worker[0]!.start();
  const worker = String(app.worker[0]!.pid);
  execFileSync("prlimit", ["--pid", worker, "--fsize=1:unlimited"]);
  expect((await submit(sold.permanent)).status).toBe(202);
  await until(() => app.log().some(({ msg }) => msg === "no room left for stamped files"));
  expect(await copiesOfSale(sold.sale.id)).toMatchObject([{ failure: null }]);
  execFileSync("prlimit", ["--pid", worker, "--fsize=unlimited"]);
  await scheduleStamping();
  expect(await stamped(sold.permanent)).toHaveLength(2);
});
