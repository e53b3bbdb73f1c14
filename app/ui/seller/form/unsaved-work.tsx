import { useBeforeUnload, useBlocker } from "@remix-run/react";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { paths } from "#app/kit/paths.ts";
import type { START_OVER } from "#app/ui/seller/form/save-conflict.tsx";

/** The forms of a page with typed work that is not saved, by their ids. */
type Unsaved = { has: (id: string) => boolean; tell: (id: string, dirty: boolean) => void };

/**
 * For what must be known before anybody can press on what is painted: a late effect would still hold a form for unsaved
 * when the page already says that it was saved. The server, which paints nothing, would warn of the other.
 */
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

const UnsavedContext = createContext<Unsaved>({ has: () => false, tell: () => {} });
export const useUnsaved = () => useContext(UnsavedContext);

/** Stands around all pages of the desk: the router has room for one guard. */
export function UnsavedWork({ children }: { children: ReactNode }) {
  const dirty = useRef(new Set<string>());
  const [isAny, setIsAny] = useState(false);
  const unsaved = useMemo(
    () => ({
      has: (id: string) => dirty.current.has(id),
      tell: (id: string, isDirty: boolean) => {
        if (isDirty) dirty.current.add(id);
        else dirty.current.delete(id);
        setIsAny(dirty.current.size > 0);
      },
    }),
    [],
  );
  return (
    <UnsavedContext.Provider value={unsaved}>
      {children}
      <LeaveGuard isDirty={() => dirty.current.size > 0} asks={isAny} />
    </UnsavedContext.Provider>
  );
}

/** Tells the guard whether the form `id` holds unsaved work, for as long as it stands. */
export function useTellUnsaved(id: string, dirty: boolean): void {
  const { tell } = useUnsaved();
  useBeforePaint(() => {
    tell(id, dirty);
    return () => tell(id, false);
  }, [tell, id, dirty]);
}

/** Asks before unsaved work is left, for another page or another tab: with our words inside the desk, else with the browser's. */
function LeaveGuard({ isDirty, asks }: { isDirty: () => boolean; asks: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty() &&
      currentLocation.pathname + currentLocation.search !== nextLocation.pathname + nextLocation.search &&
      // The theme switch posts there and comes back: nothing is left.
      nextLocation.pathname !== paths.theme() &&
      // Who throws the work away was asked by the form itself.
      !(nextLocation.state as typeof START_OVER | null)?.startOver,
  );
  useBeforeUnload(
    useCallback(
      (event) => {
        if (asks) event.preventDefault();
      },
      [asks],
    ),
  );
  useEffect(() => {
    if (blocker.state === "blocked") dialog.current?.showModal();
  }, [blocker.state]);
  if (blocker.state !== "blocked") return null;
  return (
    <dialog
      ref={dialog}
      aria-labelledby="sair-titulo"
      onCancel={() => blocker.reset()}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-box border border-base-300 bg-base-100 p-6 text-base-content shadow-xl backdrop:bg-black/40"
    >
      <h2 id="sair-titulo" className="font-semibold text-lg">
        Sair sem salvar?
      </h2>
      <p className="mt-2 text-base-content/80 text-sm">
        O que você mudou aqui ainda não foi salvo e será perdido.
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <button type="button" className="btn min-h-11" onClick={() => blocker.reset()}>
          Continuar editando
        </button>
        <button type="button" className="btn btn-error min-h-11" onClick={() => blocker.proceed()}>
          Sair sem salvar
        </button>
      </div>
    </dialog>
  );
}
