import { connect, createServer } from "node:net";
import { callUntrustedUrl } from "#app/platform/call-untrusted-url.server.ts";
import { checkOutgoingAddress } from "#app/platform/outgoing-address.server.ts";
import { startDns } from "#tests/unit/platform/dns-server.ts";
import { CHANGES, LEADS_INSIDE } from "#tests/unit/platform/hostile-names.ts";

/**
 * For a process in its own network namespace, whose system uses this DNS server and where 8.8.8.8 is an address of
 * this machine: saves and calls every hostile name as the app does, and prints the results.
 */
await startDns({ ...LEADS_INSIDE, ...CHANGES, "boa.example": [{ a: ["8.8.8.8"] }] }, 53);
const reached: string[] = [];
const listener = createServer((socket) => {
  reached.push(socket.localAddress!.replace("::ffff:", ""));
  socket.destroy();
});
await new Promise<void>((ready) => listener.listen(443, "::", ready));
const init = { method: "POST", headers: {}, body: "{}" };

/** The result of a call, and the addresses it reached. */
async function call(name: string) {
  const before = reached.length;
  const outcome = await callUntrustedUrl(`https://${name}/`, init).then(
    () => "answered",
    (error: Error) => error.name,
  );
  return { outcome, reached: reached.slice(before) };
}

const save = (name: string) =>
  checkOutgoingAddress(`https://${name}/`).then(
    () => "saved",
    (error: Error) => error.name,
  );

const results: Record<string, unknown> = {};
for (const name of Object.keys(LEADS_INSIDE)) results[name] = [await save(name), await call(name)];
for (const name of Object.keys(CHANGES)) {
  const calls: unknown[] = [await save(name)];
  for (let nth = 0; nth < 3; nth++) calls.push(await call(name));
  results[name] = calls;
}
results["boa.example"] = [await save("boa.example"), await call("boa.example")];
// Proves that the inside is reachable at all.
const direct = reached.length;
await new Promise<void>((closed) => connect(443, "127.0.0.1").once("close", () => closed()));
results.direct = reached.slice(direct);
// Many at once while the name changes with every lookup.
const together = reached.length;
await Promise.all(Array.from({ length: 20 }, () => call("alterna.example")));
results.together = [...new Set(reached.slice(together))];
process.stdout.write(JSON.stringify(results));
process.exit(0);
