import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { PageHeader } from "#app/ui/seller/page-header.tsx";
import { requireSeller } from "#app/web/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireSeller(request);
  return null;
}

export default function Settings() {
  return <PageHeader title="Configurações" />;
}

export const meta: MetaFunction = () => [{ title: "Configurações · Checkintelli" }];
