import { Link } from "@remix-run/react";
import { ChevronRight } from "lucide-react";
import type { ComponentProps } from "react";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";

/** One of those who are told: its name and state, `where` it is, what it is told of, and what came last. */
export function DestinationRow(
  props: { to: string; name: string; where: string; told: string; last: string } & ComponentProps<
    typeof StateBadge
  >,
) {
  return (
    <li>
      <Link to={props.to} className="flex min-h-16 items-center gap-3 px-5 py-4 hover:bg-base-200">
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 break-words font-medium">{props.name}</span>
            <StateBadge stopped={props.stopped} failing={props.failing} />
          </span>
          <span className="mt-0.5 block break-all text-base-content/70 text-sm">{props.where}</span>
          <span className="mt-1 block text-base-content/70 text-xs">{props.told}</span>
          <span className="mt-1 block text-base-content/70 text-xs">{props.last}</span>
        </span>
        <ChevronRight className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
      </Link>
    </li>
  );
}

/** `3 eventos`, `1 produto`. */
export function plural(n: number, word: string): string {
  return n === 1 ? `1 ${word}` : `${n} ${word}s`;
}
