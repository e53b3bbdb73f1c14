import type { ReactNode } from "react";

/** Counts down to a moment by a script, which then shows what follows; without it, the time that was left. */
export function ExpiryClock({
  until,
  children,
  className,
  role,
}: {
  until: Date;
  children: (time: ReactNode) => ReactNode;
  className: string;
  role?: "timer";
}) {
  // Rounded up: a page whose script finds none left does not move on.
  const seconds = Math.max(0, Math.ceil((until.getTime() - Date.now()) / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const left = `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
  return (
    <expiry-clock class={className} role={role} data-left={seconds}>
      {children(<time dateTime={until.toISOString()}>{left}</time>)}
    </expiry-clock>
  );
}
