import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";
import styles from "#app/ui/seller/seller.css";
import { readTheme } from "#app/web/theme.server.ts";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: MetaFunction = () => [{ title: "Checkintelli" }];

export async function loader({ request }: LoaderFunctionArgs) {
  return { theme: await readTheme(request) };
}

export default function App() {
  return <Outlet />;
}

/** The document of every hydrated page; buyer pages have their own (ui/buyer/document.tsx). */
export function Layout({ children }: { children: ReactNode }) {
  const theme = useRouteLoaderData<typeof loader>("root")?.theme;
  return (
    <html lang="pt-BR" data-theme={theme === "dark" ? "escuro" : theme === "light" ? "claro" : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body className="min-h-dvh bg-base-200 text-base-content antialiased">
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-6">
      <title>{missing ? "Página não encontrada" : "Algo deu errado"}</title>
      <h1 className="text-2xl font-semibold">{missing ? "Página não encontrada" : "Algo deu errado"}</h1>
      <p>
        {missing
          ? "O endereço não existe ou o item não é seu."
          : isRouteErrorResponse(error) && typeof error.data === "string"
            ? error.data
            : "Já registramos o problema. Tente de novo em alguns instantes."}
      </p>
      <a className="btn btn-primary w-fit" href={paths.home()}>
        Voltar ao início
      </a>
    </main>
  );
}
