import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

type Tone = "success" | "error" | "warning" | "info";
const TONE_STYLES: Record<Tone, { box: string; icon: typeof Info; color: string }> = {
  success: { box: "border-success/40 bg-success/10", icon: CircleCheck, color: "text-success" },
  error: { box: "border-error/40 bg-error/10", icon: CircleAlert, color: "text-error" },
  warning: { box: "border-warning/60 bg-warning/15", icon: TriangleAlert, color: "text-base-content" },
  info: { box: "border-info/40 bg-info/10", icon: Info, color: "text-info" },
};

/**
 * A message in a box. Errors are announced at once (`role="alert"`), others politely. `live={false}` inside a live region.
 */
export function Alert(props: {
  tone: Tone;
  text?: string;
  children?: ReactNode;
  live?: boolean;
  className?: string;
}) {
  const { box, icon: Icon, color } = TONE_STYLES[props.tone];
  const role = props.tone === "error" ? "alert" : "status";
  return (
    <div
      role={props.live === false ? undefined : role}
      className={`flex items-start gap-3 rounded-box border px-4 py-3 text-sm ${box} ${props.className ?? ""}`}
    >
      <Icon className={`mt-0.5 size-4 shrink-0 ${color}`} aria-hidden="true" />
      <div className="min-w-0 flex-1 break-words">
        {props.text}
        {props.children}
      </div>
    </div>
  );
}
