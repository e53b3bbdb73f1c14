import { ArrowLeft, CircleAlert, CircleCheck, Send } from "lucide-react";
import type { BuyerMail } from "#app/domain/access/access-mails.server.ts";
import type { Bought } from "#app/domain/buyer/list-purchases.server.ts";
import type { WayBack } from "#app/domain/refund/asked/find-way-back.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { contactWay } from "#app/ui/buyer/contact.ts";
import { MailLine } from "#app/ui/buyer/purchases/mail-line.tsx";
import { type AskedAgain, WayBackCard } from "#app/ui/buyer/purchases/way-back.tsx";
import { ENDED } from "#app/ui/buyer/purchases/words.ts";

/** What a press of a button brought. */
export type Said = { isGood: boolean; text: string };

type View = {
  bought: Bought & { mails: BuyerMail[] };
  email: string;
  said: Said | null;
  way: WayBack | null;
  again: AskedAgain | null;
};

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
      <Receipt {...bought} email={email} />
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
        Dúvidas? Fale com {bought.sellerName}: {contactWay(bought.contact, true)}
      </p>
    </main>
  );
}

const STATUS: Partial<Record<Bought["status"], string>> = {
  completed: "Aprovada",
  refunded: "Devolvida",
  chargedback: "Contestada e devolvida",
};

function Receipt({ lines, ...bought }: Bought & { email: string }) {
  const facts: [string, string][] = [
    ...(bought.refundedCents > 0
      ? ([["Valor devolvido", formatMoney(bought.refundedCents)]] as [string, string][])
      : []),
    ["Situação", STATUS[bought.status] ?? ""],
    ["Pago em", formatDateTime(bought.paidAt)],
    ["Forma de pagamento", "PIX"],
    ["Vendido por", bought.sellerName],
    ["Comprado por", bought.email],
    ["Número da compra", bought.saleId],
  ];
  return (
    <section className="card" aria-labelledby="recibo">
      <h2 id="recibo">Recibo</h2>
      <ul className="lines">
        {lines.map((line) => (
          <li className="spread" key={line.id}>
            <span>{line.name}</span>
            <span className="nowrap">{formatMoney(line.priceCents)}</span>
          </li>
        ))}
      </ul>
      <p className="spread sum-line">
        <b>Total pago</b>
        <b className="nowrap">{formatMoney(bought.amountCents)}</b>
      </p>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div className="spread" key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="fine">Este recibo não é uma nota fiscal.</p>
    </section>
  );
}

function Mails({ status, mails, email }: View["bought"] & { email: string }) {
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
          Um e-mail devolvido não chegou: a caixa pode estar cheia, ou o provedor recusou. Tudo o que você
          comprou está também em Minhas compras.
        </p>
      )}
      {status === "completed" ? (
        <form method="post">
          <button type="submit" name="intent" value="resend" className="btn wide" data-busy="Enviando...">
            <Send aria-hidden size={18} />
            <span>Enviar o acesso de novo</span>
          </button>
        </form>
      ) : (
        <p className="small">{ENDED[status as keyof typeof ENDED]}</p>
      )}
    </section>
  );
}
