import { useLocation, useNavigation } from "@remix-run/react";
import { X } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { paths } from "#app/kit/paths.ts";
import { Notice } from "#app/ui/seller/notice.tsx";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/** What an action that led on to a page left for it to say. Another `id` is another saying, whatever its words. */
export type Flash = { id: string; tone: "success" | "error"; text: string };

const Place = createContext<HTMLElement | null>(null);

/**
 * The one place where a page says what became of an action: in sight wherever the page is scrolled to, the newest alone.
 * It is there before it says anything, so that what it says is read out. Stands around its page.
 */
export function OutcomePlace(props: { flash: Flash | null; top: string; children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const { flash, hide } = useNewest(props.flash);
  return (
    <Place.Provider value={place}>
      <div ref={setPlace} role="status" aria-live="polite" className={`sticky z-10 ${props.top}`}>
        {flash && <Strip key={flash.id} tone={flash.tone} text={flash.text} onClose={hide} takesFocus />}
      </div>
      {props.children}
    </Place.Provider>
  );
}

/**
 * What a page's reply says, at that place. Before there is JavaScript it stands where it is written: give it the top of
 * the page. `about` is the reply: another one is said anew.
 */
export function Outcome(props: {
  about: object;
  tone: "success" | "error";
  text?: string;
  children?: ReactNode;
}) {
  const place = useContext(Place);
  const [closed, setClosed] = useState<object | null>(null);
  const { formData, formAction } = useNavigation();
  if (closed === props.about || isAnother(formData, formAction)) return null;
  const strip = (
    <Strip tone={props.tone} text={props.text} onClose={() => setClosed(props.about)}>
      {props.children}
    </Strip>
  );
  return place ? createPortal(strip, place) : <div className="sticky top-18 z-10">{strip}</div>;
}

function Strip(props: {
  tone: "success" | "error";
  text?: string | undefined;
  children?: ReactNode;
  onClose: () => void;
  takesFocus?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  // The form that was saved is filled anew: who pressed its button by a key would be back at the top of the document.
  useEffect(() => {
    if (props.takesFocus && document.activeElement === document.body)
      box.current?.focus({ preventScroll: true });
  }, [props.takesFocus]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role={props.tone === "error" ? "alert" : undefined}
      className="mb-6 rounded-box bg-base-100 shadow-md outline-none"
    >
      <Notice tone={props.tone} live={false}>
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
      </Notice>
    </div>
  );
}

/** A saying is old once another action began, or another page is shown. */
function useNewest(flash: Flash | null) {
  const [over, setOver] = useState<string | null>(null);
  const { pathname } = useLocation();
  const { formData, formAction } = useNavigation();
  const said = useRef<{ id: string; pathname: string } | null>(null);
  if (flash && said.current?.id !== flash.id) said.current = { id: flash.id, pathname };
  const isLeft = said.current !== null && said.current.pathname !== pathname;
  const began = isAnother(formData, formAction);
  useEffect(() => {
    if (flash && (began || isLeft)) setOver(flash.id);
  }, [flash, began, isLeft]);
  const hide = () => flash && setOver(flash.id);
  return { flash: flash && flash.id !== over && !began && !isLeft ? flash : null, hide };
}

/** The theme switch is no action that anybody waits to hear of. */
function isAnother(formData: FormData | undefined, formAction: string | undefined): boolean {
  return formData !== undefined && formAction?.split("?")[0] !== paths.theme();
}
