import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  data,
  Link,
  useActionData,
  useLoaderData,
  useRouteError,
} from "@remix-run/react";
import { Plus, Tags } from "lucide-react";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { deleteOffer, duplicateOffer, moveOffer } from "#app/domain/offer/arrange-offers.server.ts";
import type { OfferOwner } from "#app/domain/offer/find-offer.server.ts";
import { findOpenTier, listOffers } from "#app/domain/offer/list-offers.server.ts";
import { setOfferActive } from "#app/domain/offer/save-offer.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { OfferCard } from "#app/routes/seller/offers/card.tsx";
import { showOffer, showPrice } from "#app/routes/seller/offers/show-offer.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { readOpenedAt } from "#app/server/forms/opened-at.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { product, offers } = await orRefusedPage(
    request,
    (async () => listOffers({ sellerId: seller.id, productId: parseProductId(params.productId) }))(),
  );
  const now = new Date();
  const tier = findOpenTier(offers, now);
  return {
    productId: product.id,
    productName: product.name,
    active: product.active,
    charged: { price: showPrice((tier ?? product).priceCents), tier: tier?.name ?? null },
    offers: offers.map((offer) => ({ ...showOffer(offer, now), openedAt: product.readAt })),
  };
}

const FAILED: Record<string, string> = {
  delete: "Erro ao deletar oferta",
  duplicate: "Erro ao duplicar oferta",
  activate: "Erro ao ativar oferta",
  deactivate: "Erro ao pausar oferta",
  up: "Erro ao mover oferta",
  down: "Erro ao mover oferta",
};

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readPostedForm(request);
  const intent = String(form.get("intent"));
  try {
    const owner = { sellerId: seller.id, productId: parseProductId(params.productId) };
    const message = await change(owner, form, intent);
    if (message) return redirectWithMessage(paths.offers(owner.productId), message);
    return data({ error: "Ação desconhecida" }, { status: 400 });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message } = toFailure(error, request);
    return data({ error: `${pick(FAILED, intent) ?? "Erro"}: ${message}` }, { status });
  }
}

/** What was done, for the seller; null for an unknown intent. @throws Refusal */
async function change(owner: OfferOwner, form: FormData, intent: string): Promise<string | null> {
  const id = String(form.get("id"));
  switch (intent) {
    case "delete":
      return `Oferta "${await deleteOffer(owner, id)}" deletada`;
    case "duplicate":
      return `Oferta copiada: "${(await duplicateOffer(owner, id, readOpenedAt(form))).name}" está pausada até você ativar.`;
    case "activate":
      return `Oferta "${await setOfferActive(owner, id, true)}" ativada`;
    case "deactivate":
      return `Oferta "${await setOfferActive(owner, id, false)}" pausada`;
    case "up":
    case "down":
      return `Oferta "${await moveOffer(owner, id, intent)}" movida`;
    default:
      return null;
  }
}

/** If the network fails, the page stays and shows an error. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const error = pick(FAILED, String(form.get("intent"))) ?? "Erro";
  return orUnreachable(serverAction<typeof action>(), { error });
}

export { unlessUnreachable as shouldRevalidate };

export default function Offers() {
  const { productId, productName, active, charged, offers } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof clientAction>() as { error: string } | undefined;
  return (
    <Screen
      width="form"
      back={{ to: paths.product(productId), label: "Editar Produto" }}
      title="Ofertas e lotes"
      text={productName}
      action={
        <Link to={paths.newOffer(productId)} className="btn btn-primary min-h-11">
          <Plus className="size-4" aria-hidden="true" />
          Nova Oferta
        </Link>
      }
    >
      {failed?.error && <Outcome about={failed} tone="error" text={failed.error} />}
      {!active && (
        <Alert
          tone="warning"
          live={false}
          className="mb-4"
          text="Este produto está inativo: o link dele e os das ofertas só abrem depois que você o ativar."
        />
      )}
      <div className="mb-4 rounded-box border border-base-300 bg-base-100 p-4 text-sm">
        <p className="wrap-anywhere">
          {active ? "O link do produto cobra agora" : "Ativo, o link do produto cobraria agora"}{" "}
          <strong className="whitespace-nowrap">{charged.price}</strong>
          {charged.tier === null ? ", o preço do produto." : `, do lote "${charged.tier}".`}
        </p>
        <p className="mt-1 text-base-content/70">
          O link do produto cobra o primeiro lote aberto; sem lote aberto, o preço do produto.
        </p>
      </div>
      {offers.length === 0 ? (
        <div className="rounded-box border border-base-300 bg-base-100">
          <EmptyState
            icon={Tags}
            title="Nenhuma oferta cadastrada"
            text="Venda o mesmo produto por outros preços: com link próprio, com prazo, com número de vagas ou em lotes."
            action={{ to: paths.newOffer(productId), label: "Criar primeira oferta", isMain: true }}
          />
        </div>
      ) : (
        <ol className="grid gap-4">
          {offers.map((offer, at) => (
            <OfferCard
              key={offer.id}
              offer={offer}
              productId={productId}
              isFirst={at === 0}
              isLast={at === offers.length - 1}
            />
          ))}
        </ol>
      )}
    </Screen>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  {
    title: error
      ? errorPageTitle(error)
      : `${data ? `${data.productName} · ` : ""}Ofertas e lotes · Checkintelli`,
  },
];

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isMissing(error);
  const text = missing ? undefined : (refusalText(error) ?? "Erro ao carregar ofertas");
  return <ErrorScreen missing={missing} text={text} />;
}
