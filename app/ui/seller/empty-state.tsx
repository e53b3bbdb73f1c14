import { Link } from "@remix-run/react";
import type { LucideIcon } from "lucide-react";

type Action = { to: string; label: string; isMain?: boolean };

/** Shown in place of an empty list: the reason, and where to go from here. */
export function EmptyState(props: { icon: LucideIcon; title: string; text?: string; action?: Action }) {
  const { icon: Icon, action } = props;
  return (
    <div data-leads-on className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <span className="rounded-full bg-base-200 p-4">
        <Icon className="size-7 text-base-content/70" aria-hidden="true" />
      </span>
      <p className="font-semibold">{props.title}</p>
      {props.text && <p className="max-w-sm text-base-content/70 text-sm">{props.text}</p>}
      {action && (
        <Link to={action.to} className={`btn min-h-11 ${action.isMain ? "btn-primary" : ""}`}>
          {action.label}
        </Link>
      )}
    </div>
  );
}
