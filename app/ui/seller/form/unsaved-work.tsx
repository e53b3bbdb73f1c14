import { type Location, useBeforeUnload, useBlocker, useLocation } from "@remix-run/react";
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

/** Whether a way to another address leaves the work behind. */
export type IsLeft = (here: Location, next: Location) => boolean;

/** What would be lost: by which ways, and what is said about it before. */
type Work = { isLeft?: IsLeft | undefined; words?: typeof TYPED };

/** The work of a page that is not saved, by the ids of its forms. */
type Unsaved = { has: (id: string) => boolean; tell: (id: string, work: Work | null) => void };

const TYPED = {
  title: "Sair sem salvar?",
  text: "O que você mudou aqui ainda não foi salvo e será perdido.",
  stay: "Continuar editando",
  leave: "Sair sem salvar",
};

/** For work that stays where nothing but these parameters of its address changes. */
export function isSameBut(parameters: string[]): IsLeft {
  const rest = ({ pathname, search }: Location) => {
    const query = new URLSearchParams(search);
    for (const name of parameters) query.delete(name);
    return `${pathname}?${query}`;
  };
  return (here, next) => rest(here) !== rest(next);
}

const isElsewhere = isSameBut([]);

/**
 * For what must be known before anybody can press on what is painted: a late effect would still hold a form for unsaved
 * when the page already says that it was saved. The server, which paints nothing, would warn of the other.
 */
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

const UnsavedContext = createContext<Unsaved>({ has: () => false, tell: () => {} });
export const useUnsaved = () => useContext(UnsavedContext);

/** Stands around all pages of the desk: the router has room for one guard. */
export function UnsavedWork({ children }: { children: ReactNode }) {
  const dirty = useRef(new Map<string, Work>());
  const [isAny, setIsAny] = useState(false);
  const unsaved = useMemo(
    () => ({
      has: (id: string) => dirty.current.has(id),
      tell: (id: string, work: Work | null) => {
        if (work) dirty.current.set(id, work);
        else dirty.current.delete(id);
        setIsAny(dirty.current.size > 0);
      },
    }),
    [],
  );
  return (
    <UnsavedContext.Provider value={unsaved}>
      {children}
      <LeaveGuard dirty={dirty.current} asks={isAny} />
    </UnsavedContext.Provider>
  );
}

/** Tells the guard whether the form `id` holds unsaved work, for as long as it stands. */
export function useTellUnsaved(id: string, dirty: boolean, { isLeft, words }: Work = {}): void {
  const { tell } = useUnsaved();
  useBeforePaint(() => {
    tell(id, dirty ? { isLeft, ...(words && { words }) } : null);
    return () => tell(id, null);
  }, [tell, id, dirty, isLeft, words]);
}

/** Asks before unsaved work is left, for another page or another tab: with our words inside the desk, else with the browser's. */
function LeaveGuard({ dirty, asks }: { dirty: Map<string, Work>; asks: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const here = useLocation();
  const leftBy = (from: Location, to: Location) =>
    [...dirty.values()].filter(({ isLeft = isElsewhere }) => isLeft(from, to));
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      leftBy(currentLocation, nextLocation).length > 0 &&
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
  const left = leftBy(here, blocker.location);
  const words = left.every(({ words }) => words) ? (left[0]?.words ?? TYPED) : TYPED;
  return (
    <dialog
      ref={dialog}
      aria-labelledby="sair-titulo"
      onCancel={() => blocker.reset()}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-box border border-base-300 bg-base-100 p-6 text-base-content shadow-xl backdrop:bg-black/40"
    >
      <h2 id="sair-titulo" className="font-semibold text-lg">
        {words.title}
      </h2>
      <p className="mt-2 text-base-content/80 text-sm">{words.text}</p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <button type="button" className="btn min-h-11" onClick={() => blocker.reset()}>
          {words.stay}
        </button>
        <button type="button" className="btn btn-error min-h-11" onClick={() => blocker.proceed()}>
          {words.leave}
        </button>
      </div>
    </dialog>
  );
}
