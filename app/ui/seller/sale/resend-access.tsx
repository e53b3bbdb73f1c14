import { type AccessState, hasAccess } from "#app/domain/access/has-access.ts";
import { ResendButton } from "#app/ui/seller/sale/resend-button.tsx";

type Props = {
  sale: AccessState & { id: string; customerEmail: string | null };
  label?: string;
  className?: string;
  /** For "sem e-mail". */
  textClassName?: string;
};

/** Mails a sale's access to the buyer's present address; nothing where there is no access, and why where no address. */
export function ResendAccess({ sale, label, className, textClassName = "px-2" }: Props) {
  if (!hasAccess(sale)) return null;
  if (!sale.customerEmail)
    return <span className={`text-base-content/70 text-xs ${textClassName}`}>sem e-mail</span>;
  return (
    <ResendButton
      saleId={sale.id}
      to={sale.customerEmail}
      {...(label ? { label } : {})}
      {...(className ? { className } : {})}
    />
  );
}
