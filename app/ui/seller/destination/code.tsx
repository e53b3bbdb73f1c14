/** Source code; lines that are too wide scroll, also by keyboard. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a scrolling region must be reachable by keyboard and have a name.
    <pre
      role="region"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
      tabIndex={0}
      className="mt-1 max-h-96 overflow-auto rounded-field bg-base-200 p-3 text-xs"
    >
      {text}
    </pre>
  );
}
