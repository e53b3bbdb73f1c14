import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { findStore, storeVersion } from "#app/domain/storefront/store/find-store.server.ts";
import { saveStore } from "#app/domain/storefront/store/save-store.server.ts";
import { storeFields, storeForm } from "#app/domain/storefront/store/store-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { STORE_LABELS, StoreForm } from "#app/routes/seller/settings/store/form.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { type KeptReply, useKept } from "#app/ui/seller/form/kept-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { SettingsTabs } from "#app/ui/seller/settings-tabs.tsx";
import { conflictOf, isStale, shownVersion, withIntent } from "#app/web/conflict.server.ts";
import { badForm, parseForm, postedForm, refusedForm } from "#app/web/forms.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const store = await findStore(seller.id);
  return { store: storeFields(store), version: storeVersion(store) };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = withIntent(await postedForm(request));
  const submission = parseForm(form, storeForm);
  if (submission.status !== "success") return badForm(submission);
  try {
    await saveStore(seller.id, submission.value, shownVersion(form));
  } catch (error) {
    if (!isStale(error)) return refusedForm(submission, error, request);
    const store = await findStore(seller.id);
    const stands = { saved: storeFields(store), version: storeVersion(store) };
    return conflictOf(submission, form, stands, STORE_LABELS);
  }
  return redirectSaying(paths.storeSettings(), "Dados da loja salvos.");
}

export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const error = { "": ["Erro ao salvar configurações"] };
  return orUnreachable(serverAction<typeof action>(), { status: "error" as const, error });
}

export const shouldRevalidate = unlessUnreachable;

export default function StoreSettings() {
  const { shown, key, onSaved } = useKept("store", useLoaderData<typeof loader>());
  const reply = (useActionData<typeof clientAction>() ?? null) as KeptReply | null;
  return (
    <Screen
      width="form"
      title="Configurações"
      save={{ form: "store", intent: "save", label: "Salvar dados da loja" }}
    >
      <SettingsTabs current="loja" />
      <Card
        title="Dados da loja"
        text="Quem vende, como a lei pede que seja dito a quem compra (Decreto 7.962/2013). Aparece no rodapé do checkout, nas páginas da compra, no recibo e nos e-mails."
      >
        <StoreForm key={key} {...shown} reply={reply} onSaved={onSaved} />
      </Card>
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Dados da loja · Checkintelli" }];
