import { useLocation } from "@remix-run/react";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

/** The actions of a list's row. A native disclosure: it opens before and without JavaScript. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes after an action.
  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [key]);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (details.current?.open && !details.current.contains(target as Node)) details.current.open = false;
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, []);
  return (
    <details
      ref={details}
      className="relative inline-block text-left"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !details.current?.open) return;
        details.current.open = false;
        details.current.querySelector("summary")?.focus();
      }}
    >
      <summary className="btn btn-ghost btn-square size-11 list-none [&::-webkit-details-marker]:hidden">
        <Ellipsis className="size-5" aria-hidden="true" />
        <span className="sr-only">{label}</span>
      </summary>
      <div className="absolute top-full right-0 z-10 flex min-w-48 flex-col rounded-box border border-base-300 bg-base-100 p-1 shadow-lg">
        {children}
      </div>
    </details>
  );
}

/** Styles of a link or button in it. */
export const MENU_ITEM = "btn btn-ghost min-h-11 w-full justify-start font-normal";
