import { connect, createServer } from "node:net";
import { callOutside } from "#app/platform/call-outside.server.ts";
import { checkOutsideAddress } from "#app/platform/outgoing-address.server.ts";
import { startDns } from "#tests/unit/platform/dns-server.ts";
import { CHANGES, LEADS_INSIDE } from "#tests/unit/platform/hostile-names.ts";

/**
 * For a process in a network of its own, whose system asks this DNS server and where 8.8.8.8 is an address of this machine:
 * saves and calls every hostile name as the app does, and prints what came of it.
 */
await startDns({ ...LEADS_INSIDE, ...CHANGES, "boa.example": [{ a: ["8.8.8.8"] }] }, 53);
const reached: string[] = [];
const listener = createServer((socket) => {
  reached.push(socket.localAddress!.replace("::ffff:", ""));
  socket.destroy();
});
await new Promise<void>((ready) => listener.listen(443, "::", ready));
const init = { method: "POST", headers: {}, body: "{}" };

/** What came of a call, and the addresses it reached. */
async function call(name: string) {
  const before = reached.length;
  const outcome = await callOutside(`https://${name}/`, init).then(
    () => "answered",
    (error: Error) => error.name,
  );
  return { outcome, reached: reached.slice(before) };
}

const save = (name: string) =>
  checkOutsideAddress(`https://${name}/`).then(
    () => "saved",
    (error: Error) => error.name,
  );

const said: Record<string, unknown> = {};
for (const name of Object.keys(LEADS_INSIDE)) said[name] = [await save(name), await call(name)];
for (const name of Object.keys(CHANGES)) {
  const calls: unknown[] = [await save(name)];
  for (let nth = 0; nth < 3; nth++) calls.push(await call(name));
  said[name] = calls;
}
said["boa.example"] = [await save("boa.example"), await call("boa.example")];
// That what is inside could be reached at all.
const direct = reached.length;
await new Promise<void>((closed) => connect(443, "127.0.0.1").once("close", () => closed()));
said.direct = reached.slice(direct);
// Many at once while the name changes with every look.
const together = reached.length;
await Promise.all(Array.from({ length: 20 }, () => call("alterna.example")));
said.together = [...new Set(reached.slice(together))];
process.stdout.write(JSON.stringify(said));
process.exit(0);
