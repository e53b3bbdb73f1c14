import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { checkPortalLink, isPortalLinkOf, openPortal } from "#app/domain/buyer/open-portal.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { toFailure } from "#app/server/response/failure.server.ts";
import { currentBuyer, portalCookie } from "#app/server/session/portal-cookie.server.ts";
import { AccessEndedPage } from "#app/ui/buyer/access-ended-page.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const TITLE = "Minhas compras";

/** The mailed portal link. Opening it changes nothing, since mail scanners open links; the button does. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const token = params.token ?? "";
    if (await isInside(request, token)) return redirect(paths.purchases());
    try {
      await checkPortalLink(token);
    } catch (error) {
      return renderExpired(request, error);
    }
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
    return pageResponse(await renderPage(BUYER_SHELL, { title: TITLE, children }));
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const token = params.token ?? "";
    if (await isInside(request, token)) return redirect(paths.purchases(), 303);
    try {
      const cookie = await portalCookie(await openPortal(token));
      return redirect(paths.purchases(), { status: 303, headers: { "Set-Cookie": cookie } });
    } catch (error) {
      return renderExpired(request, error);
    }
  });
}

/** A link that opens nothing more leads to a new one of its kind: the links of "Já comprei" open no refunded purchase. */
async function renderExpired(request: Request, error: unknown): Promise<Response> {
  if (!(error instanceof Refusal)) throw error;
  const { status, message } = toFailure(error, request);
  const title = "Link expirado";
  const next = { label: "Receber outro link", href: paths.purchases() };
  const children = <AccessEndedPage title={title} text={message} {...next} />;
  return pageResponse(await renderPage(BUYER_SHELL, { title, children }), { status });
}

/** Opening the link again in the same browser leads straight to the portal. */
async function isInside(request: Request, token: string): Promise<boolean> {
  const buyer = await currentBuyer(request);
  return buyer !== null && isPortalLinkOf(buyer.email, token);
}
