import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import { beginUpload } from "#app/domain/content/upload.server.ts";
import { storeBytes } from "#app/domain/file/store-bytes.server.ts";
import { StorageUnavailable } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";

const clean = () => cleanFiles.handle({}, { number: 1, last: false });
const bytesOf = (id: string) => join(process.env.DATA_DIR!, "files", id.slice(0, 2), id);

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const owner = { kind: "product", id: product.id } as const;
  const begin = () => beginUpload(seller.id, { productId: product.id, owner, name: "a.bin", size: 3 });
  return { seller, product, begin };
}

/** A complete file without bytes, whose last part came that long ago. */
async function makeFile(seller: { id: string }, age: string): Promise<string> {
  const [file] = await sql<{ id: string }[]>`
    insert into files (seller_id, name, size, received, content_type, ready_at, touched_at)
    values (${seller.id}, 'apostila.pdf', 10, 10, 'application/pdf', now(), now() - ${age}::interval) returning id`;
  return file!.id;
}

async function makeContent(seller: { id: string }, product: { id: number } | null): Promise<string> {
  const [content] = await sql<{ id: string }[]>`
    insert into contents (seller_id, product_id) values (${seller.id}, ${product?.id ?? null}) returning id`;
  return content!.id;
}

/** Which of these files there are, in the same order. */
async function leftOf(...ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from files where id in ${sql(ids)}`;
  return ids.filter((id) => rows.some((row) => row.id === id));
}

test("an upload that is all there is completed after ten minutes, however many files are complete", async () => {
  const { seller, begin } = await shop();
  const whole = async (age: string) => {
    const id = await begin();
    const upload = { key: id, ref: null, size: 3 };
    const part = await storage.receivePart(upload, { number: 1, offset: 0, length: 3 }, bytes());
    await sql`update files set received = 3, parts = ${sql.json([await part.commit()])},
      touched_at = now() - ${age}::interval where id = ${id}`;
    return id;
  };
  // The first upload makes the folder of files.
  await begin();
  await sql`insert into files (seller_id, name, size, received, content_type, ready_at, touched_at)
    select ${seller.id}, 'apostila.pdf', 10, 10, 'application/pdf', now(), now() - interval '2 hours'
    from generate_series(1, 200)`;
  const [old, young] = [await whole("10 minutes 30 seconds"), await whole("8 minutes")];
  await clean();
  const completed = await sql`select id from files where id in ${sql([old, young])} and ready_at is not null`;
  expect(completed).toEqual([{ id: old }]);
  expect([existsSync(bytesOf(old)), existsSync(bytesOf(young))]).toEqual([true, false]);
});

test("an upload that nothing came of for seven days is deleted, a younger one is not", async () => {
  const { begin } = await shop();
  const [old, young] = [await begin(), await begin()];
  await sql`update files set touched_at = now() - interval '7 days 1 hour' where id = ${old}`;
  await sql`update files set touched_at = now() - interval '6 days 23 hours' where id = ${young}`;
  await clean();
  expect(await leftOf(old, young)).toEqual([young]);
});

test("a complete file is deleted after a day in which nothing used it, and one in use never", async () => {
  const { seller, product } = await shop();
  const files: string[] = [];
  for (let n = 0; n < 5; n++) files.push(await makeFile(seller, "10 days"));
  const [item, source, pack, copy] = files as [string, string, string, string];
  const fresh = await makeFile(seller, "23 hours");
  await sql`insert into content_items (seller_id, content_id, kind, name, file_id)
    values (${seller.id}, ${await makeContent(seller, product)}, 'file', 'Apostila', ${item})`;
  await sql`insert into pictures (id, seller_id, use, source_id, scheduled_at)
    values (${source}, ${seller.id}, 'product', ${source}, date_trunc('milliseconds', now()))`;
  await sql`insert into pictures (id, seller_id, use, key, pack_id, width, height, fallback, ready_at)
    values (${pack}, ${seller.id}, 'product', ${`chave-${pack}`}, ${pack}, 10, 10, 'jpg', now())`;
  await sql`insert into stamped_copies (seller_id, file_id, copy_id) values (${seller.id}, ${item}, ${copy})`;
  await clean();
  expect(await leftOf(...files, fresh)).toEqual([item, source, pack, copy, fresh]);
  expect(await sql`select id from pictures where source_id = ${source}`).toHaveLength(1);
});

test("a stamped copy that nothing uses is deleted after an hour, since it has its buyer's name", async () => {
  const { seller, begin } = await shop();
  // The first upload makes the folder of files.
  await begin();
  const [copy, fresh, file] = [
    await makeFile(seller, "2 hours"),
    await makeFile(seller, "30 minutes"),
    await makeFile(seller, "2 hours"),
  ];
  await sql`update files set is_copy = true where id in (${copy}, ${fresh})`;
  await clean();
  expect(await leftOf(copy, fresh, file)).toEqual([fresh, file]);
});

test("the content of what was removed unsold is deleted with its items, that of a product stays", async () => {
  const { seller, product } = await shop();
  const [orphan, own] = [await makeContent(seller, null), await makeContent(seller, product)];
  for (const content of [orphan, own])
    await sql`insert into content_items (seller_id, content_id, kind, name, url)
      values (${seller.id}, ${content}, 'link', 'Grupo', 'https://exemplo.com.br/grupo')`;
  await clean();
  expect(await sql`select id from contents where seller_id = ${seller.id}`).toEqual([{ id: own }]);
  expect(await sql`select content_id from content_items where seller_id = ${seller.id}`).toEqual([
    { content_id: own },
  ]);
});

test("a file that cannot be deleted keeps no other from being deleted", async () => {
  const { seller, begin } = await shop();
  // The first upload makes the folder of files.
  await begin();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await makeFile(seller, "3 days"));
  const [first, ...others] = ids.sort();
  // Stands for one that the file system or the service does not let go.
  mkdirSync(bytesOf(first!), { recursive: true });
  await expect(clean()).rejects.toThrow("not all files cleaned up");
  expect(await leftOf(first!, ...others)).toEqual([first]);
  rmSync(bytesOf(first!), { recursive: true });
  await clean();
  expect(await leftOf(first!)).toEqual([]);
});

test("that an upload was dropped is known for ninety days", async () => {
  const ids: string[] = [];
  for (const age of ["90 days 1 hour", "89 days 23 hours"]) {
    const [row] = await sql<{ id: string }[]>`insert into dropped_uploads (id, dropped_at)
      values (gen_random_uuid(), now() - ${age}::interval) returning id`;
    ids.push(row!.id);
  }
  await clean();
  expect(await sql`select id from dropped_uploads where id in ${sql(ids)}`).toEqual([{ id: ids[1] }]);
});

test("cleaning while the folder of files is not mounted forgets no file, and deletes it once the folder is back", async () => {
  const { seller, begin } = await shop();
  // The first upload makes the folder of files.
  await begin();
  const id = await storeBytes(seller.id, { name: "a.pdf", size: 3, isCopy: true }, bytes());
  await sql`update files set ready_at = now(), content_type = 'application/pdf', touched_at = now() - interval '3 days' where id = ${id}`;
  const folder = join(process.env.DATA_DIR!, "files");
  renameSync(folder, `${folder}-away`);
  try {
    await expect(clean()).rejects.toMatchObject({ errors: [{ errors: [expect.any(StorageUnavailable)] }] });
  } finally {
    renameSync(`${folder}-away`, folder);
  }
  expect([await leftOf(id), existsSync(bytesOf(id))]).toEqual([[id], true]);
  await clean();
  expect([await leftOf(id), existsSync(bytesOf(id))]).toEqual([[], false]);
});

test("the handbook's copy for a backup has what the folder has, and nothing that was deleted before", () => {
  const { folder, put, run } = machine("cd /data/files");
  const copy = (day: string, before: string) =>
    run((script) => script.replaceAll("2026-11-23", before).replaceAll("2026-11-24", day));
  const [kept, deleted] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [kept, deleted]) put(`data/files/${pathOf(id)}`);
  put(`data/files/uploads/${crypto.randomUUID()}`);
  copy("first", "none");
  rmSync(folder(`data/files/${pathOf(deleted)}`));
  const added = crypto.randomUUID();
  put(`data/files/${pathOf(added)}`);
  copy("second", "first");
  const has = (day: string) =>
    [kept, deleted, added].map((id) => existsSync(folder(`backup/files-${day}/${pathOf(id)}`)));
  expect([has("first"), has("second")]).toEqual([
    [true, true, false],
    [true, false, true],
  ]);
  const inodeOf = (day: string) => statSync(folder(`backup/files-${day}/${pathOf(kept)}`)).ino;
  expect(inodeOf("second")).toBe(inodeOf("first"));
  for (const left of ["uploads", "part"])
    expect(existsSync(folder(`backup/files-second/${left}`))).toBe(false);
});

test("the handbook's copy fails where a file could not be copied or found, whichever it is", () => {
  const { folder, put, run } = machine("cd /data/files");
  const ids = ["a", "b", "c"].map((letter) => letter.repeat(36));
  for (const id of ids) put(`data/files/${pathOf(id)}`);
  const copied = (id: string) => statSync(folder(`backup/files-2026-11-24/${pathOf(id)}`)).isFile();
  // What could be found is copied.
  expect(() => run((script) => script.replace("find .", "find ./away ."))).toThrow();
  expect(ids.map(copied)).toEqual([true, true, true]);
  run((script) => script);
  for (const id of ids) {
    // Nothing can be moved to where a folder is.
    const target = folder(`backup/files-2026-11-24/${pathOf(id)}`);
    rmSync(target);
    mkdirSync(join(target, "part"), { recursive: true });
    expect(() => run((script) => script), id).toThrow();
    rmSync(target, { recursive: true });
  }
});

test("the handbook's copy goes on where the shop has deleted a file meanwhile", () => {
  const { folder, put, run } = machine("cd /data/files");
  const [kept, deleted] = [crypto.randomUUID(), crypto.randomUUID()];
  put(`data/files/${pathOf(kept)}`);
  run((script) => script.replace("files=$(", `files="./${pathOf(deleted)} "$(`));
  expect(existsSync(folder(`backup/files-2026-11-24/${pathOf(kept)}`))).toBe(true);
});

test("the handbook's command after a restore deletes every earlier file without a row, however old", () => {
  const { folder, put, run } = machine("find /data/files");
  const [known, stored, copied, later] = [1, 2, 3, 4].map(() => crypto.randomUUID());
  put(`data/files/${pathOf(known!)}`, "2026-11-20");
  put(`data/files/${pathOf(stored!)}`, "2026-11-24T05:00Z");
  put(`data/files/${pathOf(copied!)}`, "2026-08-01");
  put(`data/files/${pathOf(later!)}`, "2026-11-24T10:00Z");
  put("data/files/uploads/unfinished", "2026-08-01");
  writeFileSync(folder("backup/known.txt"), `${known}\n`);
  run((script) => script);
  const left = [known, stored, copied, later].map((id) => existsSync(folder(`data/files/${pathOf(id!)}`)));
  expect(left).toEqual([true, false, false, true]);
  expect(existsSync(folder("data/files/uploads/unfinished"))).toBe(true);
});

const pathOf = (id: string) => `${id.slice(0, 2)}/${id}`;

/** The folders `/data` and `/backup` of a container, and the handbook's command for it that begins so. */
function machine(begin: string) {
  const root = mkdtempSync(join(tmpdir(), "handbook-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = (path: string) => join(root, path);
  for (const name of ["data", "backup"]) mkdirSync(folder(name));
  const commands = [...readFileSync("docs/operations.md", "utf8").matchAll(/migrate sh -c '([^']+)'/g)];
  const command = commands.map(([, script]) => script!).find((script) => script.startsWith(begin))!;
  return {
    folder,
    /** A file, from that moment or from now. */
    put(path: string, moment = new Date().toISOString()) {
      mkdirSync(dirname(folder(path)), { recursive: true });
      writeFileSync(folder(path), path);
      utimesSync(folder(path), new Date(moment), new Date(moment));
    },
    run(change: (script: string) => string) {
      const script = change(command)
        .replaceAll("/data", folder("data"))
        .replaceAll("/backup", folder("backup"));
      execFileSync("sh", ["-c", script]);
    },
  };
}

async function* bytes() {
  yield new Uint8Array([1, 2, 3]);
}
