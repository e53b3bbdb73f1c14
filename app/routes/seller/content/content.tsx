import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  Link,
  useActionData,
  useLoaderData,
  useRouteError,
  useSearchParams,
} from "@remix-run/react";
import { Eye } from "lucide-react";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { readOwner } from "#app/domain/content/lock-own-content.server.ts";
import { listUndelivered } from "#app/domain/content/undelivered.ts";
import { itemVersion, orderVersion } from "#app/domain/content/version.server.ts";
import { hasOfferOfChosenContent } from "#app/domain/offer/find-offer.server.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { CONTENT_ACTIONS } from "#app/routes/seller/content/actions.server.ts";
import { ContentEditor } from "#app/routes/seller/content/editor.tsx";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedFiles } from "#app/server/forms/forms.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { UndeliveredWarning } from "#app/ui/seller/content/undelivered-warning.tsx";
import { nextStep } from "#app/ui/seller/first-steps/next-step.server.ts";
import { NextStepStrip } from "#app/ui/seller/first-steps/next-step.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const contents = await orRefusedPage(request, listed(seller.id, params.productId));
  const ownerName = new URL(request.url).searchParams.get("for") || "product";
  const content = contents.find(({ key }) => key === ownerName);
  if (!content) throw await orRefusedPage(request, Promise.reject(notFound()));
  const next = await nextStep(seller, "product");
  const productId = parseProductId(params.productId);
  return {
    // An inactive product can be activated on this page.
    next: next?.step.action.to === paths.productContent(productId) ? null : next,
    productId,
    name: contents[0]!.name,
    active: contents[0]!.active,
    isDeleted: contents[0]!.isDeleted,
    hasContent: contents[0]!.items.length > 0 || contents[0]!.fileUrl !== null,
    missing: listUndelivered(contents),
    isChosenByOffers:
      content.owner.kind === "product" && (await hasOfferOfChosenContent({ sellerId: seller.id, productId })),
    tabs: contents.map(({ key, name, owner }) => ({ key, name, kind: owner.kind })),
    content: {
      ...content,
      order: orderVersion(content.items),
      items: content.items.map((item) => ({ ...item, version: itemVersion(item) })),
    },
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  // Another seller's product is a 404, whatever is posted.
  await orRefusedPage(request, listed(seller.id, params.productId));
  const id = parseProductId(params.productId);
  const owner = await orRefusedPage(request, ownerOf(id, new URL(request.url)));
  const { form: sent, files } = await readPostedFiles(request);
  const file = files.get("file");
  const form = withIntent(sent);
  const act = Object.entries(CONTENT_ACTIONS).find(([name]) => name === form.get("intent"))?.[1];
  if (!act) throw new Response("Ação desconhecida", { status: 400 });
  return act({ request, sellerId: seller.id, productId: id, owner, form, file: file?.size ? file : null });
}

/** @throws Refusal not-found */
async function listed(sellerId: string, id: string | undefined) {
  return listContent(sellerId, parseProductId(id));
}

/** @throws Refusal not-found */
async function ownerOf(id: number, url: URL) {
  return readOwner(id, url.searchParams.get("for") ?? "");
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const intent = String(form.get("intent") ?? form.get("saves"));
  const message = "Sem conexão: nada foi salvo.";
  const answer = serverAction<typeof action>();
  if (!["save", "add-link", "add-text"].includes(intent))
    return orUnreachable(answer, { about: "page", message });
  const about = intent === "save" ? String(form.get("id")) : intent;
  return orUnreachable(answer, { about, result: { status: "error" as const, error: { "": [message] } } });
}

export { unlessUnreachable as shouldRevalidate };

const CHOSEN_BY_OFFERS =
  " Por uma oferta com conteúdo marcado chega só o que está marcado nela: o que você incluir aqui, marque também na oferta. Por uma que foi excluída não chega.";

const KINDS = { product: "Produto", bump: "Order bump", offer: "Oferta", removed: "Removido" };

export default function Content() {
  const { next, productId, name, active, isDeleted, hasContent, missing, isChosenByOffers, tabs, content } =
    useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as Reply | undefined;
  const [query] = useSearchParams();
  return (
    <Screen
      width="form"
      back={
        isDeleted
          ? { to: paths.products(), label: "Produtos" }
          : { to: paths.product(productId), label: "Editar produto" }
      }
      title="Conteúdo"
      text={`O que recebe quem compra ${name}. Quem já comprou recebe também o que você incluir ou substituir aqui.${isChosenByOffers ? CHOSEN_BY_OFFERS : ""}`}
      action={
        <a
          href={paths.contentPreview(productId, content.key)}
          target="_blank"
          rel="noreferrer"
          className="btn min-h-11 border-base-300 bg-base-100"
        >
          <Eye className="size-4" aria-hidden="true" />
          Ver como o comprador<span className="sr-only"> (abre em nova aba)</span>
        </a>
      }
    >
      {tabs.length > 1 && (
        <LinkTabs
          label="De quem é o conteúdo"
          current={content.key}
          tabs={tabs.map(({ key, name, kind }) => ({
            id: key,
            label: kind === "product" ? KINDS.product : `${KINDS[kind]}: ${name}`,
            href: paths.productContent(productId, key),
          }))}
        />
      )}
      <NextStepStrip next={next} />
      {isDeleted || content.owner.kind === "removed" ? (
        <Alert
          tone="info"
          live={false}
          className="mb-4"
          text={`${isDeleted ? "Este produto foi apagado" : `“${content.name}” foi removido do produto`}: só quem já comprou recebe o que está aqui.`}
        />
      ) : (
        !active && <Inactive hasContent={hasContent} />
      )}
      <UndeliveredWarning productId={productId} missing={missing} shown={content.key} />
      {reply?.message && <Alert tone="error" text={reply.message} className="mb-4" />}
      <ContentEditor
        key={content.key}
        productId={productId}
        content={content}
        editing={query.get("edit")}
        results={reply?.result ? { [reply.about]: reply.result } : {}}
      />
      <p className="mt-6 text-base-content/70 text-sm">
        As aulas estão na Cademí ou na MemberKit?{" "}
        <Link to={paths.destinations("members")} className="link">
          Conecte a área de membros
        </Link>{" "}
        para liberar o acesso a cada venda, e inclua aqui o link de entrada dela.
      </p>
    </Screen>
  );
}

/** For an inactive product: what is missing, or the button that activates it. */
function Inactive({ hasContent }: { hasContent: boolean }) {
  return (
    <Alert tone="warning" live={false} className="mb-4">
      <p>
        {hasContent
          ? "Este produto está inativo: ninguém pode comprá-lo ainda."
          : "Este produto está inativo: falta o conteúdo. Envie um arquivo, ou inclua um link ou um texto, e ative-o."}
      </p>
      {hasContent && (
        <Form method="post" className="mt-3">
          <SubmitButton intent="activate" pending="Ativando...">
            Ativar produto
          </SubmitButton>
        </Form>
      )}
    </Alert>
  );
}

/** An action's reply, about the page, a new item, or one by its id. */
type Reply = { about: string; message?: string; result?: FormReply };

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: error ? errorPageTitle(error) : `Conteúdo de ${data?.name ?? "produto"} · Checkintelli` },
];

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isMissing(error);
  return (
    <ErrorScreen
      missing={missing}
      text={missing ? undefined : (refusalText(error) ?? "Erro ao carregar o conteúdo")}
    />
  );
}
