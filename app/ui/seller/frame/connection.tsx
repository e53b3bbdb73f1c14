import { useNavigation } from "@remix-run/react";
import { WifiOff } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import {
  currentWaiting,
  NOT_WAITING,
  openOnceReached,
  watchWaiting,
} from "#app/ui/seller/frame/watched-fetch.ts";

/** Shows that a page could not be loaded, and navigates to it once it can; the current page stays. */
export function Connection() {
  const { unreached } = useSyncExternalStore(watchWaiting, currentWaiting, () => NOT_WAITING);
  useFollowLater();
  if (!unreached) return null;
  const isSale = /^\/reports\/sales\/[^/]+$/.test(unreached.address.split("?")[0]!);
  return (
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-40 mx-auto flex max-w-xl flex-wrap items-center gap-x-4 gap-y-2 rounded-box border border-warning bg-base-100 p-4 text-sm shadow-xl"
    >
      <WifiOff className="size-5 shrink-0 text-warning" aria-hidden="true" />
      <p className="min-w-48 flex-1">
        <b>{isSale ? "Erro ao carregar detalhes da venda: sem conexão" : "Sem conexão"}</b>
        <span className="block">
          {unreached.attempts > 1
            ? "Ainda não foi possível. Tentamos de novo sozinhos quando a internet voltar."
            : "Esta página continua aqui. A próxima abre sozinha quando a internet voltar."}
        </span>
      </p>
      <button type="button" className="btn min-h-11" onClick={unreached.retry}>
        Tentar de novo
      </button>
    </div>
  );
}

/**
 * If Remix cannot load a page's script, even one it prefetches for a link under the pointer, it reloads the document, and
 * without a network that shows the browser's error page. So a link clicked without a network is followed later, and such a
 * reload loads the pending page, once it can be reached.
 */
function useFollowLater(): void {
  const { location: coming } = useNavigation();
  const next = useRef("");
  next.current = coming ? coming.pathname + coming.search + coming.hash : "";
  useEffect(() => {
    const followLater = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
      if (navigator.onLine || event.defaultPrevented || !link || link.target || link.hasAttribute("download"))
        return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== location.origin || (hash && pathname === location.pathname)) return;
      event.preventDefault();
      openOnceReached(pathname + search + hash);
    };
    const reloads = (event: Event) => {
      const { navigationType, userInitiated } = event as Event & Record<string, unknown>;
      if (navigationType !== "reload" || userInitiated || !event.cancelable) return;
      event.preventDefault();
      if (next.current !== "") openOnceReached(next.current);
    };
    // Before React's links handle it.
    addEventListener("click", followLater, { capture: true });
    // Not in all browsers: without it the document reloads as usual.
    const { navigation } = window as { navigation?: EventTarget };
    navigation?.addEventListener("navigate", reloads);
    return () => {
      removeEventListener("click", followLater, { capture: true });
      navigation?.removeEventListener("navigate", reloads);
    };
  }, []);
}
