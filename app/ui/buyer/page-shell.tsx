import type { ComponentProps, ReactNode } from "react";
import type { OfferRule } from "#app/domain/pricing/offer.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { BuyerDocument, type DocumentParts } from "#app/ui/buyer/document.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";

type Failed = { status: number; message: string; requestId?: string; code?: string };

/** Of an offer's address before its start or after its end: nothing went wrong. */
const OFFER_TITLES: Record<OfferRule, string> = {
  "offer-early": "Oferta ainda não começou",
  "offer-ended": "Oferta encerrada",
  "offer-sold-out": "Vagas esgotadas",
};

const SHORTEN = "Volte à página anterior, encurte o texto mais longo e envie de novo.";

/** The shell of buyer pages, for server/pages/buyer-page.server.tsx: their document, and their error pages. */
export const BUYER_SHELL = {
  Document: BuyerDocument,
  failure: (failed: Failed): DocumentParts => {
    const offerTitle = pick(OFFER_TITLES, failed.code ?? "");
    // Without a script the form was left, and only Back leads to it.
    if (failed.status === 413)
      return failure({ ...failed, message: `${failed.message}. ${SHORTEN}` }, "Texto longo demais", null);
    const isMissing = failed.status === 404 || failed.status === 403 || offerTitle;
    const nextLink = isMissing && <a href={paths.findPurchase()}>Já comprou? Encontre a sua compra</a>;
    return failure(failed, offerTitle ?? titleFor(failed), nextLink, offerTitle ? "waiting" : undefined);
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
function failure(
  { status, message, requestId }: Failed,
  title: string,
  nextLink: ReactNode,
  icon: ComponentProps<typeof MessagePage>["icon"] = status === 404 ? "missing" : "problem",
): DocumentParts {
  return {
    title,
    children: (
      <MessagePage icon={icon} title={title} text={message}>
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
