import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Shown in place of an empty list: the reason, and an action. */
export function EmptyState(props: { icon: LucideIcon; title: string; text?: string; action?: ReactNode }) {
  const Icon = props.icon;
  return (
    <div data-leads-on className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <span className="rounded-full bg-base-200 p-4">
        <Icon className="size-7 text-base-content/70" aria-hidden="true" />
      </span>
      <p className="font-semibold">{props.title}</p>
      {props.text && <p className="max-w-sm text-base-content/70 text-sm">{props.text}</p>}
      {props.action}
    </div>
  );
}
