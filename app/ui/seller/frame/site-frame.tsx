import { Link, useInRouterContext } from "@remix-run/react";
import type { ReactNode } from "react";
import { yearOf } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { Brand } from "#app/ui/seller/frame/brand.tsx";
import { ThemeToggle } from "#app/ui/seller/frame/theme-toggle.tsx";

/** Top bar and footer of the public site. `at`: its URL, in a document without a router. */
export function SiteFrame({
  signedIn,
  at,
  children,
}: {
  signedIn: boolean;
  at?: string;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col bg-base-100">
      <a
        href="#conteudo"
        className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0"
      >
        Pular para o conteúdo
      </a>
      <header className="sticky top-0 z-20 border-base-300 border-b bg-base-100">
        <nav
          aria-label="Principal"
          className="mx-auto flex h-16 max-w-6xl items-center gap-1 px-4 sm:gap-2 sm:px-6"
        >
          <AnyLink to={paths.home()} className="flex min-h-11 items-center">
            <Brand />
          </AnyLink>
          <div className="ml-auto flex items-center gap-1 sm:gap-2">
            <ThemeToggle at={at} />
            {signedIn ? (
              <AnyLink to={paths.dashboard()} className="btn btn-primary min-h-11">
                Dashboard
              </AnyLink>
            ) : (
              <>
                <AnyLink to={paths.login()} className="btn btn-ghost min-h-11 px-3">
                  Entrar
                </AnyLink>
                <AnyLink to={paths.register()} className="btn btn-primary hidden min-h-11 sm:inline-flex">
                  Começar grátis
                </AnyLink>
              </>
            )}
          </div>
        </nav>
      </header>
      <main id="conteudo" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="border-base-300 border-t bg-base-200">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-8 text-base-content/75 text-sm sm:px-6">
          <p className="mr-auto">© 2024–{yearOf(new Date())} Checkintelli. Todos os direitos reservados.</p>
          <AnyLink to={paths.terms()} className="link link-hover inline-flex min-h-11 items-center">
            Termos de uso
          </AnyLink>
          <AnyLink to={paths.privacy()} className="link link-hover inline-flex min-h-11 items-center">
            Privacidade
          </AnyLink>
          <a href={paths.developers()} className="link link-hover inline-flex min-h-11 items-center">
            API
          </a>
        </div>
      </footer>
    </div>
  );
}

type Props = { to: string; className?: string; children: ReactNode };

/** A link for hydrated pages as well as for documents rendered without a router. */
export function AnyLink({ to, ...props }: Props) {
  return useInRouterContext() ? <Link to={to} {...props} /> : <a href={to} {...props} />;
}
