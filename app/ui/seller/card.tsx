import type { ReactNode } from "react";

/** A box with an optional head; `flush` lets lists and tables reach its edges. */
export function Card(props: {
  title?: string;
  text?: string;
  action?: ReactNode;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={`rounded-box border border-base-300 bg-base-100 ${props.className ?? ""}`}>
      {props.title && (
        <div
          className={`flex flex-wrap ${props.text ? "items-start" : "items-center"} justify-between gap-3 px-5 pt-5`}
        >
          <div className="min-w-0">
            <h2 className="font-semibold">{props.title}</h2>
            {props.text && <p className="mt-1 text-base-content/70 text-sm">{props.text}</p>}
          </div>
          {props.action}
        </div>
      )}
      <div className={props.flush ? "pt-4" : "p-5"}>{props.children}</div>
    </section>
  );
}
