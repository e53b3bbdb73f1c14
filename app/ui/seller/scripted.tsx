import type { ReactNode } from "react";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/**
 * Controls that are nothing without JavaScript. They have their room from the first moment and are seen once they work, so that
 * nothing moves under the hand of whoever presses something just then. Where no script runs they take none.
 * @param plain what stands in their place without JavaScript
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

/** What is of use without JavaScript alone: it comes after some seconds, too, where the script does not. */
export function Plain({ children }: { children: ReactNode }) {
  return useHydrated() ? null : <span className="unless-scripts contents">{children}</span>;
}
