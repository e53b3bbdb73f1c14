import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { announceFile, sendFile, sendPart, type Upload } from "#tests/support/files/send-file.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });
const PART = 8 * 1024 * 1024;
const uploads = join(process.env.DATA_DIR!, "files", "uploads");
const bytes = (size: number) => new Uint8Array(randomBytes(size));

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  return { seller, product, client: { app, headers: await signedIn(seller) } };
}
type Client = Awaited<ReturnType<typeof shop>>["client"];

const partsOf = ({ id }: Upload) => readdirSync(uploads).filter((name) => name.startsWith(`${id}.`));

async function received({ headers }: Client, { id }: Upload): Promise<number> {
  return ((await (await app.fetch(`/api/uploads/${id}`, { headers })).json()) as Upload).received;
}

type Held = { outgoing: ClientRequest; answer: Promise<[status: number, text: string]> };

/** Sends a part but for its last byte. */
function holdBack({ headers }: Client, { id }: Upload, part: Uint8Array): Held {
  const outgoing = request(new URL(`/api/uploads/${id}?offset=0`, app.url), {
    method: "PUT",
    headers: { ...headers, "Content-Length": part.length, "X-Forwarded-For": newAddress() },
    agent: false,
  });
  const answer = new Promise<[number, string]>((done) => {
    outgoing.on("error", () => done([0, ""]));
    outgoing.on("response", async (response) => {
      const text = await response.setEncoding("utf8").reduce((all, some) => all + some, "");
      done([response.statusCode!, text]);
    });
  });
  outgoing.write(part.subarray(0, -1));
  return { outgoing, answer };
}

longTest(
  "ninety requests that hold back the last byte of one part take the room of one, and the clock cuts that off",
  async () => {
    const { product, client } = await shop();
    const part = bytes(PART);
    const upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: PART });
    const all = Array.from({ length: 90 }, () => holdBack(client, upload, part));
    const answers = all.map(({ answer }) => answer);
    let most = 0;
    let open = answers.length;
    for (const answer of answers) void answer.then(() => --open);
    await until(
      () => {
        most = Math.max(most, partsOf(upload).length);
        return open === 0;
      },
      { what: "the last one to be cut off" },
    );
    // A part that is being dropped may still exist beside the one that replaced it.
    expect(most).toBeLessThanOrEqual(4);
    expect(partsOf(upload)).toEqual([]);
    const statuses = (await Promise.all(answers)).map(([status]) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await received(client, upload)).toBe(PART - 1);
    expect((await sendPart(client, upload, PART - 1, part.slice(-1))).status).toBe(200);
  },
);

test("a seller sends four parts at once; a fifth is refused for now, and other sellers are not affected", async () => {
  const { product, client } = await shop();
  const other = await shop();
  const part = bytes(1000);
  const announced = { product_id: product.id, name: "a.bin", size: part.length };
  const files = await Promise.all(Array.from({ length: 5 }, () => announceFile(client, announced)));
  const held = files.slice(0, 4).map((upload) => holdBack(client, upload, part));
  await until(() => files.slice(0, 4).every((upload) => partsOf(upload).length === 1));
  const fifth = await sendPart(client, files[4]!, 0, part);
  expect([fifth.status, fifth.headers.get("retry-after"), await fifth.json()]).toMatchObject([
    429,
    "5",
    {
      message: "Já há 4 arquivos sendo enviados. Espere um deles terminar.",
      field: "file",
      code: "uploads_busy",
    },
  ]);
  const theirs = await sendFile(other.client, { product_id: other.product.id, name: "b.bin" }, part);
  expect(theirs.ready_at).not.toBeNull();
  held[0]!.outgoing.end(part.subarray(-1));
  expect((await held[0]!.answer)[0]).toBe(200);
  expect((await sendPart(client, files[4]!, 0, part)).status).toBe(200);
  for (const { outgoing } of held) outgoing.destroy();
});

test("a part received by a killed web process frees its seller's slot soon", async () => {
  const { product, client } = await shop();
  const part = bytes(1000);
  const announced = { product_id: product.id, name: "a.bin", size: part.length };
  const files = await Promise.all(Array.from({ length: 5 }, () => announceFile(client, announced)));
  const held = files.slice(0, 4).map((upload) => holdBack(client, upload, part));
  await until(() => files.slice(0, 4).every((upload) => partsOf(upload).length === 1));
  await app.web[0]!.kill();
  await Promise.all(held.map(({ answer }) => answer));
  await app.web[0]!.start();
  // The upload itself continues at once.
  expect((await sendPart(client, files[0]!, 0, part)).status).toBe(200);
  await until(async () => (await sendPart(client, files[4]!, 0, part)).status === 200);
});

function announce({ headers }: Client, path: string, body: object) {
  return app.fetch(path, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "a.jpg", size: 1, ...body }),
  });
}

test.each([
  ["files", "/api/uploads", 60],
  ["pictures", "/api/pictures", 30],
])("a seller announces so many %s a minute, and other sellers announce theirs", async (_, path, most) => {
  const [mine, theirs] = [await shop(), await shop()];
  const send = ({ client, product }: Pick<typeof mine, "client" | "product">) =>
    announce(client, path, path === "/api/uploads" ? { product_id: product.id } : { place: "banner" });
  // One product takes fifty.
  const other = { ...mine, product: await makeProduct(mine.seller) };
  for (let n = 0; n < most; n++) expect((await send(n % 2 ? other : mine)).status, String(n)).toBe(201);
  const refused = await send(mine);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect((await send(theirs)).status).toBe(201);
});

test("a seller has a hundred uploads that are not whole, and begins another once one is cancelled", async () => {
  const { seller, product, client } = await shop();
  const [one] = await sql<{ id: string }[]>`insert into files (seller_id, name, size)
    select ${seller.id}, 'aula ' || n, 1 from generate_series(1, 100) n returning id`;
  for (const [path, body] of [
    ["/api/uploads", { product_id: product.id }],
    ["/api/pictures", { place: "banner" }],
  ] as const) {
    const refused = await announce(client, path, body);
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "uploads_open" }]);
  }
  await app.fetch(`/api/uploads/${one!.id}`, { method: "DELETE", headers: client.headers });
  expect((await announce(client, "/api/uploads", { product_id: product.id })).status).toBe(201);
});

test("a seller has forty pictures waiting to be processed, and the next one is refused for now", async () => {
  const { seller, client } = await shop();
  await sql`insert into pictures (id, seller_id, use, scheduled_at)
    select gen_random_uuid(), ${seller.id}, 'banner', date_trunc('milliseconds', now()) from generate_series(1, 40)`;
  const refused = await announce(client, "/api/pictures", { place: "banner" });
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: "pictures_waiting", message: expect.stringContaining("sendo preparadas") },
  ]);
  await sql`update pictures set scheduled_at = null where seller_id = ${seller.id}`;
  expect((await announce(client, "/api/pictures", { place: "banner" })).status).toBe(201);
});
