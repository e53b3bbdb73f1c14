import { ArrowLeft, CircleAlert, CircleCheck, FileDown, Send } from "lucide-react";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { isMailFailure } from "#app/domain/access/mail-state.ts";
import type { PurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import type { RefundRequestState } from "#app/domain/refund/request/find-refund-request-state.server.ts";
import { salePaymentOf } from "#app/domain/sale/payments.ts";
import { paths } from "#app/kit/paths.ts";
import { describeContact } from "#app/ui/buyer/describe-contact.ts";
import { refundStateText } from "#app/ui/buyer/payment/payment-note-texts.ts";
import { closingWords, describeAccessEnd } from "#app/ui/buyer/purchases/access-end-texts.ts";
import { buildReceipt, NO_INVOICE } from "#app/ui/buyer/purchases/build-receipt.ts";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";
import { MailLine } from "#app/ui/buyer/purchases/mail-line.tsx";
import { type RefundFormReply, RefundRequestCard } from "#app/ui/buyer/purchases/refund-request.tsx";
import { Unbroken } from "#app/ui/buyer/purchases/unbroken.tsx";

/** The result of a button. */
export type ReceiptMessage = { isGood: boolean; text: string };

type View = {
  bought: PurchaseReceipt;
  email: string;
  message: ReceiptMessage | null;
  refundRequest: RefundRequestState | null;
  formReply: RefundFormReply | null;
};

/** Prints only the receipt, on one sheet. Included in this page alone, to save the bytes on others. */
export const RECEIPT_PRINT =
  "@layer kept{.receipt>.btn{margin-top:12px}@media print{@page{size:A4;margin:15mm}html{color-scheme:light}body,.page{background:#fff;color:#000;padding:0;margin:0}.page>*,.not-printed{display:none!important}.page>.receipt{display:block!important;border:0;box-shadow:none;padding:0;color:#000;font-size:11pt;overflow-wrap:anywhere}}}";

/** A purchase's receipt, its mails and its refund request. */
export function ReceiptPage({ bought, email, message, refundRequest, formReply }: View) {
  const ownPayment = salePaymentOf(bought.payments);
  return (
    <main className="page narrow">
      <header className="place-head">
        <a className="small" href={paths.purchases()}>
          <ArrowLeft aria-hidden size={16} /> Minhas compras
        </a>
        <h1>{bought.lines[0]?.name ?? "Compra"}</h1>
      </header>
      {message && (
        <p
          className={message.isGood ? "alert is-good" : "alert is-error"}
          role={message.isGood ? "status" : "alert"}
        >
          {message.isGood ? <CircleCheck aria-hidden size={20} /> : <CircleAlert aria-hidden size={20} />}
          {message.text}
        </p>
      )}
      <ReceiptCard {...bought} email={email} />
      <Mails {...bought} email={email} />
      {refundRequest && (
        <RefundRequestCard
          refundRequest={refundRequest}
          note={ownPayment ? refundStateText(ownPayment, bought) : null}
          formReply={formReply}
          leftCents={bought.amountCents - bought.refundedCents}
          sellerName={bought.sellerName}
          shopClosedAt={bought.shopClosedAt}
        />
      )}
      <p className="foot">
        Dúvidas? Fale com {bought.sellerName}: {describeContact(bought.contact, true, bought.store)}
      </p>
    </main>
  );
}

function ReceiptCard(bought: PurchaseReceipt & { email: string }) {
  const { lines, totals, details } = buildReceipt(bought);
  return (
    <section className="card receipt" aria-labelledby="recibo">
      <h2 id="recibo">Recibo</h2>
      <ul className="lines">
        {lines.map((line) => (
          <li className="spread" key={line.id}>
            <span>{line.name}</span>
            <span className="nowrap">{line.amount}</span>
          </li>
        ))}
      </ul>
      {totals.map(({ label, amount }) => (
        <p className="spread sum-line" key={label}>
          <b>{label}</b>
          <b className="nowrap">{amount}</b>
        </p>
      ))}
      <dl className="facts">
        {details.map(([name, value]) => (
          <div className="spread" key={name}>
            <dt>{name}</dt>
            <dd>{value.includes("@") ? <MailAddress of={value} /> : <Unbroken of={value} />}</dd>
          </div>
        ))}
      </dl>
      <p className="fine">{NO_INVOICE}</p>
      <a className="btn wide not-printed" href={paths.receiptFile(bought.saleId)}>
        <FileDown aria-hidden size={18} />
        <span>Baixar em PDF</span>
      </a>
    </section>
  );
}

function Mails({ mails, email, ...bought }: View["bought"] & { email: string }) {
  const became = describeAccessEnd(bought);
  const closing = closingWords(bought);
  const isReturned = mails.some(({ state }) => state === "returned");
  return (
    <section className="card stack" aria-labelledby="emails">
      <h2 id="emails">E-mails desta compra</h2>
      {mails.length === 0 && <p className="muted small">Nenhum e-mail foi enviado a {email}.</p>}
      {mails.length > 0 && (
        <ul className="place-mails">
          {mails.map((mail) => (
            <li key={mail.id}>
              <MailLine {...mail} />
            </li>
          ))}
        </ul>
      )}
      {mails.some(({ state }) => isMailFailure(state)) && (
        <p className="fine">
          {isReturned
            ? "Um e-mail que não foi entregue não chegou até você: a caixa pode estar cheia, ou o provedor recusou."
            : "Um e-mail que não foi enviado não chegou até você."}{" "}
          Tudo o que você comprou está também em Minhas compras.
        </p>
      )}
      {became && <p className="small">{became}</p>}
      {closing && <p className="small">{closing}</p>}
      {hasAccess(bought) && (
        <form method="post">
          <button type="submit" name="intent" value="resend" className="btn wide" data-busy="Enviando...">
            <Send aria-hidden size={18} />
            <span>Enviar o acesso de novo</span>
          </button>
        </form>
      )}
    </section>
  );
}
