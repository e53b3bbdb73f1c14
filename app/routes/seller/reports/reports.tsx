import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
  useParams,
} from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { loadFunnel } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { FunnelTab } from "#app/routes/seller/reports/funnel/funnel.tsx";
import { loadMails } from "#app/routes/seller/reports/mails.server.ts";
import { MailsTab } from "#app/routes/seller/reports/mails.tsx";
import { loadRequests } from "#app/routes/seller/reports/requests.server.ts";
import { RequestsTab } from "#app/routes/seller/reports/requests.tsx";
import { loadSales } from "#app/routes/seller/reports/sales.server.ts";
import { SalesTab } from "#app/routes/seller/reports/sales.tsx";
import { ReportsScreen } from "#app/routes/seller/reports/screen.tsx";
import { resend } from "#app/routes/seller/resend.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { ageInMinutes, readReport } from "#app/server/request/read-report.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";
import { SaleDialog } from "#app/ui/seller/sale/dialog.tsx";
import { RESEND_FAILED, saleToResend } from "#app/ui/seller/sale/resend-button.tsx";

/** Null if the URL is a sale's: then only that page is shown and no report is computed. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  if (params.saleId) return null;
  const query = new URL(request.url).searchParams;
  const { report, dataTime } = await orRefusedPage(
    request,
    readReport(request, seller.id, () => load(seller.id, query)),
  );
  return { ...report, dataAge: ageInMinutes(dataTime) };
}

async function load(sellerId: string, query: URLSearchParams) {
  const tab = query.get("tab");
  if (tab === "funnel") return loadFunnel(sellerId, query);
  if (tab === "refunds") return loadRequests(sellerId, query);
  return tab === "emails" ? loadMails(sellerId, query) : loadSales(sellerId, query);
}

/** The lists' only action: mail a sale's access once more. */
export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const saleId = saleToResend((await readPostedForm(request)).get("intent")) ?? "";
  const here = paths.reports(new URL(request.url).searchParams.toString());
  return resend(request, seller.id, saleId, here);
}

/** If the network fails, the page stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), { failed: RESEND_FAILED });
}

/** Opening a sale over the list does not reload the list; closing it does, since the sale may have changed. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  if (change.nextParams.saleId) return false;
  return change.currentParams.saleId !== undefined || unlessUnreachable(change);
}

/** The reports; with a sale in the address either its page or, where it was opened from the list, a dialog over it. */
export default function Reports() {
  const report = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action | typeof clientAction>();
  const { saleId } = useParams();
  if (!report) return <Outlet />;
  return (
    <ReportsScreen report={report}>
      {reply && "failed" in reply && <Outcome about={reply} tone="error" text={reply.failed} />}
      <LinkTabs
        label="Relatórios"
        current={report.tab}
        tabs={TABS.map(({ id, label }) => ({
          id,
          label,
          href: paths.reports(`${id === "sales" ? "" : `tab=${id}&`}range=${report.range}`),
        }))}
      />
      {report.tab === "sales" && <SalesTab report={report} />}
      {report.tab === "funnel" && <FunnelTab report={report} />}
      {report.tab === "emails" && <MailsTab report={report} />}
      {report.tab === "refunds" && <RequestsTab report={report} />}
      {saleId && (
        <SaleDialog key={saleId}>
          <Outlet context={{ inDialog: true }} />
        </SaleDialog>
      )}
    </ReportsScreen>
  );
}

const TABS = [
  { id: "sales", label: "Vendas" },
  { id: "funnel", label: "Funil" },
  { id: "emails", label: "Entrega de Emails" },
  { id: "refunds", label: "Reembolsos" },
];

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const tab = TABS.find(({ id }) => id === data?.tab) ?? TABS[0]!;
  return [{ title: `${tab.label} · Relatórios · Checkintelli` }];
};
