import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { paths } from "#app/kit/paths.ts";

/** Asks before a page with unsaved changes is left: with our words inside the desk, with the browser's own elsewhere. */
export function LeaveGuard({ dirty, where = "neste produto" }: { dirty: boolean; where?: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty &&
      currentLocation.pathname !== nextLocation.pathname &&
      // The theme switch posts there and comes back: nothing is left.
      nextLocation.pathname !== paths.theme(),
  );
  useBeforeUnload(
    useCallback(
      (event) => {
        if (dirty) event.preventDefault();
      },
      [dirty],
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
        O que você mudou {where} ainda não foi salvo e será perdido.
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
