import { createContext, type RefObject, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { Removal } from "#app/domain/storefront/sanitize/removal.ts";
import { SECOND } from "#app/kit/duration.ts";

/** What was or would be removed from the seller's HTML and CSS, by field. */
export type RemovedByField = Partial<Record<string, Removal[]>>;

const PAUSE = 0.35 * SECOND;

/** State for the fields of a form with a live preview: what is typed now (null before anything was), and its removals. */
type Live = { typed: FormData | null; removed: RemovedByField; changed: () => void };

const LiveContext = createContext<Live>({ typed: null, removed: {}, changed: () => {} });
export const LiveProvider = LiveContext.Provider;
export const useLive = () => useContext(LiveContext);

/** The text of a field in a form with a live preview: what is typed now, what was saved before anything was. */
export function useTyped<Settings extends object>(settings: Settings, name: keyof Settings & string): string {
  const { typed } = useLive();
  return String((typed ? typed.get(name) : settings[name]) ?? "");
}

/**
 * Keeps a frame in sync with a form: a moment after the last change its values are posted to `url` and the response
 * replaces the content of the frame's document, so it keeps its scroll position and does not flicker. `removed` is the
 * server's last list.
 */
export function useLivePreview(url: string, removed: RemovedByField) {
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const html = useRef<string | null>(null);
  const pendingRequest = useRef<AbortController | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const [typed, setTyped] = useState<FormData | null>(null);
  const [removals, setRemovals] = useState(removed);
  const [failed, setFailed] = useState(false);

  const show = useCallback(() => putInto(frame, html.current), []);
  const renderPreview = useCallback(async (): Promise<RemovedByField | null> => {
    if (!form.current) return null;
    pendingRequest.current?.abort();
    pendingRequest.current = new AbortController();
    try {
      const answer = await fetch(url, {
        method: "POST",
        body: new FormData(form.current),
        headers: { Accept: "application/json" },
        signal: pendingRequest.current.signal,
      });
      if (!answer.ok) throw new Error(`the preview was answered ${answer.status}`);
      const fresh = (await answer.json()) as { html: string; removed: RemovedByField };
      html.current = fresh.html;
      setFailed(false);
      show();
      return fresh.removed;
    } catch (error) {
      if ((error as Error).name !== "AbortError") setFailed(true);
      return null;
    }
  }, [url, show]);

  const changed = useCallback(() => {
    if (!form.current) return;
    setTyped(new FormData(form.current));
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      const fresh = await renderPreview();
      if (fresh) setRemovals(fresh);
    }, PAUSE);
  }, [renderPreview]);

  // The server, or the browser's form restoration, may have filled the form with other values than the saved ones.
  useEffect(() => {
    void renderPreview();
    return () => clearTimeout(timer.current);
  }, [renderPreview]);

  const reset = useCallback((saved: RemovedByField) => {
    setTyped(null);
    setRemovals(saved);
  }, []);

  return { form, frame, typed, removed: removals, failed, changed, show, reset };
}

/** Replaces a frame's document without a reload. The frame runs no script, so nothing in it can. */
function putInto(frame: RefObject<HTMLIFrameElement>, html: string | null) {
  const document = frame.current?.contentDocument;
  if (!html || !document?.body || document.readyState === "loading") return;
  const next = new DOMParser().parseFromString(html, "text/html");
  document.documentElement.dataset.theme = next.documentElement.dataset.theme ?? "";
  if (!next.documentElement.dataset.theme) delete document.documentElement.dataset.theme;
  document.head.replaceWith(document.adoptNode(next.head));
  document.body.replaceWith(document.adoptNode(next.body));
}
