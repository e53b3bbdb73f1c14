import { paths } from "#app/kit/paths.ts";
import { BuyerDocument, type DocumentParts } from "#app/ui/buyer/document.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";

/** How buyer pages look, for web/buyer/page.server.tsx: their document, and what a failure looks like. */
export const LOOK = {
  Document: BuyerDocument,
  failure: ({
    status,
    message,
    requestId,
  }: {
    status: number;
    message: string;
    requestId?: string;
  }): DocumentParts => {
    const title = titleFor(status, message);
    return {
      title,
      children: (
        <MessagePage icon={status === 404 ? "missing" : "problem"} title={title} text={message}>
          {(status === 404 || status === 403) && (
            <a href={paths.findPurchase()}>Já comprou? Encontre a sua compra</a>
          )}
          {requestId && <p className="fine">Código do problema: {requestId}</p>}
        </MessagePage>
      ),
    };
  },
};

/** How an address of the desk that has no screen of its own tells a failure. */
export const DESK_LOOK = {
  Document: BuyerDocument,
  failure: ({ status, message, requestId }: Parameters<typeof LOOK.failure>[0]): DocumentParts => {
    const title = status === 403 ? "Não é permitido" : titleFor(status, message);
    return {
      title,
      children: (
        <MessagePage icon={status === 404 ? "missing" : "problem"} title={title} text={message}>
          <a href={paths.dashboard()}>Voltar ao painel</a>
          {requestId && <p className="fine">Código do problema: {requestId}</p>}
        </MessagePage>
      ),
    };
  },
};

function titleFor(status: number, message: string): string {
  if (status === 404)
    return message.startsWith("O produto") ? "Produto não encontrado" : "Página não encontrada";
  if (status === 403) return "Link expirado";
  if (status === 429) return "Aguarde um momento";
  return status === 503 ? "Indisponível no momento" : "Algo deu errado";
}
