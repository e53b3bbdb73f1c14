import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";

/** Asks a seller who has not provided it for their legal identity. */
export function StoreWarning({ missing }: { missing: boolean }) {
  if (!missing) return null;
  return (
    <Alert tone="info" className="mb-6">
      Seus checkouts não dizem quem vende, e a lei pede nome, CPF ou CNPJ, endereço e contato. Preencha os{" "}
      <Link to={paths.storeSettings()} className="link font-medium">
        Dados da loja
      </Link>
      .
    </Alert>
  );
}
