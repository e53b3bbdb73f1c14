import { whenReached } from "#app/enhance/when-reached.ts";

/** Links of a page that lost its network: the browser's error page would take its place. They are followed once it is back. */
export function keepPage(): void {
  let next = "";
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    // Another place of this page needs no network, nor do other programs.
    if (navigator.onLine || !/^http/.test(link?.href ?? "") || link!.href.startsWith(`${location.href}#`))
      return;
    event.preventDefault();
    if (!next) {
      const said = document.createElement("p");
      said.className = "alert";
      said.setAttribute("role", "alert");
      said.style.cssText = "position:fixed;inset:auto 1rem 1rem";
      said.textContent = "Sem conexão. Abrimos a página assim que a internet voltar.";
      document.body.append(said);
      whenReached(() => {
        said.remove();
        location.assign(next);
        next = "";
      });
    }
    next = link!.href;
  });
}
