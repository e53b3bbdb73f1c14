import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sendFile } from "#tests/support/files/send-file.ts";
import { buy } from "../flow.ts";
import { send } from "../http.ts";
import { signIn } from "../seller.ts";
import type { Stage } from "../stage.ts";

const CHECKOUT = "/checkout/s/curso-de-violao";
const FILE_MB = 32;
const agent = new Agent({ keepAlive: true });

/** Requests by name: one of them to the web process at a URL, and how many run at once. */
export type Requests = Record<string, { once: (url: string) => Promise<unknown>; atOnce: number }>;

/** Screens that many request while a buyer opens a page. */
export const FLOODED = {
  beside: CHECKOUT,
  once: (url: string) => get(url, "/login"),
  atOnce: 16,
  seconds: 4,
};

/** The light responses of each kind, a long file and a whole purchase. */
export async function prepareRequests(stage: Stage): Promise<Requests> {
  const { url, sql } = stage;
  const [product] = await sql`select id from products where checkout_slug = 'curso-de-violao'`;
  const script = /<script[^>]+src="([^"]+)"/.exec((await send(url + CHECKOUT)).body.toString())![1]!;
  const openDownload = await prepareDownload(stage, Number(product!.id));
  const light = (path: () => string, status = 200) => ({
    once: (web: string) => get(web, path(), status),
    atOnce: 16,
  });
  return {
    "GET /healthz": light(() => "/healthz"),
    "checkout page": light(() => CHECKOUT),
    "product by the API": light(() => `/api/checkout/products/${product!.id}`),
    "unknown product, new address each time": light(() => `/api/checkout/products/${randomUUID()}`, 404),
    "static file": light(() => script),
    "screen: sign in": { ...light(() => "/login"), atOnce: 4 },
    "screen's data, new address each time": light(() => `/login.data?at=${randomUUID()}`),
    "unknown page": { ...light(() => `/${randomUUID()}`, 404), atOnce: 4 },
    [`download of ${FILE_MB} MB`]: { once: openDownload, atOnce: 8 },
    purchase: {
      atOnce: 20,
      async once(web) {
        await get(web, CHECKOUT);
        const screen = await buy({ ...stage, url: web });
        await get(web, `/thank-you/${screen.split("/").at(-1)}`);
      },
    },
  };
}

/** Sends a file of the demo's product. @returns downloads it from a web process */
async function prepareDownload(stage: Stage, productId: number): Promise<(url: string) => Promise<void>> {
  const { url, sql } = stage;
  const fetchWith = (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.set("X-Forwarded-For", newAddress());
    return fetch(url + path, { ...init, headers });
  };
  const client = { app: { fetch: fetchWith } as never, headers: await signIn(url) };
  const { id } = await sendFile(
    client,
    { product_id: productId, name: "aula.mp4" },
    randomBytes(FILE_MB << 20),
  );
  const [item] = await sql`select id from content_items where file_id = ${id}`;
  const lines = await sql`select l.sale_id, l.id from sale_lines l join sales s on s.id = l.sale_id
    where l.product_id = ${productId} and l.kind = 'product' and s.status = 'completed' order by s.created_at desc limit 10`;
  // A signed address counts as one download, however often it is read.
  const paths: string[] = [];
  for (const line of lines) {
    const answer = await send(`${url}/download/${line.sale_id}/${line.id}?item=${item!.id}`);
    if (answer.status !== 302) throw new Error(`a download was answered with ${answer.status}`);
    paths.push(answer.headers.location!);
  }
  let at = 0;
  return (web) => readAll(web + paths[at++ % paths.length]!);
}

async function get(url: string, path: string, status = 200): Promise<void> {
  const answer = await send(url + path, { headers: { "Accept-Encoding": "gzip" } });
  if (answer.status !== status)
    throw new Error(`${path} was answered with ${answer.status}:\n${answer.body}`);
}

/** Reads an answer and keeps none of it. */
function readAll(address: string): Promise<void> {
  return new Promise((done, fail) => {
    const sent = request(address, { headers: { "X-Forwarded-For": newAddress() }, agent }, (answer) => {
      if (answer.statusCode !== 200) fail(new Error(`a file was answered with ${answer.statusCode}`));
      answer.on("error", fail).on("end", done).resume();
    });
    sent.on("error", fail).end();
  });
}
