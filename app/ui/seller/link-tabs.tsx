import { Link } from "@remix-run/react";

/** Tabs that are separate pages: plain links. */
export function LinkTabs(props: {
  label: string;
  current: string;
  tabs: { id: string; label: string; href: string }[];
}) {
  return (
    <nav aria-label={props.label} className="mb-4 sm:mb-6">
      {/* On a phone all of them are visible: users miss tabs beyond an edge. */}
      <div className="flex flex-wrap gap-1 border-base-300 sm:border-b">
        {props.tabs.map((tab) => (
          <Link
            key={tab.id}
            to={tab.href}
            preventScrollReset
            aria-current={tab.id === props.current ? "page" : undefined}
            className="-mb-px wrap-anywhere inline-flex min-h-11 items-center text-base-content/75 text-sm hover:text-base-content aria-[current=page]:font-semibold aria-[current=page]:text-base-content max-sm:rounded-field max-sm:bg-base-100 max-sm:px-3 max-sm:aria-[current=page]:bg-primary/10 sm:border-transparent sm:border-b-2 sm:px-3 sm:aria-[current=page]:border-primary"
          >
            {tab.label}
          </Link>
        ))}
      </div>
    </nav>
  );
}
