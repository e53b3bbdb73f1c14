import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Notice } from "#app/ui/seller/notice.tsx";

/** Asks a seller who sells without one to choose how buyers reach them. */
export function ContactNotice({ missing }: { missing: boolean }) {
  if (!missing) return null;
  return (
    <Notice tone="info" className="mb-6">
      Seus checkouts não mostram um contato de atendimento, e a lei pede um. Escolha como quem compra fala com
      você em{" "}
      <Link to={paths.checkoutCustomization("confianca")} className="link font-medium">
        Personalização do checkout
      </Link>
      .
    </Notice>
  );
}
