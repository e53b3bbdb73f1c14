import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Reloads a page's data every `intervalMs` while something outside of it is going on, and the page is in sight. */
export function useRecheck(isGoingOn: boolean, intervalMs: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(() => document.visibilityState === "visible" && revalidate(), intervalMs);
    return () => clearInterval(timer);
  }, [isGoingOn, intervalMs, revalidate]);
}
