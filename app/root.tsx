import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { readTheme } from "#app/server/session/theme.server.ts";
import { Nonce } from "#app/ui/nonce.ts";
import { unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import styles from "#app/ui/seller/seller.css";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

/** Also of every error page, for which the page's own meta function is not called. */
export const meta: MetaFunction = ({ error }) => [{ title: error ? errorPageTitle(error) : "Checkintelli" }];

export async function loader({ request }: LoaderFunctionArgs) {
  return { theme: await readTheme(request) };
}

export { unlessUnreachable as shouldRevalidate };

export default function App() {
  return <Outlet />;
}

const THEMES = { dark: "escuro", light: "claro" };

/** The document of every hydrated page; buyer pages have their own (ui/buyer/document.tsx). */
export function Layout({ children }: { children: ReactNode }) {
  const theme = useRouteLoaderData<typeof loader>("root")?.theme;
  const nonce = useContext(Nonce);
  return (
    <html lang="pt-BR" data-theme={theme && THEMES[theme]}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body className="min-h-dvh bg-base-200 text-base-content antialiased">
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <main className="min-h-dvh px-4">
      <ErrorScreen missing={isMissing(error)} text={refusalText(error)} />
    </main>
  );
}
