import { useNavigate, useRouteLoaderData, useSearchParams } from "@remix-run/react";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import { useBeforePaint } from "#app/ui/seller/form/unsaved-work.tsx";
import { type Flash, OutcomeSlot } from "#app/ui/seller/outcome.tsx";

/**
 * The dialog of a sale opened over the list; closing it, also with Escape, goes back to the list's URL. It is open as long
 * as its URL is current: a seller who chooses to stay with unsaved work still sees it.
 */
export function SaleDialog({ children }: { children: ReactNode }) {
  const flash = useRouteLoaderData<{ flash: Flash | null }>("routes/seller/layout")?.flash;
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const [query] = useSearchParams();
  // Still in the document when it closes: the browser returns the focus to the row's link that opened it.
  useBeforePaint(() => {
    const box = dialog.current;
    box?.showModal();
    return () => box?.close();
  }, []);
  const leave = () => {
    const list = new URLSearchParams(query);
    list.delete("edit");
    list.delete("confirm");
    navigate(paths.reports(list.toString()), { preventScrollReset: true, replace: true });
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="venda-titulo"
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        leave();
      }}
      onClose={(event) => {
        if (event.target !== dialog.current) return;
        // Browsers close a dialog on a second Escape without the cancel event.
        dialog.current.showModal();
        leave();
      }}
      className="m-auto max-h-[calc(100dvh-1rem)] w-[calc(100%-1rem)] max-w-3xl overflow-y-auto rounded-box border border-base-300 bg-base-200 p-4 text-base-content shadow-xl backdrop:bg-black/50 sm:p-6"
    >
      <button type="button" className="btn btn-ghost btn-square float-right size-11" onClick={leave}>
        <X className="size-5" aria-hidden="true" />
        <span className="sr-only">Fechar</span>
      </button>
      <OutcomeSlot flash={flash ?? null} top="top-0">
        {children}
      </OutcomeSlot>
    </dialog>
  );
}
