import { hasHeardAll, listen, whenDeaf } from "#app/db/listen.server.ts";

/** A page as it is sent, and what a change must touch to make it stale: a product's id, `seller:<id>`. */
export type Kept<T> = { tags: string[]; page: T };

type Entry<T> = { made: Promise<Kept<T> | null>; tags: string[] | null };

/** Pages kept per process; the one not asked for longest goes first. */
const MOST = 500;

/**
 * Keeps rendered pages until their product or seller's settings change, in whatever process: news travel by
 * LISTEN/NOTIFY, and while the process cannot hear them nothing is kept. A page is made once however many ask at once.
 */
export function pageCache<T>() {
  const entries = new Map<string, Entry<T>>();
  const forget = (tag: string) => {
    for (const [key, { tags }] of entries) {
      // A page still being made may have read what has just changed.
      if (!tags || tags.includes(tag)) entries.delete(key);
    }
  };
  listen("storefront", forget);
  whenDeaf(() => entries.clear());

  return async function cached(key: string, make: () => Promise<Kept<T> | null>): Promise<T | null> {
    if (!(await hasHeardAll())) return (await make())?.page ?? null;
    let entry = entries.get(key);
    if (!entry) {
      entry = { made: make(), tags: null };
      remember(entries, key, entry);
    } else {
      entries.delete(key);
      entries.set(key, entry);
    }
    return (await entry.made)?.page ?? null;
  };
}

function remember<T>(entries: Map<string, Entry<T>>, key: string, entry: Entry<T>) {
  const drop = () => entries.get(key) === entry && entries.delete(key);
  entries.set(key, entry);
  if (entries.size > MOST) entries.delete(entries.keys().next().value!);
  entry.made.then((kept) => {
    if (kept) entry.tags = kept.tags;
    else drop();
  }, drop);
}
