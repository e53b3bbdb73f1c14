import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  Link,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from "@remix-run/react";
import { Scale } from "lucide-react";
import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { scheduleReconciliation } from "#app/domain/reconciliation/schedule-reconciliation.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { DataAge } from "#app/routes/seller/reports/data-age.tsx";
import { Days } from "#app/routes/seller/reports/reconciliation/days.tsx";
import { Differences } from "#app/routes/seller/reports/reconciliation/differences.tsx";
import { ChooseMonth } from "#app/routes/seller/reports/reconciliation/month.tsx";
import { loadReconciliation } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";
import { Result } from "#app/routes/seller/reports/reconciliation/result.tsx";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { ageInMinutes, readReport } from "#app/server/request/read-report.server.ts";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const query = new URL(request.url).searchParams;
  const { report, dataTime } = await orRefusedPage(
    request,
    readReport(request, seller.id, () => loadReconciliation(seller.id, query, new Date())),
  );
  return { ...report, dataAge: ageInMinutes(dataTime) };
}

/** The page's only action: schedules the checks of what is not confirmed. */
export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  await readPostedForm(request);
  const query = new URL(request.url).searchParams;
  try {
    await throttle("reconcile", request, seller.id);
    const scheduled = await scheduleReconciliation(seller.id, readReconciledDays(query, new Date()));
    return redirectWithMessage(paths.reconciliation(query.toString()), scheduledText(scheduled));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = toFailure(error, request);
    return data({ failed: failure.message }, { status: failure.status, headers: retryHeaders(failure) });
  }
}

function scheduledText(scheduled: number): string {
  if (scheduled === 0) return "Não há pagamento para conferir agora.";
  const payments = scheduled === 1 ? "1 pagamento" : `${scheduled.toLocaleString("pt-BR")} pagamentos`;
  return `Vamos perguntar ao provedor por ${payments}, um de cada vez. Volte em alguns minutos.`;
}

/** If the network fails, the page stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), { failed: "Sem conexão: nada foi agendado." });
}

export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  return unlessUnreachable(change);
}

/** Our payments of a month beside what their providers say. */
export default function Reconciliation() {
  const view = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action | typeof clientAction>();
  return (
    <Screen
      width="list"
      title="Conciliação"
      text="O que está lançado aqui, e o que o provedor diz de cada pagamento: no extrato do dia, lido na manhã seguinte, onde o provedor tem um, e por cada pagamento cerca de um dia depois de pago. O botão pergunta já."
      back={{ to: paths.reports(), label: "Relatórios" }}
      action={<ChooseMonth view={view} />}
    >
      {reply && "failed" in reply && <Outcome about={reply} tone="error" text={reply.failed} />}
      {view.unknownMonth && (
        <Alert tone="warning" live={false} className="mb-4">
          Não conhecemos o mês “{view.unknownMonth}”: este é {view.label}.
        </Alert>
      )}
      <DataAge minutes={view.dataAge} />
      {view.isEmpty && view.days.length === 0 ? (
        <Card>
          <EmptyState
            icon={Scale}
            title={`Nenhum pagamento em ${view.label}`}
            text="Cada pagamento aparece aqui no dia em que foi pago, e é conferido com o provedor."
          />
        </Card>
      ) : (
        <div className="flex flex-col gap-6">
          <Result view={view} />
          <Differences view={view} />
          <Days view={view} />
          <p className="text-base-content/70 text-sm">
            O provedor tem um extrato em CSV?{" "}
            <Link to={paths.importStatement()} className="link">
              Confira também com o extrato
            </Link>
            .
          </p>
        </div>
      )}
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Conciliação · Checkintelli" }];
