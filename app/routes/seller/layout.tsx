import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { DeskFrame } from "#app/ui/seller/frame/frame.tsx";
import { readFlash } from "#app/web/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/web/session/guards.server.ts";
import { renewCookies } from "#app/web/session/interrupted-form.server.ts";
import { provider } from "#app/web/session/oauth.server.ts";

/** The frame around every page of the desk. Each page calls the guard itself too: its loader can run without this one. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { id, name, email, pictureUrl } = await requireSellerEvenClosed(request);
  const { flash, headers: flashed } = await readFlash(request);
  const headers = new Headers(flashed);
  for (const cookie of await renewCookies(request, id)) headers.append("Set-Cookie", cookie);
  return data(
    {
      seller: { name, email, pictureUrl },
      provider: provider.configured ? provider.label : null,
      flash,
    },
    { headers },
  );
}

export { unlessUnreachable as shouldRevalidate };

export default function Desk() {
  const { seller, provider, flash } = useLoaderData<typeof loader>();
  return (
    <DeskFrame seller={seller} provider={provider} flash={flash}>
      <Outlet />
    </DeskFrame>
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
    <DeskFrame seller={framed.seller} provider={framed.provider} flash={null}>
      {screen}
    </DeskFrame>
  );
}
