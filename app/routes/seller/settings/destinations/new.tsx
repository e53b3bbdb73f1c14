import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { kindsOf } from "#app/domain/delivery/destinations.server.ts";
import type { CommonFields } from "#app/domain/delivery/kind.ts";
import { createDestination } from "#app/domain/delivery/save-destination.server.ts";
import { paths } from "#app/kit/paths.ts";
import { postedKind } from "#app/routes/seller/settings/destinations/actions.server.ts";
import {
  emptyValues,
  loadChoices,
  withSearch,
} from "#app/routes/seller/settings/destinations/loader.server.ts";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { maskTypedSecrets, withTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm, requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FAMILIES, familyAt } from "#app/ui/seller/destination/families.tsx";
import { DestinationForm } from "#app/ui/seller/destination/form.tsx";
import { ProductSearchForm } from "#app/ui/seller/destination/product-search.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { LinkRow, RowText } from "#app/ui/seller/frame/link-row.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { pathname, searchParams } = new URL(request.url);
  const family = familyAt(pathname);
  const kinds = kindsOf(family);
  const [only, second] = kinds;
  const kind = second ? kinds.find(({ id }) => id === searchParams.get("kind")) : only;
  const services = kinds.map(({ id, title, text }) => ({ id, title, text }));
  if (!kind) return { family, services, kind: null };
  const { codes, ...choices } = await loadChoices(seller.id, kind, [], searchParams);
  const { title, text, cards } = kind;
  return {
    family,
    services,
    kind: { id: kind.id, title, text, cards, choices, values: withSearch(emptyValues(kind, codes), choices) },
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const family = familyAt(new URL(request.url).pathname);
  const posted = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  const form = withTypedSecrets(seller.id, posted);
  const submission = parseForm(form, postedKind(family, form).schema);
  const withMask = ({ data: result, init }: ReturnType<typeof invalidForm>) =>
    data(maskTypedSecrets(seller.id, result, form, ["token"]), init ?? undefined);
  if (submission.status !== "success") return withMask(invalidForm(submission));
  await requireRecentSignIn({ seller, form, request }, family);
  try {
    const fields = submission.value as CommonFields;
    const id = await createDestination(family, seller.id, fields, requestOrigin(request, seller));
    return await redirectWithMessage(paths.destination(family, id), FAMILIES[family].created);
  } catch (error) {
    return withMask(refusedForm(submission, error, request));
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const { notCreated } = FAMILIES[familyAt(new URL(request.url).pathname)];
  return orFormError(serverAction<typeof action>(), notCreated);
}

export { unlessUnreachable as shouldRevalidate };

export default function NewDestination() {
  const { family, services, kind } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
  const { title, formId, choose, newTitle, create, otherWay } = FAMILIES[family];
  const isChosen = kind !== null && services.length > 1;
  return (
    <Screen
      width="form"
      back={
        isChosen
          ? { to: paths.newDestination(family), label: "Outro serviço" }
          : { to: paths.destinations(family), label: title }
      }
      title={kind ? newTitle(kind.title) : choose.title}
      text={kind ? kind.text : choose.text}
      save={kind && { form: formId, intent: "save", label: create }}
    >
      {kind ? (
        <>
          <ProductSearchForm keep={{ kind: kind.id }} />
          <DestinationForm
            key={`${kind.title} ${kind.choices.search?.text}`}
            {...kind}
            id={formId}
            reply={reply ?? null}
            submit={create}
          />
        </>
      ) : (
        <Card flush>
          <ul className="-mt-4 divide-y divide-base-300 overflow-hidden rounded-box">
            {services.map((one) => (
              <LinkRow key={one.id} to={paths.newDestination(family, one.id)} name={one.title}>
                <RowText>{one.text}</RowText>
              </LinkRow>
            ))}
            {otherWay && (
              <LinkRow to={otherWay.to} name={otherWay.name}>
                <RowText>{otherWay.text}</RowText>
              </LinkRow>
            )}
          </ul>
        </Card>
      )}
    </Screen>
  );
}

export const meta: MetaFunction = ({ location }) => [
  { title: `${FAMILIES[familyAt(location.pathname)].choose.title} · Checkintelli` },
];
