import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

interface Received {
  at: number;
  type: string;
  headers: Record<string, string | string[] | undefined>;
  raw: string;
  form: Record<string, string>;
}

/** A real HTTP server for webhooks. `answers` are used one by one, then 200; "silent" never answers. */
export async function openReceiver() {
  const received: Received[] = [];
  let answers: (number | "silent")[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    received.push({
      at: Date.now(),
      type: request.headers["content-type"] ?? "",
      headers: request.headers,
      raw,
      form: Object.fromEntries(new URLSearchParams(raw)),
    });
    const answer = answers.shift() ?? 200;
    if (answer === "silent") return;
    response.writeHead(answer).end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?seller=s1`,
    received,
    restart(with_: (number | "silent")[] = []) {
      received.length = 0;
      answers = with_;
    },
  };
}

/** Waits until `ready` holds, at most `milliseconds`. */
export async function until(ready: () => boolean | Promise<boolean>, milliseconds = 5000) {
  const end = Date.now() + milliseconds;
  while (!(await ready())) {
    if (Date.now() > end) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
