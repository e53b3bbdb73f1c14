import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  Link,
  useActionData,
  useLoaderData,
  useRouteError,
} from "@remix-run/react";
import { findTrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { resendTracking } from "#app/domain/tracking/resend-tracking.server.ts";
import { showTrackingDebug } from "#app/domain/tracking/show-tracking-debug.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { readCursors, writeCursor } from "#app/kit/paginate.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { RecentEvents } from "#app/routes/seller/settings/utmfy/debug-events.tsx";
import { CompletedSales } from "#app/routes/seller/settings/utmfy/debug-sales.tsx";
import { TrackingConfiguration } from "#app/routes/seller/settings/utmfy/debug-state.tsx";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

/** Completed sales per page: a phone still shows what is above them. */
const PAGE = 10;

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const query = new URL(request.url).searchParams;
  const page = { limit: PAGE, ...(await orRefusedPage(request, () => readCursors(query))) };
  const [{ connection, endpoint, headerFormat, products, events, queued, sales }, state] = await Promise.all([
    showTrackingDebug(seller.id, page),
    findTrackingState(seller.id),
  ]);
  return {
    state: {
      ...state,
      enabled: connection.enabled,
      token: connection.token,
      events: connection.events,
      sourceId: connection.sourceId,
      endpoint,
      headerFormat,
      queued,
      products: products.map(({ id, name }) => ({ id, name })),
    },
    events: events.map((event) => ({ ...event, attemptedAt: formatDateTime(event.attemptedAt) })),
    newer: sales.newer && writeCursor(sales.newer),
    older: sales.older && writeCursor(sales.older),
    sales: sales.items.map(({ amountCents, createdAt, ...sale }) => ({
      ...sale,
      amount: formatMoney(amountCents),
      createdAt: formatDateTime(createdAt),
    })),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const intent = String((await readPostedForm(request)).get("intent"));
  try {
    await throttle("outside-call", request, seller.id);
    const resent = await resendTracking(seller.id, intent.replace(/^retry:/, ""));
    const here = paths.trackingDebug(new URL(request.url).search);
    if (resent.success) return await redirectWithMessage(here, resent.message);
    return data({ failed: `Erro ao reenviar: ${resent.message}` });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, status } = toFailure(error, request);
    return data({ failed: `Erro ao reenviar: ${message}` }, status);
  }
}

export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), { failed: "Erro ao reenviar evento" });
}

export const shouldRevalidate = unlessUnreachable;

export default function TrackingDebug() {
  const { state, events, sales, newer, older } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <Screen
      width="list"
      back={BACK}
      title="Debug do rastreamento"
      text="O que foi informado à UTMify e o que ela respondeu."
    >
      <div className="flex flex-col gap-6">
        {reply && "failed" in reply && <Outcome about={reply} tone="error" text={reply.failed} />}
        <TrackingConfiguration state={state} />
        <RecentEvents events={events} />
        <CompletedSales {...{ sales, newer, older }} />
        <nav aria-label="Veja também" className="flex flex-wrap gap-2">
          <Link to={paths.products()} className="btn btn-ghost min-h-11">
            Produtos
          </Link>
          <Link to={paths.reports()} className="btn btn-ghost min-h-11">
            Relatórios
          </Link>
        </nav>
      </div>
    </Screen>
  );
}

const BACK = { to: paths.trackingSettings(), label: "Rastreamento UTMify" };

export const meta: MetaFunction = () => [{ title: "Debug do rastreamento · Checkintelli" }];

export function ErrorBoundary() {
  const refusal = refusalText(useRouteError());
  return (
    <Screen width="list" back={BACK} title="Debug do rastreamento">
      <Alert tone="error" text={refusal ?? "Erro ao carregar dados de debug"} />
    </Screen>
  );
}
