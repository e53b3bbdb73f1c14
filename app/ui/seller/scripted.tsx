import type { ReactNode } from "react";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/**
 * Controls that need JavaScript. They take up their space from the start and are shown once they work, so that the layout
 * does not shift under a click. Where scripts are disabled they take none.
 * @param plain shown in their place without JavaScript
 */
export function Scripted({ plain, children }: { plain?: ReactNode; children: ReactNode }) {
  const hydrated = useHydrated();
  return (
    <>
      {plain && <Plain>{plain}</Plain>}
      <span className={hydrated ? "contents" : "until-scripts contents"}>{children}</span>
    </>
  );
}

/** Content that is only useful without JavaScript: it also appears after some seconds if the script does not load. */
export function Plain({ children }: { children: ReactNode }) {
  return useHydrated() ? null : <span className="unless-scripts contents">{children}</span>;
}
