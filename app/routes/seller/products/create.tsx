import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { newProductForm } from "#app/domain/catalog/product-form.server.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { undeliveredNote } from "#app/domain/content/undelivered.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { readProductForm, withErrors } from "#app/routes/seller/products/form.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { ProductForm } from "#app/ui/seller/product/form.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireSeller(request);
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const { submission, wrong } = await readProductForm(request, seller.id, newProductForm);
  const reply = withErrors(submission, wrong);
  if (reply || submission.status !== "success") return reply;
  try {
    const id = await createProduct(seller.id, submission.value);
    if (!submission.value.fileUrl)
      return await redirectWithMessage(
        paths.productContent(id),
        `Produto "${submission.value.name}" criado, ainda inativo: falta o conteúdo.`,
      );
    const note = undeliveredNote(await listContent(seller.id, id));
    return await redirectWithMessage(paths.products(), `Produto "${submission.value.name}" criado${note}`);
  } catch (error) {
    const failure =
      error instanceof Refusal && !error.field ? new Refusal(error.kind, `Erro: ${error.message}`) : error;
    return refusedForm(submission, failure, request);
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao criar produto");
}

export { unlessUnreachable as shouldRevalidate };

export default function CreateProduct() {
  const lastResult = useActionData<typeof clientAction>() as FormReply | undefined;
  return (
    <Screen
      width="form"
      title="Novo Produto"
      text="Só nome e preço são obrigatórios. O conteúdo pode ser um link, ou arquivos enviados logo depois."
      save={{ form: "produto", label: "Criar Produto", cancel: paths.products() }}
    >
      <ProductForm
        stage="new"
        defaults={{ is_active: true }}
        lastResult={lastResult ?? null}
        submit="Criar Produto"
      />
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Novo Produto · Checkintelli" }];
