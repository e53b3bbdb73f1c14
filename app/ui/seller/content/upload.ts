import pLimit from "p-limit";
import { paths } from "#app/kit/paths.ts";

/** An upload as the API tells of it. */
export type Upload = {
  id: string;
  name: string;
  size: number;
  received: number;
  part_size: number;
  ready_at: string | null;
};

/** What the server said no to: trying again would bring the same. */
export class Refused extends Error {}

/** What the server could not take now: trying again may bring more. */
export class Busy extends Error {}

/** Parts that a page sends at once: fewer than the server receives of one account. */
const sending = pLimit(3);

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

type Hooks = {
  signal: AbortSignal;
  onProgress: (sent: number) => void;
  /** The connection failed; it is tried again after so many milliseconds. */
  /** Why it waits before it tries again, in words. */
  onWaiting: (why: string) => void;
};

/** Announces a file of a content. @throws Refused */
export async function announce(
  file: File,
  to: { productId: number; owner: string; replaces: string | null },
): Promise<Upload> {
  return announceAt(paths.uploads(), file, {
    product_id: to.productId,
    for: to.owner,
    ...(to.replaces ? { replaces: to.replaces } : {}),
  });
}

/**
 * Announces a file where files of its kind are; `more` is what is said beside its name and size. Where too many were
 * announced it waits for as long as the server says.
 * @throws Refused
 */
export async function announceAt(address: string, file: File, more: object): Promise<Upload> {
  for (;;) {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...more, name: file.name || "imagem", size: file.size }),
    });
    const body = await answer.json().catch(() => null);
    const wait = answer.status === 429 && Number(answer.headers.get("Retry-After"));
    // Nothing that this page sends would change it.
    if (answer.status === 409) throw new Refused(body?.message);
    if (!wait) return read(answer.status, body);
    await new Promise((later) => setTimeout(later, wait * 1000));
  }
}

/**
 * Sends what of a file the server does not have, part by part, until it has all of it. A connection that fails is tried
 * again, for as long as the page is open: each time the server is asked first how much it has.
 * @throws Refused; AbortError where the signal ends it
 */
export async function sendParts(file: File, started: Upload, hooks: Hooks): Promise<Upload> {
  let upload = started;
  let wait = FIRST_WAIT;
  while (!upload.ready_at) {
    const before = upload.received;
    try {
      const next = upload;
      upload = await sending(() => {
        hooks.signal.throwIfAborted();
        return sendPart(file, next, hooks);
      });
    } catch (error) {
      if (error instanceof Refused || hooks.signal.aborted) throw error;
      hooks.onWaiting(error instanceof Busy ? "o servidor está ocupado" : "sem conexão");
      await pause(wait, hooks.signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
      const known = await status(upload).catch((cause) => {
        if (cause instanceof Refused) throw cause;
        return null;
      });
      // Unknown how much arrived: what was shown last stays.
      if (!known) continue;
      upload = known;
    }
    if (upload.received > before) wait = FIRST_WAIT;
    hooks.onProgress(upload.received);
  }
  return upload;
}

export async function cancel(id: string): Promise<void> {
  await fetch(paths.upload(id), { method: "DELETE" });
}

async function status({ id }: Upload): Promise<Upload> {
  const answer = await fetch(paths.upload(id));
  return read(answer.status, await answer.json().catch(() => null));
}

/** By XMLHttpRequest, since fetch does not tell how much of a body has left. */
function sendPart(
  file: File,
  { id, received, part_size }: Upload,
  { signal, onProgress }: Hooks,
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const ended = (what: () => void) => {
      signal.removeEventListener("abort", stop);
      what();
    };
    const gone = () => ended(() => reject(new DOMException("gone", "NetworkError")));
    request.open("PUT", `${paths.upload(id)}?offset=${received}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(file.size, received + loaded));
    request.onerror = gone;
    request.onabort = gone;
    request.ontimeout = gone;
    request.responseType = "json";
    request.timeout = 5 * 60_000;
    request.onload = () =>
      ended(() => {
        try {
          resolve(read(request.status, request.response));
        } catch (error) {
          reject(error);
        }
      });
    signal.addEventListener("abort", stop);
    request.send(file.slice(received, received + part_size));
  });
}

/** @throws Refused where trying again is of no use */
function read(code: number, body: (Partial<Upload> & { message?: string }) | null): Upload {
  if (code < 300 && body?.id) return body as Upload;
  const again = code >= 500 || code === 408 || code === 409 || code === 429 || code < 300;
  const message = body?.message ?? "O envio não foi aceito";
  if (again) throw new Busy(message);
  throw new Refused(
    code === 401 ? "Sua sessão terminou. Entre de novo e escolha o arquivo outra vez." : message,
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    // The line that comes back is used at once.
    window.addEventListener("online", done, { once: true });
    signal.addEventListener("abort", stop, { once: true });
    function done() {
      clear();
      resolve();
    }
    function stop() {
      clear();
      reject(new DOMException("stopped", "AbortError"));
    }
    function clear() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", stop);
    }
  });
}
