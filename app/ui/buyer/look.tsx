import type { ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";
import { BuyerDocument, type DocumentParts } from "#app/ui/buyer/document.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";

type Failed = { status: number; message: string; requestId?: string };

/** How buyer pages look, for web/buyer/page.server.tsx: their document, and what a failure looks like. */
export const LOOK = {
  Document: BuyerDocument,
  failure: (failed: Failed): DocumentParts => {
    const isMissing = failed.status === 404 || failed.status === 403;
    const way = isMissing && <a href={paths.findPurchase()}>Já comprou? Encontre a sua compra</a>;
    return failure(failed, titleFor(failed), way);
  },
};

/** How an address of the desk that has no screen of its own tells a failure. */
export const DESK_LOOK = {
  Document: BuyerDocument,
  failure: (failed: Failed): DocumentParts => {
    const title = failed.status === 403 ? "Não é permitido" : titleFor(failed);
    return failure(failed, title, <a href={paths.dashboard()}>Voltar ao painel</a>);
  },
};

/** @param way on from here */
function failure({ status, message, requestId }: Failed, title: string, way: ReactNode): DocumentParts {
  return {
    title,
    children: (
      <MessagePage icon={status === 404 ? "missing" : "problem"} title={title} text={message}>
        {way}
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
