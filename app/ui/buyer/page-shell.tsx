import type { ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";
import { BuyerDocument, type DocumentParts } from "#app/ui/buyer/document.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";

type Failed = { status: number; message: string; requestId?: string };

/** The shell of buyer pages, for server/pages/buyer-page.server.tsx: their document, and their error pages. */
export const BUYER_SHELL = {
  Document: BuyerDocument,
  failure: (failed: Failed): DocumentParts => {
    const isMissing = failed.status === 404 || failed.status === 403;
    const nextLink = isMissing && <a href={paths.findPurchase()}>Já comprou? Encontre a sua compra</a>;
    return failure(failed, titleFor(failed), nextLink);
  },
};

/** Error pages of dashboard URLs without a screen. */
export const SELLER_SHELL = {
  Document: BuyerDocument,
  failure: (failed: Failed): DocumentParts => {
    const title = failed.status === 403 ? "Não é permitido" : titleFor(failed);
    return failure(failed, title, <a href={paths.dashboard()}>Voltar ao painel</a>);
  },
};

/** @param nextLink the link onward */
function failure({ status, message, requestId }: Failed, title: string, nextLink: ReactNode): DocumentParts {
  return {
    title,
    children: (
      <MessagePage icon={status === 404 ? "missing" : "problem"} title={title} text={message}>
        {nextLink}
        {requestId && <p className="fine">Código do problema: {requestId}</p>}
      </MessagePage>
    ),
  };
}

function titleFor({ status, message }: Failed): string {
  if (status === 404)
    return message.startsWith("O produto") ? "Produto não encontrado" : "Página não encontrada";
  if (status === 403) return "Link expirado";
  if (status === 429) return "Aguarde um momento";
  return status === 503 ? "Indisponível no momento" : "Algo deu errado";
}
