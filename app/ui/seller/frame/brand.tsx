/** The product's logo and name; `compact` hides the name visually where there is no room (a page at 400%). */
export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-[28px] shrink-0" aria-hidden="true">
        <rect width="32" height="32" rx="9" className="fill-primary" />
        <path
          d="M9 16.5l5 5L23.5 11"
          fill="none"
          strokeWidth="3.4"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-primary-content"
        />
      </svg>
      <span className={compact ? "max-[22rem]:sr-only" : undefined}>Checkintelli</span>
    </span>
  );
}
