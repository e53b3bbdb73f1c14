import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ExternalLink, Package, Plus } from "lucide-react";
import { countProducts } from "#app/domain/catalog/count-products.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { whyNobodyCanPay } from "#app/domain/gateway/why-nobody-can-pay.server.ts";
import { dashboardStats } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { findHands } from "#app/domain/reports/find-hands.server.ts";
import { findCheckoutSettings } from "#app/domain/storefront/find-checkout.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Picture } from "#app/ui/picture.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ContactNotice } from "#app/ui/seller/contact-notice.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { PageHeader } from "#app/ui/seller/frame/page-header.tsx";
import { GatewayNotice } from "#app/ui/seller/gateway-notice.tsx";
import { WaitingHands } from "#app/ui/seller/waiting-hands.tsx";
import { requireSeller } from "#app/web/session/guards.server.ts";

const RECENT = 5;

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const [stats, counted, { items }, unpayable, { contact }, hands] = await Promise.all([
    dashboardStats(seller.id),
    countProducts(seller.id),
    listProducts(seller.id, { limit: RECENT }),
    whyNobodyCanPay(seller.id),
    findCheckoutSettings(seller.id),
    findHands(seller.id),
  ]);
  return {
    unpayable,
    withoutContact: counted.active > 0 && contact === "",
    hands: hands.map((hand) =>
      hand.hand === "key-refused"
        ? hand
        : { ...hand, amount: formatMoney(hand.amountCents), since: formatDateTime(hand.since) },
    ),
    stats,
    counted,
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

export default function Dashboard() {
  const { unpayable, withoutContact, hands, stats, counted, products } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Dashboard"
        text="Vendas concluídas, no horário de São Paulo."
        action={
          <Link to={paths.newProduct()} className="btn btn-primary min-h-11">
            <Plus className="size-4" aria-hidden="true" />
            Novo Produto
          </Link>
        }
      />
      <GatewayNotice problem={unpayable} />
      <ContactNotice missing={withoutContact} />
      <WaitingHands hands={hands} />
      <dl className="mb-6 grid gap-3 sm:grid-cols-2 sm:gap-4 xl:grid-cols-4">
        <Stat
          label="Vendas hoje"
          value={formatMoney(stats.today.totalCents)}
          note={sales(stats.today.count)}
        />
        <Stat
          label="Últimos 7 dias"
          value={formatMoney(stats.sevenDays.totalCents)}
          note={sales(stats.sevenDays.count)}
        />
        <Stat
          label="Últimos 30 dias"
          value={formatMoney(stats.thirtyDays.totalCents)}
          note={sales(stats.thirtyDays.count)}
        />
        <Stat label="Produtos ativos" value={String(counted.active)} note={`de ${counted.total} no total`} />
      </dl>
      <Card
        title="Produtos recentes"
        flush
        action={
          counted.total > 0 && (
            <Link
              to={paths.products()}
              className="link link-hover -my-3 inline-flex min-h-11 items-center font-medium text-primary text-sm"
            >
              Ver todos
            </Link>
          )
        }
      >
        {products.length === 0 ? (
          <EmptyState
            icon={Package}
            title="Nenhum produto cadastrado"
            text="Crie o primeiro produto para ter um checkout e começar a vender."
            action={
              <Link to={paths.newProduct()} className="btn btn-primary min-h-11">
                Criar primeiro produto
              </Link>
            }
          />
        ) : (
          <ul className="divide-y divide-base-300 border-base-300 border-t">
            {products.map((product) => (
              <ProductRow key={product.id} product={product} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

/** On phones one line a card, the number on the right; else the number in the middle. */
function Stat(props: { label: string; value: string; note: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 rounded-box border border-base-300 bg-base-100 p-4 sm:grid-cols-1 sm:p-5">
      <dt className="text-base-content/70 text-sm">{props.label}</dt>
      <dd className="col-start-2 row-span-2 row-start-1 font-semibold text-xl tracking-tight sm:col-start-1 sm:row-span-1 sm:row-start-2 sm:text-2xl">
        {props.value}
      </dd>
      <dd className="text-base-content/70 text-sm">{props.note}</dd>
    </div>
  );
}

type Row = ReturnType<typeof useLoaderData<typeof loader>>["products"][number];

function ProductRow({ product }: { product: Row }) {
  const badge = (
    <Badge tone={product.active ? "success" : "neutral"}>{product.active ? "Ativo" : "Inativo"}</Badge>
  );
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:gap-4 sm:px-5">
      <span className="flex size-11 shrink-0 items-center justify-center overflow-hidden rounded-field bg-base-200">
        <Picture
          url={product.imageUrl}
          width={44}
          height={44}
          loading="lazy"
          className="size-full object-cover"
          fallback={<Package className="size-5 text-base-content/50" aria-hidden="true" />}
        />
      </span>
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 break-words font-medium">
          <Link to={paths.product(product.id)} className="hover:underline">
            {product.name}
          </Link>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base-content/70 text-sm">
          <span>{product.price}</span>
          <span>{product.createdAt}</span>
          <span className="sm:hidden">{badge}</span>
        </p>
      </div>
      <span className="max-sm:hidden">{badge}</span>
      <a
        href={paths.checkout({ id: product.id, checkoutSlug: null })}
        target="_blank"
        rel="noreferrer"
        className="btn btn-ghost min-h-11 max-sm:btn-square max-sm:size-11"
      >
        <ExternalLink className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">Ver checkout</span>
        <span className="sr-only"> de {product.name} (abre em nova aba)</span>
      </a>
    </li>
  );
}

function sales(count: number): string {
  return count === 1 ? "1 venda" : `${count.toLocaleString("pt-BR")} vendas`;
}

export const meta: MetaFunction = () => [{ title: "Dashboard · Checkintelli" }];
