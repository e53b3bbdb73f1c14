import { Link, useLocation } from "@remix-run/react";
import { LogOut, Menu, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import { Form } from "#app/ui/seller/form/form.tsx";
import { UnsavedWork } from "#app/ui/seller/form/unsaved-work.tsx";
import { Avatar } from "#app/ui/seller/frame/avatar.tsx";
import { Brand } from "#app/ui/seller/frame/brand.tsx";
import { Connection } from "#app/ui/seller/frame/connection.tsx";
import { navItemOf, sellerNav } from "#app/ui/seller/frame/nav.ts";
import { Shortcuts } from "#app/ui/seller/frame/shortcuts.tsx";
import { SignInDialog } from "#app/ui/seller/frame/sign-in-dialog.tsx";
import { ThemeToggle } from "#app/ui/seller/frame/theme-toggle.tsx";
import { type Flash, OutcomeSlot } from "#app/ui/seller/outcome.tsx";
import { ProgressBar } from "#app/ui/seller/progress-bar.tsx";

/** The signed-in seller, as the frame shows it. */
export type FrameSeller = { name: string; email: string; pictureUrl: string | null };

/** The layout of every dashboard page. `flash` is the last action's message, shown once. */
export function SellerFrame(props: {
  seller: FrameSeller;
  /** Sent with every form. */
  account: string;
  flash: Flash | null;
  /** The label of the identity provider's button, if there is one. */
  provider?: string | null;
  children: ReactNode;
}) {
  return (
    <div className="lg:pl-60" data-account={props.account}>
      <a
        href="#conteudo"
        className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0"
      >
        Pular para o conteúdo
      </a>
      <ProgressBar />
      <Connection />
      <SignInDialog email={props.seller.email} provider={props.provider ?? null} />
      <aside className="fixed inset-y-0 left-0 z-30 hidden w-60 flex-col border-base-300 border-r bg-base-100 lg:flex">
        <Link to={paths.dashboard()} className="flex h-16 items-center px-5">
          <Brand />
        </Link>
        <NavList label="Principal" />
      </aside>
      {/* Buttons and logo in pixels: at twice the text size they fit into one row on a phone. */}
      <header className="sticky top-0 z-20 flex h-16 items-center gap-1 border-base-300 border-b bg-base-100 px-2 sm:px-4 lg:px-8">
        <Drawer />
        <Link to={paths.dashboard()} className="flex min-h-11 items-center lg:hidden">
          <Brand compact />
        </Link>
        <div className="ml-auto flex items-center gap-1">
          <Shortcuts />
          <ThemeToggle />
          <Link
            to={paths.settings()}
            className="flex min-h-[44px] min-w-[44px] items-center justify-center gap-2 rounded-field hover:bg-base-200 sm:px-2"
          >
            <Avatar seller={props.seller} />
            <span className="max-w-52 text-sm max-sm:sr-only sm:truncate">
              {props.seller.name || props.seller.email}
            </span>
          </Link>
          <Form method="post" action={paths.logout()}>
            <button type="submit" className="btn btn-ghost btn-square size-[44px]" title="Sair">
              <LogOut className="size-[20px]" aria-hidden="true" />
              <span className="sr-only">Sair</span>
            </button>
          </Form>
        </div>
      </header>
      <main
        id="conteudo"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl px-4 py-6 outline-none sm:px-6 lg:px-8 lg:py-8"
      >
        <OutcomeSlot flash={props.flash} top="top-18">
          <UnsavedWork>{props.children}</UnsavedWork>
        </OutcomeSlot>
      </main>
    </div>
  );
}

function NavList({ label }: { label: string }) {
  const { pathname } = useLocation();
  const here = navItemOf(pathname);
  return (
    <nav aria-label={label} className="flex flex-col gap-1 p-3">
      {sellerNav.map((item) => {
        const { href, label, icon: Icon } = item;
        return (
          <Link
            key={href}
            to={href}
            prefetch="intent"
            aria-current={item === here ? (pathname === href ? "page" : "true") : undefined}
            className={`flex min-h-11 items-center gap-3 rounded-field px-3 text-sm ${
              item === here ? "bg-primary/10 font-semibold text-primary" : "hover:bg-base-200"
            }`}
          >
            <Icon className="size-5 shrink-0" aria-hidden="true" />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

/** The sidebar on phones: a native disclosure, so it opens before and without JavaScript. */
function Drawer() {
  const details = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes because the page changed.
  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [key]);
  return (
    <details
      ref={details}
      className="group lg:hidden"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !details.current?.open) return;
        details.current.open = false;
        details.current.querySelector("summary")?.focus();
      }}
    >
      {/* The backdrop belongs to the summary: a tap on it closes the sidebar without a script. */}
      <summary className="btn btn-ghost btn-square size-[44px] list-none group-open:before:fixed group-open:before:inset-0 group-open:before:top-16 group-open:before:z-20 group-open:before:bg-black/40 [&::-webkit-details-marker]:hidden">
        <Menu className="size-[20px] group-open:hidden" aria-hidden="true" />
        <X className="hidden size-[20px] group-open:block" aria-hidden="true" />
        <span className="sr-only">Menu</span>
      </summary>
      <div className="fixed top-16 bottom-0 left-0 z-30 w-72 max-w-[85vw] overflow-y-auto border-base-300 border-r bg-base-100">
        <NavList label="Menu" />
      </div>
    </details>
  );
}
