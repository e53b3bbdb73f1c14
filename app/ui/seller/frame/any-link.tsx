import { Link, useInRouterContext } from "@remix-run/react";
import type { ReactNode } from "react";

type Props = { to: string; className?: string; children: ReactNode };

/** A link that stands in hydrated pages and in documents that are rendered once, without a router. */
export function AnyLink({ to, ...props }: Props) {
  return useInRouterContext() ? <Link to={to} {...props} /> : <a href={to} {...props} />;
}
