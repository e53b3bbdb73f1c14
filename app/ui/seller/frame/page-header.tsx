import type { ReactNode } from "react";

/** The head of a page: its one h1, a line of help, and its one primary action, always at the same place. */
export function PageHeader(props: { title: string; text?: string; action?: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="font-semibold text-2xl tracking-tight">{props.title}</h1>
        {props.text && <p className="mt-1 text-base-content/70 text-sm">{props.text}</p>}
      </div>
      {props.action}
    </div>
  );
}
