import { ReceiptText, Undo2 } from "lucide-react";
import { hasAccess } from "#app/domain/access/has-access.ts";
import type { SellerPurchases } from "#app/domain/buyer/list-purchases.server.ts";
import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { describePlan, salePaymentOf } from "#app/domain/sale/payments.ts";
import { formatDate } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { type BoughtContent, ItemList, NOTHING_TO_OPEN } from "#app/ui/buyer/bought-items.tsx";
import { describeContact } from "#app/ui/buyer/describe-contact.ts";
import { paymentNotes } from "#app/ui/buyer/payment/payment-note-texts.ts";
import { refundRequestNotes } from "#app/ui/buyer/payment/refund-request-texts.ts";
import { closingWords, describeAccessEnd } from "#app/ui/buyer/purchases/access-end-texts.ts";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";
import { MailLine } from "#app/ui/buyer/purchases/mail-line.tsx";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";

/** Purchases from one seller, with links to their content. */
export type SellerPurchasesView = Omit<SellerPurchases, "purchases"> & {
  purchases: (Omit<SellerPurchases["purchases"][number], "lines"> & {
    lines: BoughtContent[];
    refundRequest: OpenRefundRequest | null;
  })[];
};

/** Everything bought with an e-mail; `older` leads to the next page. */
export function PurchasesPage({
  email,
  sellers,
  isFirst,
  older,
}: {
  email: string;
  sellers: SellerPurchasesView[];
  isFirst: boolean;
  older: string | null;
}) {
  return (
    <main className="page narrow">
      <header className="place-head">
        <h1>Minhas compras</h1>
        <form method="post" className="spread small">
          <span className="muted">
            <MailAddress of={email} />
          </span>
          <button type="submit" name="intent" value="leave" className="btn btn-plain">
            <span>Sair</span>
          </button>
        </form>
      </header>
      {sellers.length === 0 && <Nothing isFirst={isFirst} />}
      {sellers.map((seller) => (
        <Seller {...seller} key={seller.sellerId} />
      ))}
      {(older || !isFirst) && (
        <nav className="place-pages" aria-label="Páginas">
          {!isFirst && <a href={paths.purchases()}>Compras mais recentes</a>}
          {older && (
            <a className="btn" href={older}>
              Compras mais antigas
            </a>
          )}
        </nav>
      )}
      <p className="foot">
        <a href={paths.myData()}>Meus dados: baixar ou apagar</a>
      </p>
    </main>
  );
}

/** A later page is empty where its address was kept, and its purchases were erased since. */
function Nothing({ isFirst }: { isFirst: boolean }) {
  return (
    <p className="card muted">
      {isFirst
        ? "Não há compras aprovadas com este e-mail. Comprou com outro? Saia e peça o link para o outro endereço."
        : "Não há compras mais antigas com este e-mail."}
    </p>
  );
}

function Seller({ sellerId, sellerName, contact, store, purchases }: SellerPurchasesView) {
  return (
    <section className="stack" aria-labelledby={`de-${sellerId}`}>
      <div className="place-seller">
        <h2 id={`de-${sellerId}`}>{sellerName}</h2>
        <p className="fine">Atendimento: {describeContact(contact, true, store)}</p>
        <SellerIdentity store={store} />
      </div>
      {purchases.map((purchase) => (
        <Purchase {...purchase} key={purchase.saleId} />
      ))}
    </section>
  );
}

function Purchase(purchase: SellerPurchasesView["purchases"][number]) {
  const { saleId, status, amountCents, couponCode, paidAt, lines, mail } = purchase;
  const became = describeAccessEnd(purchase);
  const closing = closingWords(purchase);
  const several = lines.length > 1;
  const card = salePaymentOf(purchase.payments)?.card;
  const notes = [...paymentNotes(purchase.payments, purchase), ...refundRequestNotes(purchase)];
  return (
    <article className="card place-purchase" aria-labelledby={`compra-${saleId}`}>
      <div className="spread">
        <h3 id={`compra-${saleId}`}>{lines[0]?.name ?? "Compra"}</h3>
        <b className="nowrap">{formatMoney(amountCents)}</b>
      </div>
      <p className="fine">
        {amountCents > 0 ? "Pago" : "Pedido"} em {formatDate(paidAt)}
        {card && ` · Cartão em ${describePlan(card)}`}
        {couponCode !== null && ` · Cupom ${couponCode}`}
      </p>
      {became && <p className="small">{became}</p>}
      {closing && <p className="small">{closing}</p>}
      {notes.map((note) => (
        <p className="small" key={note}>
          {note}
        </p>
      ))}
      {lines.map(({ name, items }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and their order never changes
        <div className="place-line" key={at}>
          {several && <p className="small">{name}</p>}
          {items.length > 0 ? (
            <ItemList items={items} />
          ) : (
            hasAccess(purchase) && <p className="fine">{NOTHING_TO_OPEN}</p>
          )}
        </div>
      ))}
      <div className="place-foot">
        {mail && <MailLine {...mail} />}
        <a href={paths.receipt(saleId)}>
          <ReceiptText aria-hidden size={16} /> Recibo e e-mails
          <span className="hush"> de {lines[0]?.name}</span>
        </a>
        {/* A receipt of a free purchase has no such section. */}
        {status === "completed" && amountCents > 0 && (
          <a href={`${paths.receipt(saleId)}#devolucao`}>
            <Undo2 aria-hidden size={16} /> Devolução
            <span className="hush"> de {lines[0]?.name}</span>
          </a>
        )}
      </div>
    </article>
  );
}
