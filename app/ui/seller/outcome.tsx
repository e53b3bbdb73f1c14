import { useLocation, useNavigation } from "@remix-run/react";
import { X } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/**
 * A message that an action left for the page it redirected to. Another `id` is another message, even with the same text.
 */
export type Flash = { id: string; tone: "success" | "error"; text: string };

const SlotContext = createContext<HTMLElement | null>(null);

/**
 * Shows the result of the page's latest action, visible at any scroll position. It is rendered before it has content, so
 * that messages are announced. Wraps its page.
 */
export function OutcomeSlot(props: { flash: Flash | null; top: string; children: ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const { flash, hide } = useNewest(props.flash);
  return (
    <SlotContext.Provider value={slot}>
      <div ref={setSlot} role="status" aria-live="polite" className={`sticky z-15 ${props.top}`}>
        {flash && <Strip key={flash.id} tone={flash.tone} text={flash.text} onClose={hide} />}
      </div>
      {props.children}
    </SlotContext.Provider>
  );
}

/**
 * Shows the message of a page's reply in that slot. Before JavaScript runs it is shown in place: render it at the top of
 * the page. `about` is the reply: another one is announced again.
 */
export function Outcome(props: {
  about: object;
  tone: "success" | "error";
  text?: string;
  children?: ReactNode;
}) {
  const slot = useContext(SlotContext);
  const [closed, setClosed] = useState<object | null>(null);
  const { formData, formAction } = useNavigation();
  if (closed === props.about || isAnother(formData, formAction)) return null;
  const strip = (
    <Strip tone={props.tone} text={props.text} onClose={() => setClosed(props.about)}>
      {props.children}
    </Strip>
  );
  return slot ? createPortal(strip, slot) : <div className="sticky top-18 z-15">{strip}</div>;
}

function Strip(props: {
  tone: "success" | "error";
  text?: string | undefined;
  children?: ReactNode;
  onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // A saved form is refilled after this, and its field with the focus is gone: the keyboard would be at the page's top.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role={props.tone === "error" ? "alert" : undefined}
      // On a wide screen it covers the title of a sticky header, and leaves the buttons at the right.
      className="mb-6 rounded-box bg-base-100 shadow-md outline-none lg:w-fit lg:max-w-md"
    >
      <Alert tone={props.tone} live={false}>
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            {props.text}
            {props.children}
          </div>
          <Scripted>
            <button
              type="button"
              className="btn btn-ghost btn-square -my-3 -mr-3 size-11 shrink-0"
              onClick={props.onClose}
            >
              <X className="size-4" aria-hidden="true" />
              <span className="sr-only">Fechar aviso</span>
            </button>
          </Scripted>
        </div>
      </Alert>
    </div>
  );
}

/** A message is outdated once another action began, or another page is shown; not if a page's data were only reloaded. */
function useNewest(loaded: Flash | null) {
  const [over, setOver] = useState<string | null>(null);
  const { pathname, key: visit } = useLocation();
  const { formData, formAction } = useNavigation();
  const latest = useRef<{ flash: Flash; pathname: string; visit: string } | null>(null);
  if (loaded) {
    const isNew = latest.current?.flash.id !== loaded.id;
    latest.current = { flash: loaded, pathname: isNew ? pathname : latest.current!.pathname, visit };
  }
  const flash = latest.current?.visit === visit ? latest.current.flash : null;
  const hasLeftPage = latest.current !== null && latest.current.pathname !== pathname;
  const began = isAnother(formData, formAction);
  useEffect(() => {
    if (flash && (began || hasLeftPage)) setOver(flash.id);
  }, [flash, began, hasLeftPage]);
  const hide = () => flash && setOver(flash.id);
  return { flash: flash && flash.id !== over && !began && !hasLeftPage ? flash : null, hide };
}

/** The theme switch is no action with a message. */
function isAnother(formData: FormData | undefined, formAction: string | undefined): boolean {
  return formData !== undefined && formAction?.split("?")[0] !== paths.theme();
}
