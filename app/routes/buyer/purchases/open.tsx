import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { checkPlaceLink, isLinkTo, openPlace } from "#app/domain/buyer/open-place.server.ts";
import { paths } from "#app/kit/paths.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { currentBuyer, enterPlace } from "#app/web/session/buyer-cookie.server.ts";

const TITLE = "Minhas compras";

/** The mailed way into the buyer's place. Opening it changes nothing, since mail scanners open links; the button does. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const token = params.token ?? "";
    if (await isInside(request, token)) return redirect(paths.purchases());
    await checkPlaceLink(token);
    const children = (
      <MessagePage
        icon="done"
        title={TITLE}
        text="Toque para ver tudo o que você comprou. Este navegador fica conectado por 7 dias."
      >
        <form method="post">
          <button type="submit" className="btn btn-main" data-busy="Abrindo...">
            <span>Ver minhas compras</span>
          </button>
        </form>
      </MessagePage>
    );
    return respond(renderPage(LOOK, { title: TITLE, children }));
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const token = params.token ?? "";
    if (await isInside(request, token)) return redirect(paths.purchases(), 303);
    const cookie = await enterPlace(await openPlace(token));
    return redirect(paths.purchases(), { status: 303, headers: { "Set-Cookie": cookie } });
  });
}

/** Whoever taps the link once more in the browser that it opened is where it leads already. */
async function isInside(request: Request, token: string): Promise<boolean> {
  const buyer = await currentBuyer(request);
  return buyer !== null && isLinkTo(buyer.email, token);
}
