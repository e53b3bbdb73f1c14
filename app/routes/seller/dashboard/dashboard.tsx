import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Plus } from "lucide-react";
import { countProducts, listProducts } from "#app/domain/catalog/list-products.server.ts";
import { missingGatewayReason } from "#app/domain/gateway/missing-gateway-reason.server.ts";
import { readReceiving } from "#app/domain/gateway/read-receiving.server.ts";
import { dashboardFigures } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { type ActionItem, findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { readFirstSteps } from "#app/domain/reports/first-steps.server.ts";
import { listNewestSales } from "#app/domain/reports/list-newest-sales.server.ts";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";
import { findStorefront } from "#app/domain/storefront/find-storefront.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Figures } from "#app/routes/seller/dashboard/figures.tsx";
import { FirstStepsCard } from "#app/routes/seller/dashboard/first-steps.tsx";
import { NewestSales } from "#app/routes/seller/dashboard/newest-sales.tsx";
import { RecentProducts } from "#app/routes/seller/dashboard/recent-products.tsx";
import { useNewSales } from "#app/routes/seller/dashboard/use-new-sales.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { ActionItems } from "#app/ui/seller/action-items.tsx";
import { showSteps } from "#app/ui/seller/first-steps/steps.server.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { GatewayWarning } from "#app/ui/seller/gateway-warning.tsx";
import { StoreWarning } from "#app/ui/seller/store-warning.tsx";

const RECENT_PRODUCTS = 5;
const NEWEST_SALES = 6;

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const [figures, counted, { items }, receiving, { store }, actionItems, steps, newest] = await Promise.all([
    dashboardFigures(seller.id),
    countProducts(seller.id),
    listProducts(seller.id, { limit: RECENT_PRODUCTS }),
    readReceiving(seller.id),
    findStorefront(seller.id),
    findActionItems(seller.id),
    readFirstSteps(seller.id),
    listNewestSales(seller.id, NEWEST_SALES),
  ]);
  return {
    figures,
    counted,
    unpayable: missingGatewayReason(receiving),
    withoutStore: counted.active > 0 && store === null,
    isStoreKnown: store !== null,
    steps: steps && showSteps(seller, steps, receiving),
    actionItems: actionItems.map(showActionItem),
    sales: newest.map((sale) => ({
      id: sale.id,
      product: sale.productName,
      buyer: buyerLabel(sale) ?? sale.customerEmail ?? "Sem nome",
      amount: formatMoney(sale.amountCents),
      status: sale.status,
      at: formatDateTime(sale.createdAt),
    })),
    products: items.map((product) => ({
      id: product.id,
      name: product.name,
      price: formatMoney(product.priceCents),
      imageUrl: product.imageUrl,
      active: product.active,
      createdAt: formatDate(product.createdAt),
    })),
  };
}

function showActionItem(item: ActionItem) {
  if (item.kind === "key-refused" || item.kind === "spare-failed" || item.kind === "cards-refused")
    return item;
  if (item.kind === "provider-down") {
    const { kind, provider, hasSpare, failures, lastAt } = item;
    return { kind, provider, hasSpare, failures, last: formatDateTime(lastAt) };
  }
  return {
    ...item,
    amount: formatMoney(item.amountCents),
    since: formatDateTime(item.since),
    due: item.dueAt && formatDateTime(item.dueAt),
    isLate: item.dueAt !== null && item.dueAt < new Date(),
  };
}

export default function Dashboard() {
  const { figures, counted, unpayable, withoutStore, isStoreKnown, steps, actionItems, sales, products } =
    useLoaderData<typeof loader>();
  const { isNew } = useNewSales(figures.stats, sales);
  return (
    <Screen
      width="list"
      title="Dashboard"
      text="Vendas concluídas, no horário de São Paulo."
      action={
        <Link
          to={paths.newProduct()}
          className={`btn min-h-11 ${steps ? "border-base-300 bg-base-100" : "btn-primary"}`}
        >
          <Plus className="size-4" aria-hidden="true" />
          Novo Produto
        </Link>
      }
    >
      {/* The first steps include the gateway; the store's details are not the next step before the first sale. */}
      {!steps && <GatewayWarning problem={unpayable} />}
      {!steps && <StoreWarning missing={withoutStore} />}
      <ActionItems items={actionItems} />
      {steps && <FirstStepsCard steps={steps} isStoreKnown={isStoreKnown} />}
      <Figures figures={figures} counted={counted} />
      <div
        className={`mt-6 grid grid-cols-1 gap-6 xl:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] ${sales.length > 0 ? "items-start" : ""}`}
      >
        <NewestSales sales={sales} isNew={isNew} />
        <RecentProducts products={products} total={counted.total} guided={steps !== null} />
      </div>
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Dashboard · Checkintelli" }];
