import type { ReactNode } from "react";

/** A figure of a report with its meaning; `more` is shown between them, for example its change. */
type Figure = { label: string; value: string; meaning: string; more?: ReactNode };

/** A report's figures: on a phone in two columns, with their meanings collapsed below all of them. */
export function Figures({ items, wide }: { items: Figure[]; wide?: boolean }) {
  return (
    <div>
      <dl className={`grid grid-cols-2 gap-3 sm:gap-4 ${wide ? "" : "xl:grid-cols-4"}`}>
        {items.map(({ label, value, meaning, more }) => (
          <div key={label} className="rounded-box border border-base-300 bg-base-100 p-3.5 sm:p-5">
            <dt className="text-base-content/70 text-sm">{label}</dt>
            <dd
              className={`mt-1 whitespace-nowrap font-semibold tabular-nums tracking-tight sm:text-2xl ${value.length > 14 ? "text-sm" : value.length > 11 ? "text-base" : "text-lg"}`}
            >
              {value}
            </dd>
            {more}
            <dd className="mt-2 text-base-content/70 text-xs max-sm:hidden">{meaning}</dd>
          </div>
        ))}
      </dl>
      <details className="sm:hidden">
        <summary className="flex min-h-11 cursor-pointer items-center text-sm underline">
          O que cada número conta
        </summary>
        <ul className="mb-2 flex flex-col gap-2 text-base-content/80 text-sm">
          {items.map(({ label, meaning }) => (
            <li key={label}>
              <b className="font-medium">{label}:</b> {meaning}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
