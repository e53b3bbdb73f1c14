import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData, useRouteError } from "@remix-run/react";
import { offerForm } from "#app/domain/offer/offer-form.server.ts";
import { createOffer } from "#app/domain/offer/save-offer.server.ts";
import { paths } from "#app/kit/paths.ts";
import { findOfferedProduct, loadChoices, newOffer } from "#app/routes/seller/offers/form.server.ts";
import { OfferForm } from "#app/routes/seller/offers/form.tsx";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const product = await orRefusedPage(request, findOfferedProduct(seller.id, params.productId));
  return {
    productId: product.id,
    productName: product.name,
    choices: await loadChoices(product),
    defaults: newOffer(),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const posted = await readPostedForm(request);
  const { id: productId } = await orRefusedPage(request, findOfferedProduct(seller.id, params.productId));
  const submission = parseForm(posted, offerForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    await createOffer({ sellerId: seller.id, productId }, submission.value);
  } catch (error) {
    return refusedForm(submission, error, request);
  }
  return redirectWithMessage(paths.offers(productId), `Oferta "${submission.value.name}" criada`);
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao criar oferta");
}

export { unlessUnreachable as shouldRevalidate };

export default function CreateOffer() {
  const { productId, productName, choices, defaults } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
  const list = paths.offers(productId);
  return (
    <Screen
      width="form"
      back={{ to: list, label: "Ofertas e lotes" }}
      title="Nova Oferta"
      text={productName}
      save={{ form: "oferta", label: "Criar Oferta", cancel: list }}
    >
      <OfferForm
        defaults={defaults}
        choices={choices}
        cancel={list}
        reply={reply ?? null}
        submit="Criar Oferta"
      />
    </Screen>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  {
    title: error
      ? errorPageTitle(error)
      : `${data ? `${data.productName} · ` : ""}Nova Oferta · Checkintelli`,
  },
];

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isMissing(error);
  const text = missing ? undefined : (refusalText(error) ?? "Erro ao carregar produto");
  return <ErrorScreen missing={missing} text={text} />;
}
