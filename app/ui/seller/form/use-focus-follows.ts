import { type RefObject, useEffect, useRef } from "react";

/**
 * For what is opened for editing on its page: its first field takes the focus, and what `data-opens` it takes it back. Give the
 * box around both the ref.
 */
export function useFocusFollows<T extends HTMLElement>(isOpen: boolean): RefObject<T> {
  const box = useRef<T>(null);
  const was = useRef(isOpen);
  useEffect(() => {
    if (was.current === isOpen) return;
    was.current = isOpen;
    const field = "input:not([type=hidden]), textarea, select";
    if (isOpen) box.current?.querySelector<HTMLElement>(field)?.focus();
    else if (document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>("[data-opens]")?.focus({ preventScroll: true });
  }, [isOpen]);
  return box;
}
