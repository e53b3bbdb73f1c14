import { Form, useLocation } from "@remix-run/react";
import { Moon, Sun } from "lucide-react";
import { paths } from "#app/kit/paths.ts";

/**
 * Light or dark, remembered on the server. Both buttons are in the page and the stylesheet shows the one that changes
 * something: only the browser knows what the device prefers while nothing has been chosen.
 */
export function ThemeToggle() {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={paths.theme()} preventScrollReset replace>
      <input type="hidden" name="returnTo" value={pathname + search} />
      <button
        type="submit"
        name="theme"
        value="dark"
        className="btn btn-ghost btn-square size-11 dark:hidden"
      >
        <Moon className="size-5" aria-hidden="true" />
        <span className="sr-only">Usar tema escuro</span>
      </button>
      <button
        type="submit"
        name="theme"
        value="light"
        className="btn btn-ghost btn-square hidden size-11 dark:inline-flex"
      >
        <Sun className="size-5" aria-hidden="true" />
        <span className="sr-only">Usar tema claro</span>
      </button>
    </Form>
  );
}
