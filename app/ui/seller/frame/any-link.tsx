import { Link, useInRouterContext } from "@remix-run/react";
import type { ReactNode } from "react";

type Props = { to: string; className?: string; children: ReactNode };

/** A link for hydrated pages as well as for documents rendered without a router. */
export function AnyLink({ to, ...props }: Props) {
  return useInRouterContext() ? <Link to={to} {...props} /> : <a href={to} {...props} />;
}
