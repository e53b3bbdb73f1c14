import { useLocation, useNavigate } from "@remix-run/react";
import { Keyboard, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/** Pages that `g` and a letter lead to. */
const TARGETS = [
  { letter: "d", label: "Dashboard", to: paths.dashboard() },
  { letter: "p", label: "Produtos", to: paths.products() },
  { letter: "c", label: "Checkout", to: paths.checkoutCustomization() },
  { letter: "o", label: "Página de obrigado", to: paths.thankYouCustomization() },
  { letter: "r", label: "Relatórios", to: paths.reports() },
  { letter: "i", label: "Integrações", to: paths.integrations() },
  { letter: "s", label: "Configurações", to: paths.settings() },
];

/** How long `g` waits for its letter. */
const PATIENCE = 1.5 * SECOND;

/**
 * The dashboard's keyboard shortcuts, and the dialog that lists them. Disabled while the user types, a dialog is open, or a
 * modifier is held: keys of screen readers and browsers have priority.
 */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  const announcement = useShortcuts(() => dialog.current?.showModal());
  return (
    <>
      <Scripted>
        <button
          type="button"
          title="Atalhos do teclado (?)"
          aria-keyshortcuts="?"
          className="btn btn-ghost btn-square hidden size-11 lg:inline-flex"
          onClick={() => dialog.current?.showModal()}
        >
          <Keyboard className="size-5" aria-hidden="true" />
          <span className="sr-only">Atalhos do teclado</span>
        </button>
      </Scripted>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <dialog
        ref={dialog}
        aria-labelledby="atalhos-titulo"
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-box border border-base-300 bg-base-100 p-6 text-base-content shadow-xl backdrop:bg-black/40"
      >
        <div className="flex items-start justify-between gap-3">
          <h2 id="atalhos-titulo" className="font-semibold text-lg">
            Atalhos do teclado
          </h2>
          <button
            type="button"
            className="btn btn-ghost btn-square -mt-2 -mr-2 size-11"
            onClick={() => dialog.current?.close()}
          >
            <X className="size-5" aria-hidden="true" />
            <span className="sr-only">Fechar</span>
          </button>
        </div>
        <dl className="mt-3 divide-y divide-base-300 text-sm">
          <Row label="Buscar nesta tela, ou nos produtos" keys={["/"]} />
          {TARGETS.map(({ letter, label }) => (
            <Row key={letter} label={label} keys={["g", letter]} />
          ))}
          <Row label="Ver estes atalhos" keys={["?"]} />
        </dl>
        <p className="mt-3 text-base-content/70 text-xs">
          Enquanto você digita num campo, eles não fazem nada.
        </p>
      </dialog>
    </>
  );
}

function Row({ label, keys }: { label: string; keys: string[] }) {
  return (
    <div className="flex items-center justify-between gap-4 py-2.5">
      <dt>{label}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <kbd key={key} className="kbd kbd-sm font-mono">
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}

/** @returns what the last shortcut did, to be announced */
function useShortcuts(showKeys: () => void): string {
  const navigate = useNavigate();
  const [announcement, setAnnouncement] = useState("");
  const show = useRef(showKeys);
  show.current = showKeys;
  const wantsSearch = useRef(false);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page with the search field is there now.
  useEffect(() => {
    if (wantsSearch.current) wantsSearch.current = !focusSearch();
  }, [key]);
  useEffect(() => {
    let goingSince = 0;
    const onKey = (event: KeyboardEvent) => {
      const isFree = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !event.repeat;
      if (event.defaultPrevented || !isFree || isBusy(event.target)) return;
      const going = Date.now() - goingSince < PATIENCE;
      goingSince = 0;
      const match = going && TARGETS.find(({ letter }) => letter === event.key.toLowerCase());
      if (match) {
        setAnnouncement(`Abrindo ${match.label}`);
        navigate(match.to);
      } else if (event.key === "g") {
        goingSince = Date.now();
        return;
      } else if (event.key === "/") {
        wantsSearch.current = !focusSearch();
        if (wantsSearch.current) navigate(paths.products());
      } else if (event.key === "?") show.current();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate]);
  return announcement;
}

/** Whether a key belongs to its target: a field, or a dialog over the page. */
function isBusy(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null;
  const types = element?.closest("input, textarea, select, [contenteditable]");
  const isBox = types instanceof HTMLInputElement && /^(checkbox|radio|button|submit)$/.test(types.type);
  return (types && !isBox) || document.querySelector("dialog[open], dialog:popover-open") !== null;
}

/** @returns whether the page has one */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
