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
      const alert = document.createElement("p");
      alert.className = "alert";
      alert.setAttribute("role", "alert");
      alert.style.cssText = "position:fixed;inset:auto 1rem 1rem";
      alert.textContent = "Sem conexão. Abrimos a página assim que a internet voltar.";
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
