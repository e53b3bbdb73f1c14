import type { MouseEvent } from "react";

/** For a form with tabs: opens the tab of the field that an error summary's link points at. */
export function openTabOf(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a[href^="#"]');
  const field = link && document.getElementById(link.getAttribute("href")!.slice(1));
  const panel = field?.closest(".tab-panels > section");
  if (!field || !panel) return;
  event.preventDefault();
  const at = [...panel.parentElement!.children].indexOf(panel);
  const radio = panel.closest(".form-tabs")!.querySelectorAll<HTMLInputElement>(".tab-list input")[at];
  if (radio) radio.checked = true;
  field.focus();
}
