import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readStopLink, stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import { TAG_PARAMETER } from "#app/kit/paths.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const TITLE = "Lembretes de pagamento";

/**
 * Ends a seller's reminders. Opening the link changes nothing, since mail scanners open links; the button does, and so does
 * the one-click POST of mail programs (RFC 8058), which comes without cookies and is authorized by the signature.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const { sellerName, email } = await readStopLink(linkOf(request, params));
    if (!email) return page(<NothingToStop sellerName={sellerName} />);
    return page(
      <MessagePage
        icon="problem"
        title={TITLE}
        text={`Quer parar de receber lembretes de pedidos de ${sellerName}?`}
      >
        <form method="post">
          <button type="submit" className="btn btn-main">
            Parar de receber lembretes
          </button>
        </form>
      </MessagePage>,
    );
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const { sellerName, isStopped } = await stopReminders(linkOf(request, params));
    if (!isStopped) return page(<NothingToStop sellerName={sellerName} />);
    return page(
      <MessagePage
        icon="done"
        title="Pronto"
        text={`Você não recebe mais lembretes de ${sellerName}. E-mails sobre compras pagas continuam chegando.`}
      />,
    );
  });
}

function linkOf(request: Request, { saleId = "", signature = "" }: LoaderFunctionArgs["params"]) {
  return { saleId, signature, tag: new URL(request.url).searchParams.get(TAG_PARAMETER) };
}

/** Unpaid orders are anonymized after a month, and their mails may be opened long after; or a link was copied in part. */
function NothingToStop({ sellerName }: { sellerName: string }) {
  return (
    <MessagePage
      icon="problem"
      title={TITLE}
      text={`Não encontramos neste pedido o e-mail que recebeu este link, e por isso ele não para nenhum lembrete. Ainda recebe lembretes de ${sellerName}? Use o link do e-mail mais recente, copiado inteiro.`}
    />
  );
}

async function page(children: React.ReactNode) {
  return pageResponse(await renderPage(BUYER_SHELL, { title: TITLE, children }));
}
