/** What the page waits for: a network, or that its seller signs in again. */
export type Waiting = {
  /** An address that could not be asked for; tried again by a press and by itself. */
  unreached: { address: string; tries: number; again: () => void } | null;
  /** A form that came after its session had ended. */
  signIn: { done: (how: "again" | "elsewhere" | "not-now") => void } | null;
};

export const NOTHING: Waiting = { unreached: null, signIn: null };
let waiting = NOTHING;
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export function watchWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const currentWaiting = () => waiting;

export function setWaiting(change: Partial<Waiting>): void {
  waiting = { ...waiting, ...change };
  for (const listener of listeners) listener();
}

const AGAIN = 5000;

/**
 * `fetch` as the desk's pages have it: a page that cannot be loaded since the network is away is loaded once it is back, and
 * a form whose session ended is sent once its seller signed in over the page. Neither takes the page away.
 */
export function watchedFetch(plain: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.href);
    // Only where somebody shows what is waited for, and only Remix's own requests.
    const isRemix = url.origin === location.origin && url.pathname.endsWith(".data");
    if (listeners.size === 0 || !isRemix || input instanceof Request) return plain(input, init);
    const method = init?.method?.toUpperCase() ?? "GET";
    if (method === "GET") return load(plain, url, init);
    return method === "POST" ? post(plain, url, init) : plain(input, init);
  };
}

async function load(plain: typeof fetch, url: URL, init: RequestInit | undefined): Promise<Response> {
  stopOpening();
  for (let tries = 1; ; tries++) {
    try {
      const answer = await plain(url, init);
      // What a proxy says in place of a server that is away is no page's data.
      if (answer.status < 502 || answer.headers.has("X-Remix-Response")) return answer;
    } catch (error) {
      if (init?.signal?.aborted) throw error;
    }
    await reachable(pageOf(url), tries, init?.signal);
  }
}

/** Until somebody presses, the browser tells of a network, or a while has passed. @throws where it is not wanted any more */
function reachable(address: string, tries: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = waitFor(address, tries, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    const stop = () => {
      end();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop);
  });
}

/** Shows what is waited for. @returns how to end it */
function waitFor(address: string, tries: number, goOn: () => void): () => void {
  const end = () => {
    clearTimeout(timer);
    removeEventListener("online", again);
    if (waiting.unreached === mine) setWaiting({ unreached: null });
  };
  const again = () => {
    end();
    goOn();
  };
  const mine = { address, tries, again };
  const timer = setTimeout(again, AGAIN);
  addEventListener("online", again);
  setWaiting({ unreached: mine });
  return end;
}

let stopOpening = () => {};

/** Opens an address as a document of its own, once the server can be reached. */
export function openOnceReached(address: string, plain = fetch, tries = 1): void {
  stopOpening();
  let isWanted = true;
  let end = () => {};
  stopOpening = () => {
    isWanted = false;
    end();
  };
  plain("/healthz", { cache: "no-store" }).then(
    ({ status }) => {
      if (isWanted && status < 500) location.assign(address);
      else if (isWanted) again();
    },
    () => isWanted && again(),
  );
  const again = () => {
    end = waitFor(address, tries, () => openOnceReached(address, plain, tries + 1));
  };
}

function pageOf({ pathname, search }: URL): string {
  return pathname.replace(/\.data$/, "") + search;
}

async function post(plain: typeof fetch, url: URL, init: RequestInit | undefined): Promise<Response> {
  const headers = new Headers(init?.headers);
  headers.set("X-Signs-In-Here", "1");
  const answer = await plain(url, { ...init, headers });
  if (!answer.headers.has("X-Session-Ended")) return answer;
  const how = await new Promise<"again" | "elsewhere" | "not-now">((done) =>
    setWaiting({ signIn: { done } }),
  );
  setWaiting({ signIn: null });
  if (how === "again") return post(plain, url, init);
  // Held by the server, which leads to the sign-in page and from there back to what was typed.
  if (how === "elsewhere") return plain(url, init);
  throw new TypeError("not signed in");
}
