import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, data, Link, useActionData, useLoaderData } from "@remix-run/react";
import { Plus, TicketPercent } from "lucide-react";
import { deleteCoupon } from "#app/domain/coupon/delete-coupon.server.ts";
import { duplicateCoupon } from "#app/domain/coupon/duplicate-coupon.server.ts";
import { listCouponOffers } from "#app/domain/coupon/list-coupon-offers.server.ts";
import { listCouponProducts } from "#app/domain/coupon/list-coupon-products.server.ts";
import { type CouponCursor, listCoupons } from "#app/domain/coupon/list-coupons.server.ts";
import { setCouponActive } from "#app/domain/coupon/save-coupon.server.ts";
import { readCursors, writeCursor } from "#app/kit/paginate.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { CouponCard } from "#app/routes/seller/coupons/card.tsx";
import { showCoupon } from "#app/routes/seller/coupons/show-coupon.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { readOpenedAt } from "#app/server/forms/opened-at.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ListPages } from "#app/ui/seller/frame/list-pages.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

const PAGE = 24;

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const query = new URL(request.url).searchParams;
  const cursors = await orRefusedPage(request, () => readCursors(query));
  const page = await listCoupons(seller.id, { ...cursors, limit: PAGE });
  const productIds = page.items.flatMap((coupon) => coupon.productIds ?? []);
  const offerIds = page.items.flatMap((coupon) => coupon.offerIds ?? []);
  const [products, offers] = await Promise.all([
    listCouponProducts(seller.id, [...new Set(productIds)]),
    listCouponOffers(seller.id, [...new Set(offerIds)]),
  ]);
  const address = (side: "before" | "after", cursor: CouponCursor | null) =>
    cursor && `?${side}=${writeCursor(cursor)}`;
  const now = new Date();
  return {
    elsewhere: Boolean(cursors.before || cursors.after),
    newer: address("after", page.newer),
    older: address("before", page.older),
    coupons: page.items.map(({ readAt: openedAt, ...coupon }) => ({
      ...showCoupon(coupon, { products, offers }, now),
      openedAt,
    })),
  };
}

const FAILED: Record<string, string> = {
  delete: "Erro ao deletar cupom",
  duplicate: "Erro ao duplicar cupom",
  activate: "Erro ao ativar cupom",
  deactivate: "Erro ao pausar cupom",
};

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readPostedForm(request);
  const intent = String(form.get("intent"));
  const id = String(form.get("id"));
  const here = paths.coupons(new URL(request.url).search);
  try {
    switch (intent) {
      case "delete":
        return redirectWithMessage(here, `Cupom ${await deleteCoupon(seller.id, id)} deletado`);
      case "duplicate": {
        const { code } = await duplicateCoupon(seller.id, id, readOpenedAt(form));
        return redirectWithMessage(paths.coupons(), `Cupom copiado: ${code} está pausado até você ativar.`);
      }
      case "activate":
      case "deactivate": {
        const code = await setCouponActive(seller.id, id, intent === "activate");
        return redirectWithMessage(here, `Cupom ${code} ${intent === "activate" ? "ativado" : "pausado"}`);
      }
      default:
        return data({ error: "Ação desconhecida" }, { status: 400 });
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message } = toFailure(error, request);
    return data({ error: `${pick(FAILED, intent) ?? "Erro"}: ${message}` }, { status });
  }
}

/** If the network fails, the page stays and shows an error. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const error = pick(FAILED, String(form.get("intent"))) ?? "Erro";
  return orUnreachable(serverAction<typeof action>(), { error });
}

export { unlessUnreachable as shouldRevalidate };

export default function Coupons() {
  const { coupons, elsewhere, newer, older } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof clientAction>() as { error: string } | undefined;
  return (
    <Screen
      width="list"
      title="Cupons"
      action={
        <Link to={paths.newCoupon()} className="btn btn-primary min-h-11">
          <Plus className="size-4" aria-hidden="true" />
          Novo Cupom
        </Link>
      }
    >
      {failed?.error && <Outcome about={failed} tone="error" text={failed.error} />}
      {coupons.length === 0 ? (
        <div className="rounded-box border border-base-300 bg-base-100">
          {elsewhere ? (
            <EmptyState
              icon={TicketPercent}
              title="Nenhum cupom encontrado"
              text="Esta página da lista está vazia."
              action={{ to: paths.coupons(), label: "Ver todos os cupons" }}
            />
          ) : (
            <EmptyState
              icon={TicketPercent}
              title="Nenhum cupom cadastrado"
              text="Crie um código de desconto para divulgar em um link ou para digitar no checkout."
              action={{ to: paths.newCoupon(), label: "Criar primeiro cupom", isMain: true }}
            />
          )}
        </div>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {coupons.map((coupon) => (
            <CouponCard key={coupon.id} coupon={coupon} />
          ))}
        </ul>
      )}
      <ListPages newer={newer} older={older} />
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Cupons · Checkintelli" }];
