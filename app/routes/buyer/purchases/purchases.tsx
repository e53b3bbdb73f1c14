import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { hasAccess } from "#app/domain/access/why-no-access.ts";
import { askForPlace } from "#app/domain/buyer/ask-for-place.server.ts";
import { type Bought, listPurchases } from "#app/domain/buyer/list-purchases.server.ts";
import { closePlace } from "#app/domain/buyer/open-place.server.ts";
import { readPlaces, writePlace } from "#app/domain/reports/sales-filter.ts";
import { paths } from "#app/kit/paths.ts";
import { askPage, takeAddress } from "#app/routes/buyer/ask-for-mail.server.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { PurchasesPage, type Shelf } from "#app/ui/buyer/purchases/purchases-page.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { formOf } from "#app/web/forms.server.ts";
import { currentBuyer, leavePlace, placeToken } from "#app/web/session/buyer-cookie.server.ts";

const WORDS = {
  title: "Minhas compras",
  lead: "Informe o e-mail que você usou para comprar. Enviamos um link que abre todas as suas compras, sem senha.",
  sent: "o link para vê-las chega em instantes e vale por 30 minutos.",
  button: "Receber o link",
};

/** Everything bought with an e-mail, for who reads its mailbox; anybody else is asked for the address. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) => {
    const buyer = await currentBuyer(request);
    if (!buyer) return askPage(WORDS);
    const { before } = readPlaces(new URL(request.url).searchParams);
    const { sellers, older } = await listPurchases(
      buyer.email,
      before && { paidAt: before.createdAt, saleId: before.id },
    );
    const shelves = sellers.map(
      ({ purchases, ...seller }): Shelf => ({
        ...seller,
        purchases: purchases.map(({ lines, ...purchase }) => ({
          ...purchase,
          lines: lines.map((line) => ({ name: line.name, items: itemsOf(purchase, line) })),
        })),
      }),
    );
    const next = older && writePlace({ createdAt: older.paidAt, id: older.saleId });
    const view = {
      email: buyer.email,
      shelves,
      isFirst: before === null,
      older: next && paths.purchases(`before=${next}`),
    };
    return respond(renderPage(LOOK, { title: WORDS.title, children: <PurchasesPage {...view} /> }));
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) => {
    const data = await formOf(request);
    if (data.get("intent") !== "leave") return takeAddress(request, data, WORDS, askForPlace);
    const token = await placeToken(request);
    if (token) await closePlace(token);
    return redirect(paths.purchases(), { status: 303, headers: { "Set-Cookie": await leavePlace() } });
  });
}

/** What a line opens, while it is the buyer's. */
function itemsOf(
  { saleId, emailCorrectedAt, ...purchase }: Omit<Bought, "lines">,
  line: Bought["lines"][number],
) {
  if (!hasAccess(purchase)) return [];
  const items = line.items.map((item) => ({ ...item, href: paths.boughtItem(saleId, line.id, item.id) }));
  if (!line.hasFile) return items;
  const file = { id: line.id, kind: "file" as const, name: line.name, size: null };
  return [{ ...file, href: downloadUrl(saleId, line.id, Date.now(), emailCorrectedAt) }, ...items];
}
