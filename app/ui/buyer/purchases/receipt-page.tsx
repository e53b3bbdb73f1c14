import { ArrowLeft, CircleAlert, CircleCheck, FileDown, Send } from "lucide-react";
import { hasAccess } from "#app/domain/access/why-no-access.ts";
import type { Receipted } from "#app/domain/buyer/list-purchases.server.ts";
import type { WayBack } from "#app/domain/refund/asked/find-way-back.server.ts";
import { paths } from "#app/kit/paths.ts";
import { contactWay } from "#app/ui/buyer/contact.ts";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";
import { MailLine } from "#app/ui/buyer/purchases/mail-line.tsx";
import { NO_INVOICE, receiptOf } from "#app/ui/buyer/purchases/receipt-facts.ts";
import { Unbroken } from "#app/ui/buyer/purchases/unbroken.tsx";
import { type AskedAgain, WayBackCard } from "#app/ui/buyer/purchases/way-back.tsx";
import { closingWords, whatBecame } from "#app/ui/buyer/purchases/words.ts";

/** What a press of a button brought. */
export type Said = { isGood: boolean; text: string };

type View = {
  bought: Receipted;
  email: string;
  said: Said | null;
  way: WayBack | null;
  again: AskedAgain | null;
};

/** On paper the receipt stands alone, on one sheet. Given to this page only: no other pays for these bytes. */
export const RECEIPT_PRINT =
  "@layer kept{.receipt>.btn{margin-top:12px}@media print{@page{size:A4;margin:15mm}html{color-scheme:light}body,.page{background:#fff;color:#000;padding:0;margin:0}.page>*,.not-printed{display:none!important}.page>.receipt{display:block!important;border:0;box-shadow:none;padding:0;color:#000;font-size:11pt;overflow-wrap:anywhere}}}";

/** A purchase's receipt, its mails and its way back. */
export function ReceiptPage({ bought, email, said, way, again }: View) {
  return (
    <main className="page narrow">
      <header className="place-head">
        <a className="small" href={paths.purchases()}>
          <ArrowLeft aria-hidden size={16} /> Minhas compras
        </a>
        <h1>{bought.lines[0]?.name ?? "Compra"}</h1>
      </header>
      {said && (
        <p
          className={said.isGood ? "alert is-good" : "alert is-error"}
          role={said.isGood ? "status" : "alert"}
        >
          {said.isGood ? <CircleCheck aria-hidden size={20} /> : <CircleAlert aria-hidden size={20} />}
          {said.text}
        </p>
      )}
      <ReceiptCard {...bought} email={email} />
      <Mails {...bought} email={email} />
      {way && (
        <WayBackCard
          way={way}
          again={again}
          leftCents={bought.amountCents - bought.refundedCents}
          sellerName={bought.sellerName}
        />
      )}
      <p className="foot">
        Dúvidas? Fale com {bought.sellerName}: {contactWay(bought.contact, true, bought.store)}
      </p>
    </main>
  );
}

function ReceiptCard(bought: Receipted & { email: string }) {
  const { lines, total, facts } = receiptOf(bought);
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
      <p className="spread sum-line">
        <b>Total pago</b>
        <b className="nowrap">{total}</b>
      </p>
      <dl className="facts">
        {facts.map(([name, value]) => (
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
  const became = whatBecame(bought);
  const closing = closingWords(bought);
  const lost = mails.some(({ state }) => state === "returned" || state === "unsent");
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
      {lost && (
        <p className="fine">
          Um e-mail que não foi entregue não chegou até você: a caixa pode estar cheia, ou o provedor recusou.
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
