import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

/** The way to the database: it can be cut, and the connections open on it can become silent, or those of a former primary. */
const database = new URL(process.env.DATABASE_URL!);
const open = new Set<Socket>();
const silent = new Set<Socket>();
const demoted = new Set<Socket>();
let isCut = false;

/** What a server in recovery answers: an error, and that it is ready for the next query. */
const READ_ONLY = (() => {
  const fields = Buffer.from("SERROR\0C25006\0Mcannot execute LISTEN during recovery\0\0");
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  return Buffer.concat([Buffer.from("E"), length, fields, Buffer.from("Z\0\0\0\x05I")]);
})();

const line = createServer((near) => {
  if (isCut) {
    near.resetAndDestroy();
    return;
  }
  open.add(near);
  near.on("close", () => open.delete(near));
  const far = connect(Number(database.port), database.hostname);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on("data", (bytes) => {
      if (demoted.has(near)) near.write(READ_ONLY);
      else if (!silent.has(near)) to.write(bytes);
    });
    from.on("close", () => to.destroy());
    from.on("error", () => to.destroy());
  }
});
await new Promise<void>((listening) => line.listen(0, "127.0.0.1", listening));
afterAll(() => {
  line.close();
  cut();
});

const throughLine = new URL(database);
throughLine.port = String((line.address() as AddressInfo).port);
process.env.DATABASE_URL = throughLine.href;
const { isUpToDate, listen, onListening, onListeningLost } = await import("#app/db/listen.server.ts");
const { log } = await import("#app/platform/log.server.ts");

const received: string[] = [];
const counts = { begun: 0, lost: 0 };
listen("storefront", (payload) => received.push(payload));
onListening(() => {
  counts.begun += 1;
});
onListeningLost(() => {
  counts.lost += 1;
});

const lines: unknown[][] = [];
for (const level of ["info", "warn"] as const)
  vi.spyOn(log, level).mockImplementation((...logged: unknown[]) => void lines.push(logged));
const isLogged = (message: string) => lines.some((logged) => logged.at(-1) === message);

function cut() {
  isCut = true;
  for (const socket of open) socket.resetAndDestroy();
}

async function expectToReceive(payload: string) {
  await sql`select pg_notify('storefront', ${payload})`;
  await until(() => received.includes(payload), { what: `the notification ${payload}` });
}

/** Waits until the database has one connection that listens, so that those before it are closed. */
const untilOneListens = () =>
  until(
    async () => {
      const listening = await sql`select pid from pg_stat_activity
        where application_name = 'checkintelli-listen' and datname = current_database()`;
      return listening.length === 1;
    },
    { what: "one connection to listen" },
  );

test("a lost connection is opened anew once the database accepts it; both are logged once", async () => {
  await until(isUpToDate);
  Object.assign(counts, { begun: 0, lost: 0 });
  cut();
  // By itself: nobody asks whether it is up to date.
  await until(() => isLogged("database away"), { what: "an attempt to fail" });
  expect(await isUpToDate()).toBe(false);
  expect(counts).toEqual({ begun: 0, lost: 1 });
  isCut = false;
  await until(isUpToDate);
  expect(counts).toEqual({ begun: 1, lost: 1 });
  await expectToReceive("after the loss");
  expect(lines).toEqual([
    [expect.objectContaining({ action: "cannot listen to the database" }), "database away"],
    [expect.anything(), "database is back"],
  ]);
});

test("a connection that stays silent is closed, and replaced by one that receives", async () => {
  await until(isUpToDate);
  for (const socket of open) silent.add(socket);
  expect(await isUpToDate()).toBe(false);
  await until(isUpToDate);
  expect(isLogged("the listening connection is silent")).toBe(true);
  await expectToReceive("after the silence");
  await untilOneListens();
});

test("a connection to a server that is no primary any more is closed, and replaced by one that receives", async () => {
  await until(isUpToDate);
  for (const socket of open) demoted.add(socket);
  expect(await isUpToDate()).toBe(false);
  await until(isUpToDate);
  await expectToReceive("after the fail-over");
  await untilOneListens();
});
