import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { agreeToCorrect, readCorrection } from "#app/domain/buyer/ask-to-correct.server.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";

const TITLE = "Trocar o e-mail da compra";

/** The owner of a purchase's e-mail agrees to another one. Opening the link changes nothing; the button does. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ params }) => {
    const { from, to } = readCorrection(params.saleId ?? "", params.token ?? "");
    return page(
      <MessagePage
        icon="problem"
        title={TITLE}
        text={`O acesso passa de ${from} para ${to}. Os links que chegaram a ${from} deixam de valer.`}
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
  return buyerPage(LOOK, args, async ({ params }) => {
    const { to } = await agreeToCorrect(params.saleId ?? "", params.token ?? "");
    return page(
      <MessagePage icon="done" title="E-mail trocado" text={`O acesso desta compra vai agora para ${to}.`} />,
    );
  });
}

function page(children: React.ReactNode): Response {
  return respond(renderPage(LOOK, { title: TITLE, children }));
}
