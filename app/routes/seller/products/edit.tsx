import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  Link,
  useActionData,
  useLoaderData,
  useRouteError,
} from "@remix-run/react";
import { ExternalLink, FolderOpen, Link2, Tags } from "lucide-react";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { productForm } from "#app/domain/catalog/product-form.server.ts";
import { productVersion, updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { listUndelivered, undeliveredNote } from "#app/domain/content/undelivered.ts";
import { paths } from "#app/kit/paths.ts";
import {
  describeRemovedRows,
  PRODUCT_FIELDS,
  productDefaults,
  readProductForm,
  withErrors,
  withoutRemovedIds,
} from "#app/routes/seller/products/form.server.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { UndeliveredWarning } from "#app/ui/seller/content/undelivered-warning.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { ProductForm } from "#app/ui/seller/product/form.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const product = await orRefusedPage(request, ownedProduct(seller.id, params.productId));
  const contents = await listContent(seller.id, product.id);
  return {
    missing: listUndelivered(contents),
    id: product.id,
    checkoutSlug: product.checkoutSlug,
    name: product.name,
    active: product.deactivatedAt === null,
    defaults: productDefaults(product),
    version: productVersion(product),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const product = await orRefusedPage(request, ownedProduct(seller.id, params.productId));
  const { submission, wrong, posted } = await readProductForm(request, seller.id, productForm);
  const reply = withErrors(submission, wrong);
  if (reply || submission.status !== "success") return reply;
  try {
    const fields = posted.has("over") ? withoutRemovedIds(submission.value, product) : submission.value;
    await updateProduct(seller.id, product.id, fields, formVersion(posted));
  } catch (error) {
    if (isStale(error)) {
      const now = await orRefusedPage(request, ownedProduct(seller.id, params.productId));
      const current = { saved: productDefaults(now), version: productVersion(now) };
      const result = conflictResult(submission, posted, current, PRODUCT_FIELDS);
      const warnings = describeRemovedRows(submission.value, now);
      return data({ ...result, conflict: { ...result.conflict, warnings } }, { status: 409 });
    }
    return refusedForm(submission, error, request);
  }
  const note = undeliveredNote(await listContent(seller.id, product.id));
  return redirectWithMessage(paths.products(), `Produto "${submission.value.name}" atualizado${note}`);
}

/** @throws Refusal not-found */
async function ownedProduct(sellerId: string, id: string | undefined) {
  return findProduct(sellerId, parseProductId(id));
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao atualizar produto");
}

export { unlessUnreachable as shouldRevalidate };

export default function EditProduct() {
  const loaded = useLoaderData<typeof loader>();
  const { id, name, checkoutSlug, active, missing } = loaded;
  const { values, key, onSaved } = useRestoredForm("produto", loaded);
  const lastResult = useActionData<typeof clientAction>() as FormReply | undefined;
  const checkout = paths.checkout({ id, checkoutSlug });
  return (
    <Screen
      width="form"
      title="Editar Produto"
      text={name}
      save={{ form: "produto", label: "Atualizar Produto", cancel: paths.products() }}
      links={
        <>
          <Link to={paths.productContent(id)} className={LINK}>
            <FolderOpen className="size-4" aria-hidden="true" />
            Conteúdo
          </Link>
          <Link to={paths.offers(id)} className={LINK}>
            <Tags className="size-4" aria-hidden="true" />
            Ofertas e lotes
          </Link>
          <Link to={paths.productLinks(id)} className={LINK}>
            <Link2 className="size-4" aria-hidden="true" />
            Links e QR code
          </Link>
          <a
            href={active ? checkout : paths.productPreview(id)}
            target="_blank"
            rel="noreferrer"
            className={LINK}
          >
            <ExternalLink className="size-4" aria-hidden="true" />
            Visualizar
            <span className="sr-only"> {active ? "checkout" : "prévia do checkout"} (abre em nova aba)</span>
          </a>
          <CopyButton
            text={checkout}
            label="Copiar link"
            done="Link copiado para a área de transferência!"
            className={STYLE}
          />
        </>
      }
    >
      <UndeliveredWarning productId={id} missing={missing} />
      <ProductForm
        key={`${id}/${key}`}
        stage="known"
        defaults={values.defaults}
        version={values.version}
        lastResult={lastResult ?? null}
        reload={paths.product(id)}
        onSaved={onSaved}
        submit="Atualizar Produto"
      />
    </Screen>
  );
}

const STYLE = "border-base-300 bg-base-100 px-3";
const LINK = `btn min-h-11 ${STYLE}`;

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: error ? errorPageTitle(error) : `${data ? `Editar ${data.name}` : "Produto"} · Checkintelli` },
];

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isMissing(error);
  const text = missing ? undefined : (refusalText(error) ?? "Erro ao carregar produto");
  return <ErrorScreen missing={missing} text={text} />;
}
