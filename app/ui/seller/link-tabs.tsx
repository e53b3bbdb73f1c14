import { Link } from "@remix-run/react";

/** The tabs of a page whose tabs are separate things: plain links. */
export function LinkTabs(props: {
  label: string;
  current: string;
  tabs: { id: string; label: string; href: string }[];
}) {
  return (
    <nav aria-label={props.label} className="-mx-4 mb-6 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <div className="flex min-w-max border-base-300 border-b">
        {props.tabs.map((tab) => (
          <Link
            key={tab.id}
            to={tab.href}
            preventScrollReset
            aria-current={tab.id === props.current ? "page" : undefined}
            className="-mb-px inline-flex min-h-11 items-center border-transparent border-b-2 px-1.5 text-base-content/75 sm:mr-1 sm:px-3 text-sm hover:text-base-content aria-[current=page]:border-primary aria-[current=page]:font-semibold aria-[current=page]:text-base-content"
          >
            {tab.label}
          </Link>
        ))}
      </div>
    </nav>
  );
}
