import { itemize } from "#app/domain/pricing/quote.ts";
import { formatMoney } from "#app/kit/money.ts";
import { describeContact } from "#app/ui/buyer/describe-contact.ts";
import type { UnpaidOrder } from "#app/ui/buyer/pix-view.ts";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";

type OrderView = UnpaidOrder & {
  /** Whether a payment can still complete the order. */
  mayStillBePaid: boolean;
};

/** An unpaid order: each line and the discount, if there are several rows, and the total. */
export function OrderBox(view: OrderView) {
  const { productName, amountCents, sellerName, contact, store, isMailed, mailTo } = view;
  const contactText = describeContact(contact, isMailed, store);
  const rows = itemize(view);
  const several = rows.length > 1;
  return (
    <section className="card" aria-labelledby="pedido">
      <h2 id="pedido" className={several ? undefined : "hush"}>
        Seu pedido
      </h2>
      {several && (
        <ul className="lines">
          {rows.map(({ name, amount }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and their order never changes
            <li className="spread" key={at}>
              <span>{name}</span>
              <span className="nowrap">{amount}</span>
            </li>
          ))}
        </ul>
      )}
      <p className={several ? "spread sum-line" : "spread"}>
        <b>{several ? "Total" : productName}</b>
        <b className="nowrap">{formatMoney(amountCents)}</b>
      </p>
      {mailTo && (
        <p className="small mail-to">
          {view.mayStillBePaid ? "O acesso vai" : "Os e-mails deste pedido vão"} para{" "}
          <b>
            <MailAddress of={mailTo.email} />
          </b>
          . <a href={mailTo.correct}>Corrigir e-mail</a>
        </p>
      )}
      <p className="fine">
        Vendido por {sellerName}.{contactText && ` Atendimento: ${contactText}`}
      </p>
      <SellerIdentity store={store} />
    </section>
  );
}
