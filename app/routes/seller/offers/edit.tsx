import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData, useRouteError } from "@remix-run/react";
import { findOffer } from "#app/domain/offer/find-offer.server.ts";
import { offerForm } from "#app/domain/offer/offer-form.server.ts";
import { offerLink, offerVersion } from "#app/domain/offer/offer-json.server.ts";
import { updateOffer } from "#app/domain/offer/save-offer.server.ts";
import { paths } from "#app/kit/paths.ts";
import {
  comparedFields,
  findOfferedProduct,
  loadChoices,
  offerDefaults,
} from "#app/routes/seller/offers/form.server.ts";
import { OfferForm } from "#app/routes/seller/offers/form.tsx";
import { describeSold, showState } from "#app/routes/seller/offers/show-offer.server.ts";
import { conflictResponse, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { product, offer } = await orRefusedPage(request, findBoth(seller.id, params));
  return {
    id: offer.id,
    productId: product.id,
    name: offer.name,
    link: offerLink(offer),
    text: `${product.name} · ${describeSold(offer)}`,
    state: showState(offer, new Date()),
    choices: await loadChoices(product),
    defaults: offerDefaults(offer),
    version: offerVersion(offer),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const posted = await readPostedForm(request);
  const { product, offer } = await orRefusedPage(request, findBoth(seller.id, params));
  const owner = { sellerId: seller.id, productId: product.id };
  const submission = parseForm(posted, offerForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    await updateOffer(owner, offer.id, submission.value, formVersion(posted));
  } catch (error) {
    if (isStale(error)) {
      const now = await orRefusedPage(request, findOffer(owner, offer.id));
      const current = { saved: offerDefaults(now), version: offerVersion(now) };
      const labels = comparedFields(await loadChoices(product));
      return conflictResponse(submission, posted, current, labels);
    }
    return refusedForm(submission, error, request);
  }
  return redirectWithMessage(paths.offers(product.id), `Oferta "${submission.value.name}" atualizada`);
}

/** @throws Refusal not-found */
async function findBoth(sellerId: string, params: { productId?: string; offerId?: string }) {
  const product = await findOfferedProduct(sellerId, params.productId);
  return { product, offer: await findOffer({ sellerId, productId: product.id }, params.offerId!) };
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao atualizar oferta");
}

export { unlessUnreachable as shouldRevalidate };

export default function EditOffer() {
  const loaded = useLoaderData<typeof loader>();
  const { id, productId, name, state, link } = loaded;
  const { values, key, onSaved } = useRestoredForm("oferta", loaded);
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
  const list = paths.offers(productId);
  return (
    <Screen
      width="form"
      back={{ to: list, label: "Ofertas e lotes" }}
      title={name}
      badge={<Badge tone={state.tone}>{state.label}</Badge>}
      text={loaded.text}
      save={{ form: "oferta", label: "Salvar Oferta", cancel: list }}
      action={
        <CopyButton
          text={link}
          label="Copiar link"
          done="Link copiado para a área de transferência!"
          iconOnly
        />
      }
    >
      <OfferForm
        key={`${id}/${key}`}
        defaults={values.defaults}
        choices={loaded.choices}
        cancel={list}
        version={values.version}
        reply={reply ?? null}
        reload={paths.offer(productId, id)}
        onSaved={onSaved}
        submit="Salvar Oferta"
      />
    </Screen>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: error ? errorPageTitle(error) : `${data ? `Oferta ${data.name}` : "Oferta"} · Checkintelli` },
];

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isMissing(error);
  const text = missing ? undefined : (refusalText(error) ?? "Erro ao carregar oferta");
  return <ErrorScreen missing={missing} text={text} />;
}
