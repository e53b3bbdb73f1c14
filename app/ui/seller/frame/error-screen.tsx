import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";

/** Shown in place of a page that failed. `text` is a refusal's own message, `home` the link of its frame. */
export function ErrorScreen(props: {
  missing: boolean;
  text?: string | undefined;
  home?: string | undefined;
}) {
  const { pathname, search } = useLocation();
  const first = firstPage(useRouteError(), search);
  return (
    <div className="mx-auto flex max-w-md flex-col justify-center gap-4 py-16 in-[#conteudo]:mx-0 in-[#conteudo]:py-6">
      <h1 className="font-semibold text-2xl tracking-tight">{errorTitle(props.missing)}</h1>
      <p className="text-base-content/80">
        {props.text ??
          (props.missing
            ? "O endereço não existe ou o item não é seu."
            : "Não conseguimos mostrar esta página. Tente de novo em alguns instantes.")}
      </p>
      <div className="flex flex-wrap gap-3">
        {!props.missing && (
          // Loads a document: the current URL, or the beginning of the list where that is no page of it.
          <a className="btn btn-primary min-h-11" href={pathname + (first ?? search)}>
            {first === null ? "Tentar de novo" : "Ver a primeira página"}
          </a>
        )}
        <a className={`btn min-h-11 ${props.missing ? "btn-primary" : ""}`} href={props.home ?? paths.home()}>
          Voltar ao início
        </a>
      </div>
    </div>
  );
}

/** The query of a list's first page, where its address was refused as naming another; null otherwise. */
function firstPage(error: unknown, search: string): string | null {
  const query = new URLSearchParams(search);
  if (!isRouteErrorResponse(error) || error.status !== 400 || !(query.has("before") || query.has("after")))
    return null;
  query.delete("before");
  query.delete("after");
  return query.size > 0 ? `?${query}` : "";
}

/** The document's title while a page's error is shown. */
export function errorPageTitle(error: unknown): string {
  return `${errorTitle(isMissing(error))} · Checkintelli`;
}

/** Whether a page's error is that there is no such page, or none for this seller. */
export function isMissing(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404;
}

/** A refusal's own message, shown in place of the general one. Messages of 404 and 405 are Remix's, in English. */
export function refusalText(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error) || error.status === 404 || error.status === 405) return undefined;
  return typeof error.data === "string" && error.data !== "" ? error.data : undefined;
}

function errorTitle(missing: boolean): string {
  return missing ? "Página não encontrada" : "Algo deu errado";
}
