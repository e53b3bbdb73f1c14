import pLimit from "p-limit";
import { paths } from "#app/kit/paths.ts";

/** An upload as the API returns it. */
export type Upload = {
  id: string;
  name: string;
  size: number;
  received: number;
  part_size: number;
  ready_at: string | null;
};

/** Refused by the server: a retry would fail as well. */
export class Refused extends Error {}

/** The server is busy: a retry may succeed. */
export class Busy extends Error {}

/** Parts that a page sends at once: fewer than the server accepts per account. */
const sending = pLimit(3);

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

type Hooks = {
  signal: AbortSignal;
  onProgress: (sent: number) => void;
  /** The reason for waiting before the next attempt, as text. */
  onWaiting: (reason: string) => void;
};

/** Starts the upload of a content's file. @throws Refused */
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
 * Starts an upload at the endpoint for files of its kind; `more` is sent with its name and size. After too many uploads it
 * waits for as long as the server says.
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
    // No request of this page would change it.
    if (answer.status === 409) throw new Refused(body?.message);
    if (!wait) return read(answer.status, body);
    await new Promise((later) => setTimeout(later, wait * 1000));
  }
}

/**
 * Sends the missing parts of a file until the server has all of it. A failed connection is retried as long as the page is
 * open, each time after fetching the upload's progress.
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
      const fresh = await status(upload).catch((cause) => {
        if (cause instanceof Refused) throw cause;
        return null;
      });
      // The progress is unknown: the last shown value stays.
      if (!fresh) continue;
      upload = fresh;
    }
    if (upload.received > before) wait = FIRST_WAIT;
    hooks.onProgress(upload.received);
  }
  return upload;
}

async function status({ id }: Upload): Promise<Upload> {
  const answer = await fetch(paths.upload(id));
  return read(answer.status, await answer.json().catch(() => null));
}

/** Uses XMLHttpRequest, since fetch does not report upload progress. */
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

/** @throws Refused if a retry is of no use; Busy */
function read(code: number, body: (Partial<Upload> & { message?: string }) | null): Upload {
  if (code < 300 && body?.id) return body as Upload;
  throw failure(code, body);
}

/** What a refused request about an upload means: Refused or Busy. */
export function failure(code: number, body: { message?: string } | null): Error {
  const mayRetry = code >= 500 || code === 408 || code === 409 || code === 429 || code < 300;
  const message = body?.message ?? "O envio não foi aceito";
  if (mayRetry) return new Busy(message);
  return new Refused(
    code === 401 ? "Sua sessão terminou. Entre de novo e escolha o arquivo outra vez." : message,
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    // A restored connection is used at once.
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
