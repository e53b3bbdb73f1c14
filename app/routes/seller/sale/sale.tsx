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
import { customerVersion } from "#app/domain/access/correction/edit-customer.server.ts";
import { listDownloads } from "#app/domain/access/list-downloads.server.ts";
import { isUndecided } from "#app/domain/refund/is-under-way.ts";
import { findRefundRequest } from "#app/domain/refund/request/list-refund-requests.server.ts";
import { showDisputes } from "#app/domain/refund/show-disputes.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";
import { revealDocument } from "#app/domain/sale/reveal-document.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { resend } from "#app/routes/seller/resend.server.ts";
import { SaleCampaign } from "#app/routes/seller/sale/campaign.tsx";
import { SaleCustomer, SHOW_DOCUMENT } from "#app/routes/seller/sale/customer.tsx";
import { decline } from "#app/routes/seller/sale/decline.server.ts";
import { DisputePanel } from "#app/routes/seller/sale/dispute-panel.tsx";
import { SaleDownloads } from "#app/routes/seller/sale/downloads.tsx";
import { SaleHistory } from "#app/routes/seller/sale/history.tsx";
import { SaleInfo } from "#app/routes/seller/sale/info.tsx";
import { SaleMails } from "#app/routes/seller/sale/mails.tsx";
import { DECLINE, RefundRequestCard } from "#app/routes/seller/sale/refund-request.tsx";
import { toDisputesView, toRefundPanelView } from "#app/routes/seller/sale/refund-view.server.ts";
import { UndecidedCards } from "#app/routes/seller/sale/undecided-cards.tsx";
import { conflictResponse, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { editLimitedCustomer } from "#app/server/forms/edit-limited-customer.server.ts";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";
import { RefundOutcome } from "#app/ui/seller/refund-form.tsx";
import { RefundPanel } from "#app/ui/seller/refund-panel.tsx";
import { RESEND_FAILED, resendIntent } from "#app/ui/seller/sale/resend-button.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const [view, refund, disputes, downloads, refundRequest] = await Promise.all([
    orRefusedPage(request, showSale(seller.id, params.saleId)),
    orRefusedPage(request, showRefund(seller.id, params.saleId ?? "")),
    showDisputes(seller.id, params.saleId ?? ""),
    listDownloads(seller.id, params.saleId ?? ""),
    findRefundRequest(seller.id, params.saleId ?? ""),
  ]);
  return {
    ...view,
    refund: toRefundPanelView(refund),
    disputes: toDisputesView(refund, disputes, view.sale.accessSuspendedAt),
    refundRequest: refundRequest && {
      state: refundRequest.state,
      isErased: refundRequest.isErased,
      kind: refundRequest.kind,
      reason: refundRequest.reason,
      answerText: refundRequest.answerText,
      failure: refundRequest.failure,
      at: formatDateTime(refundRequest.createdAt),
      due: formatDate(refundRequest.due),
      isLate: refundRequest.due < new Date(),
      amount: formatMoney(refundRequest.leftCents),
      isManual: !refund.payments.some(
        ({ kind, refundableUntil: until, ...payment }) =>
          kind === "counts" && (until > new Date() || isUndecided(payment)),
      ),
    },
    version: customerVersion(view.sale),
    downloads: downloads.map((file) => ({ ...file, last: file.last && formatDateTime(file.last) })),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readPostedForm(request);
  const query = new URL(request.url).searchParams;
  query.delete("confirm");
  // With the open form of the buyer: what is typed in it stays.
  const here = paths.sale(params.saleId!, query.toString());
  if (form.get("intent") === resendIntent(params.saleId!))
    return resend(request, seller.id, params.saleId!, here);
  if (form.get("intent") === SHOW_DOCUMENT)
    return { document: await orRefusedPage(request, revealDocument(seller.id, params.saleId)) };
  if (form.get("intent") === DECLINE) return decline(request, seller.id, params.saleId!, { form, here });
  const submission = parseForm(form, customerForm);
  if (submission.status !== "success") return invalidForm(submission);
  const { customer_name: name, customer_email: email } = submission.value;
  try {
    await editLimitedCustomer(request, seller.id, params.saleId, { name, email }, formVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const { sale } = await orRefusedPage(request, showSale(seller.id, params.saleId));
      const saved = { customer_name: sale.customerName, customer_email: sale.customerEmail };
      const labels = { customer_name: "Nome", customer_email: "Email" };
      return conflictResponse(submission, form, { saved, version: customerVersion(sale) }, labels);
    }
    const reason =
      error instanceof Refusal && !error.field
        ? new Refusal(error.kind, `Erro: ${error.message}`, undefined, error.retryAfter)
        : error;
    return refusedForm(submission, reason, request);
  }
  query.delete("edit");
  return redirectWithMessage(
    paths.sale(params.saleId!, query.toString()),
    "Dados do cliente atualizados com sucesso!",
  );
}

/** If the network fails, what was typed stays and the page shows an error. */
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
  return orFormError(answer, "Erro ao atualizar dados do cliente");
}

export { unlessUnreachable as shouldRevalidate };

/** A form's reply, an error, or a requested document. */
type Reply = FormReply | { failed: string } | { document: string };

export default function Sale() {
  const view = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action | typeof clientAction>() as Reply | undefined;
  const { failed, document, ...result } = { failed: null, document: null, ...reply };
  const [query] = useSearchParams();
  const { sale } = view;
  const formReply = reply && !failed && !document ? (result as FormReply) : null;
  const isDecline = formReply?.initialValue?.intent === DECLINE;
  return (
    <SaleFrame>
      {reply && failed && <Outcome about={reply} tone="error" text={failed} />}
      <RefundOutcome saleId={sale.id} />
      <div className="flex flex-col gap-4">
        <SaleInfo view={view} />
        <UndecidedCards saleId={sale.id} cards={view.undecidedCards} />
        <SaleCustomer
          sale={sale}
          editing={query.get("edit") === "customer"}
          version={view.version}
          document={document}
          lastResult={isDecline ? null : formReply}
        />
        <RefundRequestCard
          saleId={sale.id}
          request={view.refundRequest}
          reply={isDecline ? formReply : null}
        />
        <RefundPanel refund={view.refund} confirmingChargeId={query.get("confirm")} />
        <DisputePanel {...view.disputes} />
        <SaleCampaign sale={sale} />
        <SaleDownloads saleId={sale.id} files={view.downloads} />
        <SaleMails sale={sale} mails={view.saleMails} />
        <SaleHistory saleId={sale.id} view={view} />
      </div>
    </SaleFrame>
  );
}

/** The head of a sale: with a back link on a page, or with the title again in a dialog. */
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

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  const whose = data && (buyerLabel(data.sale) ?? data.sale.customerEmail);
  if (error) return [{ title: errorPageTitle(error) }];
  return [{ title: `${whose ? `${whose} · ` : ""}Detalhes da venda · Checkintelli` }];
};

export function ErrorBoundary() {
  const error = useRouteError();
  const text = isMissing(error)
    ? "Venda não encontrada"
    : (refusalText(error) ?? "Erro ao carregar detalhes da venda");
  return (
    <SaleFrame>
      <Alert tone="error" text={text} />
    </SaleFrame>
  );
}
