import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { couponForm } from "#app/domain/coupon/coupon-form.server.ts";
import { createCoupon } from "#app/domain/coupon/save-coupon.server.ts";
import { paths } from "#app/kit/paths.ts";
import { loadChoices, NEW_COUPON } from "#app/routes/seller/coupons/form.server.ts";
import { CouponForm } from "#app/routes/seller/coupons/form.tsx";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { choices, offerChoices } = await loadChoices(seller.id);
  return { choices, offerChoices, defaults: NEW_COUPON };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const submission = parseForm(await readPostedForm(request, MAX_SELLER_BODY), couponForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    await createCoupon(seller.id, submission.value);
  } catch (error) {
    return refusedForm(submission, error, request);
  }
  return redirectWithMessage(paths.coupons(), `Cupom ${submission.value.code} criado`);
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao criar cupom");
}

export { unlessUnreachable as shouldRevalidate };

export default function CreateCoupon() {
  const { choices, offerChoices, defaults } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
  return (
    <Screen
      width="form"
      title="Novo Cupom"
      text="Só código e desconto são obrigatórios."
      save={{ form: "cupom", label: "Criar Cupom", cancel: paths.coupons() }}
    >
      <CouponForm
        defaults={defaults}
        products={choices}
        offers={offerChoices}
        reply={reply ?? null}
        submit="Criar Cupom"
      />
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Novo Cupom · Checkintelli" }];
