import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";
import { Brand } from "#app/ui/seller/frame/brand.tsx";
import { ProgressBar } from "#app/ui/seller/progress-bar.tsx";

/** The layout of pages before signing in: one card with one task. */
export function AuthCard(props: { title: string; text?: ReactNode; children: ReactNode; below?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:justify-center">
      <ProgressBar />
      <header className="mb-6">
        <Link to={paths.home()} className="flex min-h-11 items-center text-lg">
          <Brand />
        </Link>
      </header>
      <main className="w-full max-w-md">
        <div className="rounded-box border border-base-300 bg-base-100 p-6 sm:p-8">
          <h1 className="font-semibold text-2xl tracking-tight">{props.title}</h1>
          {props.text && <div className="mt-2 text-base-content/75 text-sm">{props.text}</div>}
          <div className="mt-6 flex flex-col gap-4">{props.children}</div>
        </div>
        {props.below && <div className="mt-4 text-center text-sm">{props.below}</div>}
      </main>
      <footer className="mt-8 flex gap-4 text-base-content/70 text-xs">
        <Link to={paths.terms()} className="link link-hover inline-flex min-h-11 items-center">
          Termos de uso
        </Link>
        <Link to={paths.privacy()} className="link link-hover inline-flex min-h-11 items-center">
          Privacidade
        </Link>
      </footer>
    </div>
  );
}
