import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { DeskFrame } from "#app/ui/seller/frame/frame.tsx";
import { readFlash } from "#app/web/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/web/session/guards.server.ts";

/** The frame around every page of the desk. Each page calls the guard itself too: its loader can run without this one. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { name, email, pictureUrl } = await requireSellerEvenClosed(request);
  const { flash, headers } = await readFlash(request);
  return data({ seller: { name, email, pictureUrl }, flash }, { headers });
}

export { unlessUnreachable as shouldRevalidate };

export default function Desk() {
  const { seller, flash } = useLoaderData<typeof loader>();
  return (
    <DeskFrame seller={seller} flash={flash}>
      <Outlet />
    </DeskFrame>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const framed = useRouteLoaderData<typeof loader>("routes/seller/layout");
  const screen = <ErrorScreen missing={isMissing(error)} text={refusalText(error)} />;
  if (!framed) return <main className="px-4">{screen}</main>;
  return (
    <DeskFrame seller={framed.seller} flash={null}>
      {screen}
    </DeskFrame>
  );
}
