import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  useActionData,
  useLoaderData,
  useOutletContext,
  useParams,
  useRouteError,
  useSearchParams,
} from "@remix-run/react";
import { customerForm } from "#app/domain/access/correction/customer-form.server.ts";
import { customerVersion, editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { listDownloads } from "#app/domain/access/list-downloads.server.ts";
import { findRefundRequest } from "#app/domain/refund/asked/list-refund-requests.server.ts";
import { showDisputes } from "#app/domain/refund/show-disputes.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { lookAtDocument } from "#app/domain/sale/look-at-document.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { resend } from "#app/routes/seller/reports/resend.server.ts";
import { RESEND_FAILED, resendIntent } from "#app/routes/seller/reports/resend.tsx";
import { AskedRefund, DECLINE } from "#app/routes/seller/sale/asked-refund.tsx";
import { SaleCampaign } from "#app/routes/seller/sale/campaign.tsx";
import { SaleCustomer, SHOW_DOCUMENT } from "#app/routes/seller/sale/customer.tsx";
import { decline } from "#app/routes/seller/sale/decline.server.ts";
import { SaleDeliveries } from "#app/routes/seller/sale/deliveries.tsx";
import { DisputePanel } from "#app/routes/seller/sale/dispute-panel.tsx";
import { SaleDownloads } from "#app/routes/seller/sale/downloads.tsx";
import { SaleHistory } from "#app/routes/seller/sale/history.tsx";
import { SaleInfo } from "#app/routes/seller/sale/info.tsx";
import { disputesAsShown, refundAsShown } from "#app/routes/seller/sale/refund-view.server.ts";
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { orFormSays, orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";
import { RefundOutcome } from "#app/ui/seller/refund-form.tsx";
import { RefundPanel } from "#app/ui/seller/refund-panel.tsx";
import { conflictOf, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { badForm, parseForm, postedForm, refusedForm } from "#app/web/forms.server.ts";
import { orRefuse } from "#app/web/pages.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const [shown, refund, disputes, downloads, asked] = await Promise.all([
    orRefuse(request, showSale(seller.id, params.saleId)),
    orRefuse(request, showRefund(seller.id, params.saleId ?? "")),
    showDisputes(seller.id, params.saleId ?? ""),
    listDownloads(seller.id, params.saleId ?? ""),
    findRefundRequest(seller.id, params.saleId ?? ""),
  ]);
  return {
    ...shown,
    refund: refundAsShown(refund),
    disputes: disputesAsShown(refund, disputes, shown.sale.accessSuspendedAt),
    asked: asked && {
      state: asked.state,
      kind: asked.kind,
      reason: asked.reason,
      answerText: asked.answerText,
      failure: asked.failure,
      at: formatDateTime(asked.createdAt),
      due: formatDate(asked.due),
      isLate: asked.due < new Date(),
      amount: formatMoney(asked.leftCents),
      byHand: !refund.payments.some(({ role, until }) => role === "counts" && until > new Date()),
    },
    version: customerVersion(shown.sale),
    downloads: downloads.map((file) => ({ ...file, last: file.last && formatDateTime(file.last) })),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await postedForm(request);
  const query = new URL(request.url).searchParams;
  query.delete("edit");
  query.delete("confirm");
  const here = paths.sale(params.saleId!, query.toString());
  if (form.get("intent") === resendIntent(params.saleId!))
    return resend(request, seller.id, params.saleId!, here);
  if (form.get("intent") === SHOW_DOCUMENT)
    return { document: await orRefuse(request, lookAtDocument(seller.id, params.saleId)) };
  if (form.get("intent") === DECLINE) return decline(request, seller.id, params.saleId!, { form, here });
  const submission = parseForm(form, customerForm);
  if (submission.status !== "success") return badForm(submission);
  const { customer_name: name, customer_email: email } = submission.value;
  try {
    await editCustomer(seller.id, params.saleId, { name, email }, shownVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const { sale } = await orRefuse(request, showSale(seller.id, params.saleId));
      const saved = { customer_name: sale.customerName, customer_email: sale.customerEmail };
      const labels = { customer_name: "Nome", customer_email: "Email" };
      return conflictOf(submission, form, { saved, version: customerVersion(sale) }, labels);
    }
    const said =
      error instanceof Refusal && !error.field ? new Refusal(error.kind, `Erro: ${error.message}`) : error;
    return refusedForm(submission, said, request);
  }
  return redirectSaying(here, "Dados do cliente atualizados com sucesso!");
}

/** Where the network fails what was typed stays and the page says so. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const answer = serverAction<typeof action>();
  if (form.get("intent") === SHOW_DOCUMENT)
    return orUnreachable(answer, { failed: "Erro ao abrir o documento do cliente" });
  if (form.get("intent") === DECLINE)
    return orUnreachable(answer, {
      status: "error" as const,
      initialValue: { intent: DECLINE },
      error: { "": ["Sem conexão: a resposta não foi enviada. O que você escreveu continua aqui."] },
    });
  if (form.has("intent")) return orUnreachable(answer, { failed: RESEND_FAILED });
  return orFormSays(answer, "Erro ao atualizar dados do cliente");
}

export { unlessUnreachable as shouldRevalidate };

/** A form's reply, what did not work, or a document that was asked for. */
type Reply = KeptReply | { failed: string } | { document: string };

export default function Sale() {
  const shown = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action | typeof clientAction>() as Reply | undefined;
  const { failed, document, ...result } = { failed: null, document: null, ...reply };
  const [query] = useSearchParams();
  const { sale } = shown;
  const kept = reply && !failed && !document ? (result as KeptReply) : null;
  const isDecline = kept?.initialValue?.intent === DECLINE;
  return (
    <SaleFrame>
      {reply && failed && <Outcome about={reply} tone="error" text={failed} />}
      <RefundOutcome saleId={sale.id} />
      <div className="flex flex-col gap-4">
        <SaleInfo shown={shown} />
        <SaleCustomer
          key={query.get("edit") ?? ""}
          sale={sale}
          editing={query.get("edit") === "customer"}
          version={shown.version}
          document={document}
          lastResult={isDecline ? null : kept}
        />
        <AskedRefund saleId={sale.id} request={shown.asked} reply={isDecline ? kept : null} />
        <RefundPanel refund={shown.refund} asked={query.get("confirm")} />
        <DisputePanel {...shown.disputes} />
        <SaleCampaign sale={sale} />
        <SaleDownloads saleId={sale.id} files={shown.downloads} />
        <SaleDeliveries sale={sale} deliveries={shown.deliveries} />
        <SaleHistory saleId={sale.id} timeline={shown.timeline} />
      </div>
    </SaleFrame>
  );
}

/** The head of a sale: a page's with the way back, or a dialog's, which repeats what the frame says behind it. */
function SaleFrame({ children }: { children: React.ReactNode }) {
  const inDialog = useOutletContext<{ inDialog: true } | undefined>()?.inDialog === true;
  const { saleId = "" } = useParams();
  const [query] = useSearchParams();
  const list = new URLSearchParams(query);
  list.delete("edit");
  list.delete("confirm");
  const number = (
    <span className="block break-all font-mono font-normal text-base-content/70 text-sm tracking-normal">
      #{saleId}
    </span>
  );
  if (!inDialog)
    return (
      <Screen
        width="form"
        title={<span id="venda-titulo">Detalhes da Venda {number}</span>}
        back={{ to: paths.reports(list.toString()), label: "Relatórios" }}
      >
        {children}
      </Screen>
    );
  return (
    <>
      <h2 id="venda-titulo" className="mb-5 font-semibold text-xl tracking-tight sm:text-2xl">
        Detalhes da Venda {number}
      </h2>
      {children}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: "Detalhes da venda · Checkintelli" }];

export function ErrorBoundary() {
  const error = useRouteError();
  const text = isMissing(error)
    ? "Venda não encontrada"
    : (refusalText(error) ?? "Erro ao carregar detalhes da venda");
  return (
    <SaleFrame>
      <Notice tone="error" text={text} />
    </SaleFrame>
  );
}
