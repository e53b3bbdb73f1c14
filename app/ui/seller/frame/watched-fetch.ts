import { ACCOUNT_HEADER } from "#app/domain/identity/access/page-account.ts";

export type SignInOutcome = "again" | "elsewhere" | "not-now";

/** What the page waits for: the network, or a new sign-in. */
export type Waiting = {
  /** A URL that could not be fetched; retried by a button and automatically. */
  unreached: { address: string; attempts: number; retry: () => void } | null;
  /** A form that was submitted after its session had ended; `isOther`: another account signed in since in this browser. */
  signIn: { done: (outcome: SignInOutcome) => void; isOther: boolean } | null;
};

export const NOT_WAITING: Waiting = { unreached: null, signIn: null };
let waiting = NOT_WAITING;
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

const RETRY_DELAY_MS = 5000;

/**
 * `fetch` for the dashboard's pages: a page that cannot be loaded because the network is down is loaded once it is back,
 * and a form whose session ended is sent once its seller has signed in over the page. Both leave the page in place.
 */
export function watchedFetch(plain: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.href);
    // Only if a component shows the waiting state, and only Remix's own requests.
    const isRemix = url.origin === location.origin && url.pathname.endsWith(".data");
    if (listeners.size === 0 || !isRemix || input instanceof Request) return plain(input, init);
    const method = init?.method?.toUpperCase() ?? "GET";
    if (method === "GET") return load(plain, url, init);
    return method === "POST" ? post(plain, url, init) : plain(input, init);
  };
}

async function load(plain: typeof fetch, url: URL, init: RequestInit | undefined): Promise<Response> {
  stopOpening();
  for (let attempts = 1; ; attempts++) {
    try {
      const answer = await plain(url, init);
      // A proxy's error for an unavailable server is not a page's data.
      if (answer.status < 502 || answer.headers.has("X-Remix-Response")) return answer;
    } catch (error) {
      if (init?.signal?.aborted) throw error;
    }
    await reachable(pageOf(url), attempts, init?.signal);
  }
}

/** Until the button is clicked, the browser reports a network, or a while has passed. @throws if the request was aborted */
function reachable(address: string, attempts: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopWaiting = waitFor(address, attempts, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    const stop = () => {
      stopWaiting();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop);
  });
}

/** Shows the waiting state. @returns a function that ends it */
function waitFor(address: string, attempts: number, onRetry: () => void): () => void {
  const stopWaiting = () => {
    clearTimeout(timer);
    removeEventListener("online", retry);
    if (waiting.unreached === mine) setWaiting({ unreached: null });
  };
  const retry = () => {
    stopWaiting();
    onRetry();
  };
  const mine = { address, attempts, retry };
  const timer = setTimeout(retry, RETRY_DELAY_MS);
  addEventListener("online", retry);
  setWaiting({ unreached: mine });
  return stopWaiting;
}

let stopOpening = () => {};

/** Opens a URL as a document, once the server can be reached. */
export function openOnceReached(address: string, plain = fetch, attempts = 1): void {
  stopOpening();
  let isWanted = true;
  let stopWaiting = () => {};
  stopOpening = () => {
    isWanted = false;
    stopWaiting();
  };
  plain("/healthz", { cache: "no-store" }).then(
    ({ status }) => {
      if (isWanted && status < 500) location.assign(address);
      else if (isWanted) retry();
    },
    () => isWanted && retry(),
  );
  const retry = () => {
    stopWaiting = waitFor(address, attempts, () => openOnceReached(address, plain, attempts + 1));
  };
}

function pageOf({ pathname, search }: URL): string {
  return pathname.replace(/\.data$/, "") + search;
}

async function post(plain: typeof fetch, url: URL, init: RequestInit | undefined): Promise<Response> {
  const headers = new Headers(init?.headers);
  const account = document.querySelector<HTMLElement>("[data-account]")?.dataset.account;
  if (account) headers.set(ACCOUNT_HEADER, account);
  const named = { ...init, headers: new Headers(headers) };
  headers.set("X-Signs-In-Here", "1");
  const answer = await plain(url, { ...init, headers });
  const ended = answer.headers.get("X-Session-Ended");
  if (!ended) return answer;
  const outcome = await new Promise<SignInOutcome>((done) =>
    setWaiting({ signIn: { done, isOther: ended === "other" } }),
  );
  setWaiting({ signIn: null });
  if (outcome === "again") return post(plain, url, init);
  // The server holds the form; it redirects to the sign-in page and from there back to what was typed.
  if (outcome === "elsewhere") return plain(url, named);
  throw new TypeError("not signed in");
}
