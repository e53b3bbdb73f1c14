import type { ReactNode } from "react";

export type BadgeTone = "success" | "warning" | "error" | "info" | "neutral";
const TONE_CLASSES: Record<BadgeTone, string> = {
  success: "bg-success/15 text-success",
  warning: "bg-warning/30 text-base-content",
  error: "bg-error/15 text-error",
  info: "bg-info/15 text-base-content",
  neutral: "bg-base-200 text-base-content/80",
};

/** A state in a word; the colour only repeats it. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center whitespace-nowrap rounded-full px-2.5 py-0.5 font-medium text-xs ${TONE_CLASSES[tone]}`}
    >
      {children}
    </span>
  );
}
