import { type ReactNode, useId } from "react";

/** A box with an optional header; `flush` removes the padding, for lists and tables. */
export function Card(props: {
  /** Where links lead. */
  id?: string;
  title?: string;
  text?: string;
  /** A state, beside the title. */
  badge?: ReactNode;
  action?: ReactNode;
  flush?: boolean;
  /** A landmark named by its title: for cards with the same buttons as others beside them. */
  isRegion?: boolean;
  className?: string;
  children?: ReactNode;
}) {
  const titleId = useId();
  return (
    <section
      id={props.id}
      aria-labelledby={props.isRegion ? titleId : undefined}
      className={`rounded-box border border-base-300 bg-base-100 ${props.className ?? ""}`}
    >
      {props.title && (
        <div className="px-5 pt-5">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <div className="flex min-w-0 flex-1 basis-24 flex-wrap items-center gap-x-2 gap-y-1">
              <h2 id={props.isRegion ? titleId : undefined} className="min-w-0 font-semibold">
                {props.title}
              </h2>
              {props.badge}
            </div>
            {props.action && <div className="ml-auto">{props.action}</div>}
          </div>
          {props.text && <p className="mt-1 text-base-content/70 text-sm">{props.text}</p>}
        </div>
      )}
      <div className={props.flush ? "pt-4" : props.children ? "p-5" : "pb-5"}>{props.children}</div>
    </section>
  );
}

/** A term with its value, in a list of such: the parent is a `dl` of two columns. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-base-content/70">{name}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </>
  );
}

/** A value below its name, in a `dl`. */
export function Item({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-base-content/70 text-xs">{label}</dt>
      <dd className="mt-0.5 break-words">{children}</dd>
    </div>
  );
}
