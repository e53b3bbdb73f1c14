import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData, useRouteError } from "@remix-run/react";
import { couponForm } from "#app/domain/coupon/coupon-form.server.ts";
import { couponVersion } from "#app/domain/coupon/coupon-json.server.ts";
import { findCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { updateCoupon } from "#app/domain/coupon/save-coupon.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { comparedFields, couponDefaults, loadChoices } from "#app/routes/seller/coupons/form.server.ts";
import { CouponForm } from "#app/routes/seller/coupons/form.tsx";
import { CouponLinks } from "#app/routes/seller/coupons/links.tsx";
import { listLinks, showState } from "#app/routes/seller/coupons/show-coupon.server.ts";
import { conflictResponse, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const coupon = await orRefusedPage(request, findCoupon(seller.id, params.couponId!));
  const { choices, offerChoices, ...all } = await loadChoices(seller.id);
  const { id, code, uses, minimumCents } = coupon;
  return {
    id,
    code,
    uses,
    state: showState(coupon, new Date()),
    defaults: couponDefaults(coupon),
    version: couponVersion(coupon),
    choices,
    offerChoices,
    chosen: new URL(request.url).searchParams.get("product"),
    isForOffers: coupon.offerIds !== null,
    minimum: minimumCents === null ? null : formatMoney(minimumCents),
    links: listLinks(coupon, all).filter(({ active, begins }) => active || begins),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const posted = await readPostedForm(request, MAX_SELLER_BODY);
  const coupon = await orRefusedPage(request, findCoupon(seller.id, params.couponId!));
  const submission = parseForm(posted, couponForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    await updateCoupon(seller.id, coupon.id, submission.value, formVersion(posted));
  } catch (error) {
    if (isStale(error)) {
      const now = await orRefusedPage(request, findCoupon(seller.id, coupon.id));
      const current = { saved: couponDefaults(now), version: couponVersion(now) };
      return conflictResponse(submission, posted, current, await comparedFields(seller.id));
    }
    return refusedForm(submission, error, request);
  }
  return redirectWithMessage(paths.coupons(), `Cupom ${submission.value.code} atualizado`);
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao atualizar cupom");
}

export { unlessUnreachable as shouldRevalidate };

export default function EditCoupon() {
  const loaded = useLoaderData<typeof loader>();
  const { id, code, uses, state } = loaded;
  const { values, key, onSaved } = useRestoredForm("cupom", loaded);
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
  return (
    <Screen
      width="form"
      back={{ to: paths.coupons(), label: "Cupons" }}
      title={code}
      badge={<Badge tone={state.tone}>{state.label}</Badge>}
      text={uses === 1 ? "Usado em 1 pedido." : `Usado em ${uses} pedidos.`}
      save={{ form: "cupom", label: "Salvar Cupom", cancel: paths.coupons() }}
    >
      <div className="flex flex-col gap-6">
        <CouponLinks {...loaded} />
        <CouponForm
          key={`${id}/${key}`}
          defaults={values.defaults}
          products={loaded.choices}
          offers={loaded.offerChoices}
          version={values.version}
          reply={reply ?? null}
          reload={paths.coupon(id)}
          onSaved={onSaved}
          submit="Salvar Cupom"
        />
      </div>
    </Screen>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: error ? errorPageTitle(error) : `${data ? `Cupom ${data.code}` : "Cupom"} · Checkintelli` },
];

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isMissing(error);
  const text = missing ? undefined : (refusalText(error) ?? "Erro ao carregar cupom");
  return <ErrorScreen missing={missing} text={text} />;
}
