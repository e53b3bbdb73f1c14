import { type ReactNode, useEffect, useRef } from "react";

export type FormTab = { id: string; label: string; hasError?: boolean; content: ReactNode };

/**
 * The tabs of one form: radios that the stylesheet (seller.css, `.form-tabs`) displays as tabs, so they work without
 * JavaScript and every panel is posted. At most eight; `side` puts them left of their panels on wide screens. The first tab
 * with an error opens by itself; `opened` is the tab that was open when the form was posted (its value is posted under
 * `name`).
 */
export function FormTabs(props: {
  name?: string;
  label: string;
  tabs: FormTab[];
  opened?: string | undefined;
  side?: boolean;
}) {
  const name = props.name ?? "tab";
  const list = useRef<HTMLDivElement>(null);
  const wrong = props.tabs.find((tab) => tab.hasError)?.id;
  const first = wrong ?? props.tabs.find((tab) => tab.id === props.opened)?.id ?? props.tabs[0]!.id;
  useEffect(() => {
    if (!wrong) return;
    for (const radio of list.current?.querySelectorAll("input") ?? []) radio.checked = radio.value === wrong;
  }, [wrong]);
  return (
    <div className={props.side ? "form-tabs form-tabs-side" : "form-tabs"}>
      <div ref={list} role="radiogroup" aria-label={props.label} className="tab-list">
        {props.tabs.map((tab) => (
          <label key={tab.id}>
            <input
              type="radio"
              name={name}
              value={tab.id}
              defaultChecked={tab.id === first}
              className="sr-only"
            />
            {tab.label}
            {tab.hasError && (
              <span className="ml-1.5 text-error">
                <span aria-hidden="true">●</span>
                <span className="sr-only"> (com erro)</span>
              </span>
            )}
          </label>
        ))}
      </div>
      <div className="tab-panels">
        {props.tabs.map((tab) => (
          <section key={tab.id} aria-label={tab.label}>
            {tab.content}
          </section>
        ))}
      </div>
    </div>
  );
}
