import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Notice } from "#app/ui/seller/notice.tsx";

/** Asks a seller who sells without it to say who they are. */
export function StoreNotice({ missing }: { missing: boolean }) {
  if (!missing) return null;
  return (
    <Notice tone="info" className="mb-6">
      Seus checkouts não dizem quem vende, e a lei pede nome, CPF ou CNPJ, endereço e contato. Preencha os{" "}
      <Link to={paths.storeSettings()} className="link font-medium">
        Dados da loja
      </Link>
      .
    </Notice>
  );
}
