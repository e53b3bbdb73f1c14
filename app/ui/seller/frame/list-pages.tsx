import { Link } from "@remix-run/react";
import { ChevronLeft, ChevronRight } from "lucide-react";

/** Links to the newer and the older page of a list of cards; nothing if there is only one page. */
export function ListPages({ newer, older }: { newer: string | null; older: string | null }) {
  if (!newer && !older) return null;
  return (
    <nav aria-label="Páginas" className="mt-6 flex justify-between gap-2">
      {newer ? (
        <Link to={newer} className="btn min-h-11 border-base-300 bg-base-100" rel="prev">
          <ChevronLeft className="size-4" aria-hidden="true" />
          Mais recentes
        </Link>
      ) : (
        <span />
      )}
      {older && (
        <Link to={older} className="btn min-h-11 border-base-300 bg-base-100" rel="next">
          Mais antigos
          <ChevronRight className="size-4" aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
