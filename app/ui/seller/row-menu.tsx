import { useLocation } from "@remix-run/react";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

/** What can be done to a row of a list. A native disclosure: it opens before and without JavaScript. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen in it is done.
  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [key]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (details.current?.open && !details.current.contains(target as Node)) details.current.open = false;
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
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

/** How a link or button in it looks. */
export const MENU_ITEM = "btn btn-ghost min-h-11 w-full justify-start font-normal";
