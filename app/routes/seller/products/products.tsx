import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, data, Link, useActionData, useLoaderData } from "@remix-run/react";
import { Package, Plus, Search } from "lucide-react";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { listProducts, type ProductCursor } from "#app/domain/catalog/list-products.server.ts";
import { readPageQuery } from "#app/domain/catalog/page-query.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { setProductActive } from "#app/domain/catalog/set-product-active.server.ts";
import { listChoosing } from "#app/domain/delivery/destinations.server.ts";
import { missingGatewayReason } from "#app/domain/gateway/missing-gateway-reason.server.ts";
import { readReceiving } from "#app/domain/gateway/read-receiving.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { formatDate } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { writeNumberedCursor } from "#app/kit/paginate.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { ProductCard } from "#app/routes/seller/products/card.tsx";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { readOpenedAt } from "#app/server/forms/opened-at.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { nextStep } from "#app/ui/seller/first-steps/next-step.server.ts";
import { NextStepStrip } from "#app/ui/seller/first-steps/next-step.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ListPages } from "#app/ui/seller/frame/list-pages.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { GatewayWarning } from "#app/ui/seller/gateway-warning.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

const PAGE = 24;

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const query = new URL(request.url).searchParams;
  const pageQuery = await orRefusedPage(request, () => readPageQuery(query));
  const [page, receiving, next] = await Promise.all([
    listProducts(seller.id, { ...pageQuery, limit: PAGE }),
    readReceiving(seller.id),
    nextStep(seller, "product"),
  ]);
  const address = (side: "before" | "after", cursor: ProductCursor | null) =>
    cursor &&
    `?${new URLSearchParams({ ...(pageQuery.search && { search: pageQuery.search }), [side]: writeNumberedCursor(cursor) })}`;
  return {
    // Shown by the next step if that is the gateway.
    unpayable: next?.step.id === "gateway" ? null : missingGatewayReason(receiving),
    next,
    search: pageQuery.search,
    elsewhere: Boolean(pageQuery.before || pageQuery.after),
    newer: address("after", page.newer),
    older: address("before", page.older),
    products: page.items.map((product) => ({
      id: product.id,
      name: product.name,
      description: product.description && truncate(product.description, 300),
      price: formatMoney(product.priceCents),
      imageUrl: product.imageUrl,
      checkoutSlug: product.checkoutSlug,
      active: product.active,
      createdAt: formatDate(product.createdAt),
      openedAt: product.readAt,
    })),
  };
}

const FAILED: Record<string, string> = {
  delete: "Erro ao deletar produto",
  duplicate: "Erro ao duplicar produto",
  activate: "Erro ao ativar produto",
  deactivate: "Erro ao desativar produto",
};

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readPostedForm(request);
  const intent = String(form.get("intent"));
  const here = paths.products(new URL(request.url).search);
  try {
    const id = parseProductId(String(form.get("id")));
    switch (intent) {
      case "delete": {
        const isArchived = (await deleteProduct(seller.id, id)) === "archived";
        return redirectWithMessage(
          here,
          isArchived ? "Produto deletado. As vendas dele foram mantidas." : "Produto deletado",
        );
      }
      case "duplicate": {
        const { name } = await duplicateProduct(seller.id, id, readOpenedAt(form));
        const { choosing, leavingOut } = await listChoosing(seller.id, id);
        const note = (what: string, names: string[]) =>
          names.length > 0
            ? ` O original está ${what} em ${truncate(names.join(", "), 300)}, e a cópia não: confira lá.`
            : "";
        const notes = note("escolhido", choosing) + note("desligado", leavingOut);
        return redirectWithMessage(paths.products(), `Produto "${name}" duplicado com sucesso!${notes}`);
      }
      case "activate":
      case "deactivate": {
        const name = await setProductActive(seller.id, id, intent === "activate");
        return redirectWithMessage(
          here,
          `Produto "${name}" ${intent === "activate" ? "ativado" : "desativado"}`,
        );
      }
      default:
        return data({ error: "Ação desconhecida" }, { status: 400 });
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message } = toFailure(error, request);
    return data(
      { error: `${pick(FAILED, intent) ?? "Erro"}: ${message || "Erro desconhecido"}` },
      { status },
    );
  }
}

/** If the network fails, the page stays and shows an error. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const error = pick(FAILED, String(form.get("intent"))) ?? "Erro";
  return orUnreachable(serverAction<typeof action>(), { error });
}

export { unlessUnreachable as shouldRevalidate };

export default function Products() {
  const { unpayable, next, products, search, elsewhere, newer, older } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof clientAction>() as { error: string } | undefined;
  const isEmpty = products.length === 0;
  return (
    <Screen
      width="list"
      title="Produtos"
      action={
        <Link to={paths.newProduct()} className="btn btn-primary min-h-11">
          <Plus className="size-4" aria-hidden="true" />
          Novo Produto
        </Link>
      }
    >
      {failed?.error && <Outcome about={failed} tone="error" text={failed.error} />}
      <NextStepStrip next={next} />
      <GatewayWarning problem={unpayable} />
      {(!isEmpty || search || elsewhere) && <SearchForm search={search} />}
      {isEmpty ? (
        <div className="rounded-box border border-base-300 bg-base-100">
          {search || elsewhere ? (
            <EmptyState
              icon={Search}
              title="Nenhum produto encontrado"
              text={search ? `Nenhum nome contém “${search}”.` : "Esta página da lista está vazia."}
              action={{ to: paths.products(), label: "Ver todos os produtos" }}
            />
          ) : (
            <EmptyState
              icon={Package}
              title="Nenhum produto cadastrado"
              text="Crie o primeiro produto para ter um checkout e começar a vender."
              action={{ to: paths.newProduct(), label: "Criar primeiro produto", isMain: true }}
            />
          )}
        </div>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {products.map((product) => (
            <ProductCard key={product.id} product={product} />
          ))}
        </ul>
      )}
      <ListPages newer={newer} older={older} />
    </Screen>
  );
}

function SearchForm({ search }: { search: string }) {
  return (
    <Form method="get" role="search" className="mb-6 flex max-w-lg gap-2">
      <label className="input h-11 min-w-0 flex-1">
        <Search className="size-4 shrink-0 text-base-content/60" aria-hidden="true" />
        <span className="sr-only">Buscar por nome</span>
        <input key={search} type="search" name="search" defaultValue={search} placeholder="Buscar por nome" />
      </label>
      <button type="submit" className="btn min-h-11 border-base-300 bg-base-100">
        Buscar
      </button>
    </Form>
  );
}

export const meta: MetaFunction = () => [{ title: "Produtos · Checkintelli" }];
