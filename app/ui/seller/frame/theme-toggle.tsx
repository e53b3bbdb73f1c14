import { useInRouterContext, useLocation } from "@remix-run/react";
import { Moon, Sun } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Form } from "#app/ui/seller/form/form.tsx";

/**
 * Light or dark, stored on the server. Both buttons are in the page and the stylesheet shows the one that would change the
 * theme: only the browser knows the device's preference while nothing has been chosen. Without JavaScript it is not offered
 * beside fields: what was typed in them would be lost.
 * @param at the current URL, in a document without a router
 */
export function ThemeToggle({ at = paths.home() }: { at?: string }) {
  if (useInRouterContext()) return <RouterForm />;
  return (
    <form method="post" action={paths.theme()}>
      <Buttons returnTo={at} />
    </form>
  );
}

function RouterForm() {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={paths.theme()} preventScrollReset replace className="theme-toggle">
      <Buttons returnTo={pathname + search} />
    </Form>
  );
}

function Buttons({ returnTo }: { returnTo: string }) {
  return (
    <>
      <input type="hidden" name="returnTo" value={returnTo} />
      <button
        type="submit"
        name="theme"
        value="dark"
        className="btn btn-ghost btn-square size-[44px] dark:hidden"
      >
        <Moon className="size-[20px]" aria-hidden="true" />
        <span className="sr-only">Usar tema escuro</span>
      </button>
      <button
        type="submit"
        name="theme"
        value="light"
        className="btn btn-ghost btn-square hidden size-[44px] dark:inline-flex"
      >
        <Sun className="size-[20px]" aria-hidden="true" />
        <span className="sr-only">Usar tema claro</span>
      </button>
    </>
  );
}
