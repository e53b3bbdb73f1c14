import { decodeViaTurboStream } from "@remix-run/react/dist/single-fetch.js";

/** The address from which Remix's own scripts fetch a page's data: `/login?a=b` as `/login.data?a=b`. */
export function dataAddress(path: string): string {
  const [pathname, ...query] = path.split("?");
  return [pathname === "/" ? "/_root.data" : `${pathname}.data`, ...query].join("?");
}

/** Whether an answer is such data, and no page. */
export function isData(answer: Response): boolean {
  return (answer.headers.get("content-type") ?? "").startsWith("text/x-script");
}

/**
 * What a browser reads from an answer: the values of a stream of single fetch, also of the one in a hydrated page's
 * scripts; null if there is none.
 * @throws if the stream broke off
 */
export async function readAnswer(answer: Response): Promise<unknown> {
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) return answer.body?.cancel().then(() => null);
  const text = await answer.text();
  if (isData(answer)) return decoded(text);
  const pieces = [...text.matchAll(/streamController\.enqueue\((".*?")\);<\/script>/g)];
  return pieces.length > 0 ? decoded(pieces.map(([, piece]) => JSON.parse(piece!)).join("")) : null;
}

async function decoded(text: string): Promise<unknown> {
  const { value, done } = await decodeViaTurboStream(new Blob([text]).stream(), globalThis);
  await done;
  return value;
}

/** A value somewhere in another one, and the keys that lead to it. */
export type Leaf = { way: string[]; value: unknown };

/** Every nested value, objects and lists too; each is visited once. */
export function* valuesIn(value: unknown, way: string[] = [], seen = new Set<unknown>()): Generator<Leaf> {
  yield { way, value };
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of Object.keys(value)) yield* valuesIn(Reflect.get(value, key), [...way, key], seen);
}
