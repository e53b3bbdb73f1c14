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
import { isStartingOver } from "#app/ui/seller/form/save-conflict.tsx";

/** Whether a navigation leaves the unsaved work. */
export type LeavesWork = (here: Location, next: Location) => boolean;

/** Work that would be lost: by which navigations, and the texts of the warning. */
type Work = { leaves?: LeavesWork | undefined; texts?: typeof TYPED };

/** The unsaved work of a page, by the ids of its forms. */
type Unsaved = { has: (id: string) => boolean; report: (id: string, work: Work | null) => void };

const TYPED = {
  title: "Sair sem salvar?",
  text: "O que você mudou aqui ainda não foi salvo e será perdido.",
  stay: "Continuar editando",
  leave: "Sair sem salvar",
};

/** For work that is only left by changing more of the URL than these parameters. */
export function leavesUnlessOnly(parameters: string[]): LeavesWork {
  const rest = ({ pathname, search }: Location) => {
    const query = new URLSearchParams(search);
    for (const name of parameters) query.delete(name);
    return `${pathname}?${query}`;
  };
  return (here, next) => rest(here) !== rest(next);
}

const leavesPage = leavesUnlessOnly([]);

/**
 * For state that must be current before anybody can click: a late effect would still consider a form unsaved when the page
 * already says that it was saved. On the server React would warn about the layout effect.
 */
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

const UnsavedContext = createContext<Unsaved>({ has: () => false, report: () => {} });
export const useUnsaved = () => useContext(UnsavedContext);

/** Wraps all pages of the dashboard: the router allows only one blocker. */
export function UnsavedWork({ children }: { children: ReactNode }) {
  const dirty = useRef(new Map<string, Work>());
  const [isAny, setIsAny] = useState(false);
  const unsaved = useMemo(
    () => ({
      has: (id: string) => dirty.current.has(id),
      report: (id: string, work: Work | null) => {
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
      <LeaveGuard dirty={dirty.current} isDirty={isAny} />
    </UnsavedContext.Provider>
  );
}

/** Reports to the guard whether the form `id` has unsaved work, while it is mounted. */
export function useReportUnsaved(id: string, dirty: boolean, { leaves, texts }: Work = {}): void {
  const { report } = useUnsaved();
  useBeforePaint(() => {
    report(id, dirty ? { leaves, ...(texts && { texts }) } : null);
    return () => report(id, null);
  }, [report, id, dirty, leaves, texts]);
}

/**
 * Asks for confirmation before unsaved work is left, for another page or another tab: with our dialog inside the dashboard,
 * else with the browser's.
 */
function LeaveGuard({ dirty, isDirty }: { dirty: Map<string, Work>; isDirty: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const here = useLocation();
  const leftBy = (from: Location, to: Location) =>
    [...dirty]
      // The form that starts over has already asked for confirmation.
      .filter(([id, { leaves = leavesPage }]) => !isStartingOver(to.state, id) && leaves(from, to))
      .map(([, work]) => work);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      leftBy(currentLocation, nextLocation).length > 0 &&
      // The theme switch posts there and returns: nothing is left.
      nextLocation.pathname !== paths.theme(),
  );
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isDirty) event.preventDefault();
      },
      [isDirty],
    ),
  );
  useEffect(() => {
    if (blocker.state === "blocked") dialog.current?.showModal();
  }, [blocker.state]);
  if (blocker.state !== "blocked") return null;
  const left = leftBy(here, blocker.location);
  const texts = left.every(({ texts }) => texts) ? (left[0]?.texts ?? TYPED) : TYPED;
  return (
    <dialog
      ref={dialog}
      aria-labelledby="sair-titulo"
      onCancel={() => blocker.reset()}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-box border border-base-300 bg-base-100 p-6 text-base-content shadow-xl backdrop:bg-black/40"
    >
      <h2 id="sair-titulo" className="font-semibold text-lg">
        {texts.title}
      </h2>
      <p className="mt-2 text-base-content/80 text-sm">{texts.text}</p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <button type="button" className="btn min-h-11" onClick={() => blocker.reset()}>
          {texts.stay}
        </button>
        <button type="button" className="btn btn-error min-h-11" onClick={() => blocker.proceed()}>
          {texts.leave}
        </button>
      </div>
    </dialog>
  );
}
