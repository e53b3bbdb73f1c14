import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { listPurchases, type PaidPurchase } from "#app/domain/buyer/list-purchases.server.ts";
import { closePortal } from "#app/domain/buyer/open-portal.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { findOpenRefundRequests } from "#app/domain/refund/request/find-open-refund-requests.server.ts";
import { readCursors, writeCursor } from "#app/kit/paginate.ts";
import { paths, SESSION_ENDED } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { renderLinkRequest, requestLink } from "#app/routes/buyer/link-request.server.tsx";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { currentBuyer, endPortalCookie, portalToken } from "#app/server/session/portal-cookie.server.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { PurchasesPage, type SellerPurchasesView } from "#app/ui/buyer/purchases/purchases-page.tsx";

const TEXTS = {
  title: "Minhas compras",
  lead: "Informe o e-mail que você usou para comprar. Enviamos um link que abre todas as suas compras, sem senha.",
  sent: "o link para vê-las chega em instantes e vale por 30 minutos.",
  button: "Receber o link",
};

/** Where a form arrived after its browser's session had ended, by what it asked for. */
const ENDED_LEADS: Record<string, string> = {
  "": "A sua entrada neste navegador terminou, e o que você enviou não foi recebido. Informe o e-mail da compra: com o link que enviamos você entra de novo e repete o pedido.",
  apagar:
    "A sua entrada neste navegador terminou. Se você acabou de pedir para apagar os seus dados, o pedido já pode ter sido recebido: a confirmação vai por e-mail. Se ela não chegar, informe o e-mail da compra, entre de novo e repita o pedido.",
};

/** Everything bought with an e-mail, for whoever can read its mailbox; others get the form for the address. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) => {
    const buyer = await currentBuyer(request);
    const query = new URL(request.url).searchParams;
    const ended = query.get(SESSION_ENDED);
    const lead = ended === null ? null : pick(ENDED_LEADS, ended);
    if (!buyer) return renderLinkRequest(lead ? { ...TEXTS, lead } : TEXTS);
    const { before } = readCursors(query);
    const { sellers, older } = await listPurchases(
      buyer.email,
      before && { paidAt: before.createdAt, saleId: before.id },
    );
    const requests = await findOpenRefundRequests(sellers.flatMap(({ purchases }) => purchases));
    const shown = sellers.map(
      ({ purchases, ...seller }): SellerPurchasesView => ({
        ...seller,
        purchases: purchases.map(({ lines, ...purchase }) => ({
          ...purchase,
          refundRequest: requests.get(purchase.saleId) ?? null,
          lines: lines.map((line) => ({ name: line.name, items: itemsOf(purchase, line) })),
        })),
      }),
    );
    const next = older && writeCursor({ createdAt: older.paidAt, id: older.saleId });
    const view = {
      email: buyer.email,
      sellers: shown,
      isFirst: before === null,
      older: next && paths.purchases(`before=${next}`),
    };
    return pageResponse(
      await renderPage(BUYER_SHELL, { title: TEXTS.title, children: <PurchasesPage {...view} /> }),
    );
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) => {
    const data = await parseFormData(request);
    if (data.get("intent") !== "leave") return requestLink(request, data, TEXTS, sendPortalLink);
    const token = await portalToken(request);
    if (token) await closePortal(token);
    return redirect(paths.purchases(), { status: 303, headers: { "Set-Cookie": await endPortalCookie() } });
  });
}

/** A line's content, while the buyer has access. */
function itemsOf(
  { saleId, emailCorrectedAt, ...purchase }: Omit<PaidPurchase, "lines">,
  line: PaidPurchase["lines"][number],
) {
  if (!hasAccess(purchase)) return [];
  const items = line.items.map((item) => ({ ...item, href: paths.boughtItem(saleId, line.id, item.id) }));
  if (!line.hasFile) return items;
  const file = { id: line.id, kind: "file" as const, name: line.name, size: null };
  return [{ ...file, href: downloadUrl(saleId, line.id, Date.now(), emailCorrectedAt) }, ...items];
}
