import { Link } from "@remix-run/react";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** A list item that links to a screen: its name with a badge, and lines of text below. */
export function LinkRow(props: { to: string; name: string; badge?: ReactNode; children?: ReactNode }) {
  return (
    <li>
      <Link to={props.to} className="flex min-h-16 items-center gap-3 px-5 py-4 hover:bg-base-200">
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="wrap-anywhere min-w-0 font-medium">{props.name}</span>
            {props.badge}
          </span>
          {props.children}
        </span>
        <ChevronRight className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
      </Link>
    </li>
  );
}

/** A line of text below a row's name; `small` for less important text. */
export function RowText({ small = false, children }: { small?: boolean; children: ReactNode }) {
  return (
    <span className={`wrap-anywhere block text-base-content/70 ${small ? "mt-1 text-xs" : "mt-0.5 text-sm"}`}>
      {children}
    </span>
  );
}
