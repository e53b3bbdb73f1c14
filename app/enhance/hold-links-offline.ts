import { whenReachable } from "#app/enhance/when-reachable.ts";

/**
 * Holds links while offline, where the browser's error page would replace this one. They are followed once the network
 * is back.
 */
export function holdLinksOffline(): void {
  let next = "";
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    // Fragments of this page and other programs' links need no network.
    if (navigator.onLine || !/^http/.test(link?.href ?? "") || link!.href.startsWith(`${location.href}#`))
      return;
    event.preventDefault();
    if (!next) {
      const alert = makeAlert("offline", "Sem conexão. Abrimos a página assim que a internet voltar.");
      document.body.append(alert);
      whenReachable(() => {
        alert.remove();
        location.assign(next);
        next = "";
      });
    }
    next = link!.href;
  });
}

/** A message that is read out at once. @param classes further ones, as in `is-error` */
export function makeAlert(classes: string, text: string): HTMLElement {
  const alert = document.createElement("p");
  alert.className = `alert ${classes}`;
  alert.setAttribute("role", "alert");
  alert.textContent = text;
  return alert;
}
