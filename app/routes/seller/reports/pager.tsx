import { Link, useSearchParams } from "@remix-run/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { paths } from "#app/kit/paths.ts";

/** Links to the newer and the older page of a list; nothing if there is only one page. */
export function Pager({ newer, older }: { newer: string | null; older: string | null }) {
  const [query] = useSearchParams();
  if (!newer && !older) return null;
  const to = (side: "before" | "after", cursor: string) => {
    const next = new URLSearchParams(query);
    next.delete("before");
    next.delete("after");
    next.set(side, cursor);
    return paths.reports(next.toString());
  };
  return (
    <nav aria-label="Páginas" className="flex justify-between gap-2 border-base-300 border-t px-3 py-2">
      {newer ? (
        <Link to={to("after", newer)} preventScrollReset className="btn btn-ghost min-h-11">
          <ChevronLeft className="size-4" aria-hidden="true" />
          Mais recentes
        </Link>
      ) : (
        <span />
      )}
      {older && (
        <Link to={to("before", older)} preventScrollReset className="btn btn-ghost min-h-11">
          Mais antigas
          <ChevronRight className="size-4" aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
