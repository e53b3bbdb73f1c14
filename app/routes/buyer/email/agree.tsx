import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import {
  confirmEmailCorrection,
  findCorrectablePurchase,
  readEmailCorrection,
} from "#app/domain/buyer/request-email-correction.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { describeCorrection } from "#app/ui/buyer/email/describe-correction.ts";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const TITLE = "Trocar o e-mail da compra";

/** The owner of a purchase's e-mail agrees to another one. Opening the link changes nothing; the button does. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ params }) => {
    const { from, to } = readEmailCorrection(params.saleId ?? "", params.token ?? "");
    return page(
      <MessagePage
        icon="problem"
        title={TITLE}
        text={`O e-mail desta compra passa de ${from} para ${to}. Os links que chegaram a ${from} deixam de valer.`}
      >
        <form method="post">
          <button type="submit" className="btn btn-main" data-busy="Trocando...">
            <span>Trocar o e-mail</span>
          </button>
        </form>
      </MessagePage>,
    );
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ params }) => {
    const saleId = params.saleId ?? "";
    const { to } = await confirmEmailCorrection(saleId, params.token ?? "");
    const text = describeCorrection(await findCorrectablePurchase(saleId), to);
    return page(<MessagePage icon="done" title="E-mail trocado" text={text} />);
  });
}

async function page(children: React.ReactNode): Promise<Response> {
  return pageResponse(await renderPage(BUYER_SHELL, { title: TITLE, children }));
}
