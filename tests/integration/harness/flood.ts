import { routeTable } from "#tests/support/routes/route-table.ts";

/** What a stranger sends to one address. */
export type Shot = { method: "GET" | "POST"; path: string; body?: BodyInit; type?: string };
/** An address of the product, and the requests a stranger sends to it. */
export type Target = { address: string; shots: ((copy: number) => Shot)[] };

/** A value that no link of ours contains. */
const RUBBISH = [
  "x",
  "99999999999999999999",
  "a'b\"c",
  "00000000-0000-4000-8000-000000000000",
  "%F0%9F%92%A9",
];

/** Every address of the product, with invalid values and with `params`, as GET and POST. */
export async function targets(params: Record<string, string>): Promise<Target[]> {
  const routes = await routeTable();
  return [...new Set(routes.map((route) => route.address))].map((address) => {
    const valid = fill(address, (name) => params[name] ?? "x");
    const rubbish = (copy: number) => fill(address, () => RUBBISH[copy % RUBBISH.length]!);
    const isApi = address.startsWith("/api/");
    return {
      address,
      shots: [
        (copy) => ({ method: "GET", path: `${rubbish(copy)}?page=x&search=${copy}&sale=${RUBBISH[3]}` }),
        () => ({ method: "GET", path: valid }),
        (copy) => ({ method: "POST", path: rubbish(copy), body: "{]", type: "application/json" }),
        (copy) => post(valid, fields(copy, params), isApi),
      ],
    };
  });
}

function fill(address: string, value: (name: string) => string): string {
  return address.replace(/:(\w+)/g, (_, name: string) => value(name));
}

function post(path: string, body: Record<string, string>, isApi: boolean): Shot {
  if (!isApi) return { method: "POST", path, body: new URLSearchParams(body) };
  return { method: "POST", path, body: JSON.stringify(body), type: "application/json" };
}

/** Every field of a public form; each copy is another buyer. */
function fields(copy: number, params: Record<string, string>): Record<string, string> {
  const email = `visita${copy}@exemplo.com.br`;
  return {
    product_id: params.productId!,
    customer_name: "Bia Compradora",
    customer_email: email,
    customer_phone: "11987654321",
    customer_document: "52998224725",
    name: "Bia Compradora",
    email,
    password: `senha-comprida-${copy}`,
    phone: "11987654321",
    document: "52998224725",
    id: RUBBISH[3]!,
    status: "paid",
  };
}

let client = 0;

/** Sends a shot as a client of its own, and reads its answer; of a stream of events as much as its beginning. */
export async function fire(base: string, { method, path, body, type }: Shot): Promise<number> {
  client += 1;
  const from = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
  const answer = await fetch(base + path, {
    method,
    redirect: "manual",
    headers: { "X-Forwarded-For": from, ...(type ? { "Content-Type": type } : {}) },
    ...(body ? { body } : {}),
  });
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) await answer.body?.cancel();
  else await answer.arrayBuffer();
  return answer.status;
}

/** Sends all, `atOnce` at a time. @returns the answers that must not occur */
export async function flood(base: string, shots: Shot[], atOnce: number): Promise<string[]> {
  const bad: string[] = [];
  const left = shots.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const shot of left) {
        const status = await fire(base, shot).catch((error: Error) => String(error.cause ?? error));
        if (typeof status === "string" || (status >= 500 && status !== 503))
          bad.push(`${shot.method} ${shot.path}: ${status}`);
      }
    }),
  );
  return bad;
}
