import type { ReactNode } from "react";

/** A figure of a report, with what it means; `children` stand between, as how it changed does. */
export function Figure(props: { label: string; value: string; meaning: string; children?: ReactNode }) {
  return (
    <div className="rounded-box border border-base-300 bg-base-100 p-5">
      <dt className="text-base-content/70 text-sm">{props.label}</dt>
      <dd className="mt-1 font-semibold text-2xl tabular-nums tracking-tight">{props.value}</dd>
      {props.children}
      <dd className="mt-2 text-base-content/70 text-xs">{props.meaning}</dd>
    </div>
  );
}
