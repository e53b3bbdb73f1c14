import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { findStore, storeVersion } from "#app/domain/storefront/store/find-store.server.ts";
import { saveStore } from "#app/domain/storefront/store/save-store.server.ts";
import { storeFields, storeForm } from "#app/domain/storefront/store/store-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { STORE_LABELS, StoreForm } from "#app/routes/seller/settings/store/form.tsx";
import { conflictResponse, formVersion, isStale, withIntent } from "#app/server/forms/conflict.server.ts";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { SettingsTabs } from "#app/ui/seller/settings-tabs.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const store = await findStore(seller.id);
  return { store: storeFields(store), version: storeVersion(store) };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = withIntent(await readPostedForm(request));
  const submission = parseForm(form, storeForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    await saveStore(seller.id, submission.value, formVersion(form));
  } catch (error) {
    if (!isStale(error)) return refusedForm(submission, error, request);
    const store = await findStore(seller.id);
    const current = { saved: storeFields(store), version: storeVersion(store) };
    return conflictResponse(submission, form, current, STORE_LABELS);
  }
  return redirectWithMessage(paths.storeSettings(), "Dados da loja salvos.");
}

export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const error = { "": ["Erro ao salvar configurações"] };
  return orUnreachable(serverAction<typeof action>(), { status: "error" as const, error });
}

export const shouldRevalidate = unlessUnreachable;

export default function StoreSettings() {
  const { values, key, onSaved } = useRestoredForm("store", useLoaderData<typeof loader>());
  const reply = (useActionData<typeof clientAction>() ?? null) as FormReply | null;
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
        <StoreForm key={key} {...values} reply={reply} onSaved={onSaved} />
      </Card>
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Dados da loja · Checkintelli" }];
