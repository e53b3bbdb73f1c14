import { isUpToDate, listen, onListeningLost } from "#app/db/listen.server.ts";

/**
 * A page and the tags whose change makes it stale: a product's id, `seller:<id>`. `staleAt`: when it becomes stale by
 * itself (Unix ms).
 */
export type TaggedPage<T> = { tags: string[]; page: T; staleAt?: number };

type Entry<T> = { pending: Promise<TaggedPage<T> | null>; tags: string[] | null; staleAt: number };

/** Cached pages per process; the least recently used is removed first. */
const MAX_PAGES = 500;

/**
 * Caches rendered pages until their product or seller's settings change, in any process: changes arrive by
 * LISTEN/NOTIFY, and while the process is not listening nothing is cached. Concurrent requests share one rendering.
 */
export function pageCache<T>() {
  const entries = new Map<string, Entry<T>>();
  const evict = (tag: string) => {
    for (const [key, { tags }] of entries) {
      // A page still being rendered may have read what has just changed.
      if (!tags || tags.includes(tag)) entries.delete(key);
    }
  };
  listen("storefront", evict);
  onListeningLost(() => entries.clear());

  return async function cached(key: string, make: () => Promise<TaggedPage<T> | null>): Promise<T | null> {
    if (!(await isUpToDate())) return (await make())?.page ?? null;
    let entry = entries.get(key);
    if (!entry || Date.now() >= entry.staleAt) {
      entry = { pending: make(), tags: null, staleAt: Number.POSITIVE_INFINITY };
      addEntry(entries, key, entry);
    } else {
      entries.delete(key);
      entries.set(key, entry);
    }
    return (await entry.pending)?.page ?? null;
  };
}

function addEntry<T>(entries: Map<string, Entry<T>>, key: string, entry: Entry<T>) {
  const drop = () => entries.get(key) === entry && entries.delete(key);
  entries.set(key, entry);
  if (entries.size > MAX_PAGES) entries.delete(entries.keys().next().value!);
  entry.pending.then((tagged) => {
    if (!tagged) return drop();
    entry.tags = tagged.tags;
    entry.staleAt = tagged.staleAt ?? entry.staleAt;
  }, drop);
}
