import { useNavigation } from "@remix-run/react";

/** A thin bar at the top while the next page loads; delayed, so that fast pages do not flicker. */
export function ProgressBar() {
  const busy = useNavigation().state !== "idle";
  return (
    <div className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden" aria-hidden="true">
      {busy && <div className="progress-bar h-full bg-primary" />}
    </div>
  );
}
