import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { readFlash } from "#app/server/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { identityProvider } from "#app/server/session/oauth.server.ts";
import { pageAccount } from "#app/server/session/page-account.server.ts";
import { renewCookies } from "#app/server/session/remembered-account.server.ts";
import { unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { SellerFrame } from "#app/ui/seller/frame/frame.tsx";

/**
 * The layout around every page of the dashboard. Each page calls the guard itself too: its loader can run without this one.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const { id, name, email, pictureUrl } = await requireSellerEvenClosed(request);
  const { flash, headers: flashed } = await readFlash(request);
  const headers = new Headers(flashed);
  for (const cookie of await renewCookies(request, id)) headers.append("Set-Cookie", cookie);
  return data(
    {
      seller: { name, email, pictureUrl },
      account: pageAccount(id),
      provider: identityProvider.configured ? identityProvider.label : null,
      flash,
    },
    { headers },
  );
}

export { unlessUnreachable as shouldRevalidate };

export default function SellerLayout() {
  const { seller, account, provider, flash } = useLoaderData<typeof loader>();
  return (
    <SellerFrame seller={seller} account={account} provider={provider} flash={flash}>
      <Outlet />
    </SellerFrame>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const framed = useRouteLoaderData<typeof loader>("routes/seller/layout");
  const screen = (
    <ErrorScreen missing={isMissing(error)} text={refusalText(error)} home={framed && paths.dashboard()} />
  );
  if (!framed) return <main className="px-4">{screen}</main>;
  return (
    <SellerFrame seller={framed.seller} account={framed.account} provider={framed.provider} flash={null}>
      {screen}
    </SellerFrame>
  );
}
