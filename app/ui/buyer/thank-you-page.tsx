import { CircleCheck, CircleX, Clock, Download } from "lucide-react";
import type { PurchaseKeys } from "#app/domain/access/find-order-keys.server.ts";
import { hasAccess } from "#app/domain/access/has-access.ts";
import type { AcceptedUpsell } from "#app/domain/access/list-accepted-upsells.server.ts";
import { isMailFailure } from "#app/domain/access/mail-state.ts";
import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { itemize } from "#app/domain/pricing/quote.ts";
import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { describePlan, salePaymentOf } from "#app/domain/sale/payments.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";

import type { ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { AcceptedUpsells } from "#app/ui/buyer/accepted-upsells.tsx";
import { type BoughtContent, BoughtItems } from "#app/ui/buyer/bought-items.tsx";
import { type AccessMail, AccessMailCard } from "#app/ui/buyer/email/access-mail.tsx";
import { type PurchaseLink, PurchaseLinkCard } from "#app/ui/buyer/email/purchase-link.tsx";
import { ProductImage } from "#app/ui/buyer/order-summary.tsx";
import { PaymentNotes } from "#app/ui/buyer/payment/notes.tsx";
import { paymentNotes } from "#app/ui/buyer/payment/payment-note-texts.ts";
import { isAwaited, pendingText, statusLabel } from "#app/ui/buyer/payment/pending-text.ts";
import { refundRequestNotes } from "#app/ui/buyer/payment/refund-request-texts.ts";
import { CodeClock } from "#app/ui/buyer/payment-banner.tsx";
import { closingWords, disputedText } from "#app/ui/buyer/purchases/access-end-texts.ts";
import { Support } from "#app/ui/buyer/seller/support.tsx";
import { Picture } from "#app/ui/picture.tsx";

/** Data of the thank-you page. Links to files are signed and present only if the sale is paid. */
export type ThankYouView = {
  purchase: Purchase & { refundRequest: OpenRefundRequest | null };
  acceptedUpsells: AcceptedUpsell[];
  /** Of the sales that the visitor's mailed link opens. */
  keys: PurchaseKeys;
  settings: ThankYouSettings;
  guaranteeDays: number;
  contact: string;
  /** Who sells; null if the seller has not provided it. */
  store: Store | null;
  /** The seller's message, sanitized. */
  messageHtml: string;
  /** Files by their own buttons; none, as `bought`, where the mail is the only way to them. */
  downloads: { name: string; kind: string; href: string }[];
  /** Files, links and texts, by purchased product. */
  bought: BoughtContent[];
  /** The state of the mail with the access; null if none can be sent. */
  mail: AccessMail | null;
  /** Set if no mail leads the buyer back to the page. */
  purchaseLink: PurchaseLink | null;
  /** Why an upsell could not be accepted. */
  alert?: string | null;
  /** Where the seller sends the buyer next; null for nowhere. */
  continueTo: string | null;
};

export function ThankYouPage(view: ThankYouView) {
  return hasAccess(view.purchase) ? <Paid {...view} /> : <Waiting {...view} />;
}

function Paid(view: ThankYouView) {
  const { settings, messageHtml, continueTo, alert, purchase } = view;
  const { saleId } = purchase;
  const closing = closingWords(purchase);
  const notes = [
    ...(purchase.status === "disputed" ? [disputedText(purchase)] : []),
    ...paymentNotes(purchase.payments, purchase),
    ...refundRequestNotes(purchase),
    ...(closing ? [closing] : []),
  ];
  // What concerns money, or the only way back, takes longer to read than a countdown.
  const isToBeRead =
    notes.length > 0 || alert || view.purchaseLink || isMailFailure(view.mail?.state ?? null);
  return (
    <main className="page narrow">
      {alert && (
        <p className="alert is-error" role="alert">
          {alert}
        </p>
      )}
      <header className="centered said">
        <Picture url={settings.logo_url} className="thanks-logo" width={180} height={56} fallback={null} />
        <CircleCheck aria-hidden size={48} strokeWidth={1.5} className="done" />
        <h1>{settings.title}</h1>
        {settings.subtitle && <p>{settings.subtitle}</p>}
      </header>
      <PaymentNotes notes={notes} />
      {messageHtml && <div className="card zone" dangerouslySetInnerHTML={{ __html: messageHtml }} />}
      <Summary {...view} />
      <Downloads {...view} />
      <BoughtItems contents={view.bought} />
      {view.mail && (
        <AccessMailCard {...view.mail} correct={paths.correctEmail(saleId, "", view.keys.get(saleId))} />
      )}
      {view.purchaseLink && <PurchaseLinkCard {...view.purchaseLink} />}
      <AcceptedUpsells {...view} />
      {view.purchase.parentSaleId ? (
        <a className="btn wide" href={thankYouHref(view, view.purchase.parentSaleId)}>
          Voltar à compra de {view.purchase.productName}
        </a>
      ) : (
        continueTo && (
          <TimedRedirect to={continueTo} after={isToBeRead ? 0 : settings.auto_redirect_seconds} />
        )
      )}
      <Support {...view} />
    </main>
  );
}

function thankYouHref({ keys }: ThankYouView, saleId: string): string {
  return paths.thankYou(saleId, keys.get(saleId));
}

/** States in which no payment is awaited. */
const OVER: Purchase["paymentSummary"][] = ["over", "closed", "used", "unmade", "failed", "returned"];

/** Reveals no content before the payment. */
function Waiting(view: ThankYouView) {
  const { purchase } = view;
  const { status, saleId } = purchase;
  const pending = pendingText(purchase);
  const Icon = OVER.includes(purchase.paymentSummary) && status !== "disputed" ? CircleX : Clock;
  return (
    <main className="page narrow">
      <header className="centered said">
        <Icon aria-hidden size={48} strokeWidth={1.5} className="muted" />
        <h1>{pending.title}</h1>
        {pending.text && <p>{pending.text}</p>}
        {purchase.codeExpiresAt && (
          <p>
            <CodeClock expiresAt={purchase.codeExpiresAt} label="O código PIX expira em" />
          </p>
        )}
      </header>
      <PaymentNotes notes={paymentNotes(purchase.payments, purchase)} />
      <Summary {...view} />
      {isAwaited(purchase) && (
        <payment-watch
          data-events={paths.saleEvents(saleId)}
          data-status={purchase.chargeId ? paths.paymentStatus(purchase.chargeId) : paths.saleStatus(saleId)}
          data-paid={thankYouHref(view, saleId)}
          data-standing={purchase.paymentSummary}
          role="status"
        />
      )}
      {pending.link && (
        <a className="btn btn-main wide" href={paths.pix(saleId, view.keys.get(saleId))}>
          {pending.link}
        </a>
      )}
      <AcceptedUpsells {...view} />
      <Support {...view} />
    </main>
  );
}

function Summary({ purchase }: ThankYouView) {
  const rows = itemize(purchase);
  const card = salePaymentOf(purchase.payments)?.card;
  return (
    <section className="card" aria-labelledby="compra">
      <h2 id="compra">Resumo da compra</h2>
      <div className="product">
        <ProductImage url={purchase.imageUrl} />
        <div>
          <p className="ck-product-name">{purchase.lines[0]?.name ?? purchase.productName}</p>
          <p className="muted small">Produto digital</p>
        </div>
      </div>
      {rows.length > 1 && (
        <ul className="lines">
          {rows.map(({ name, amount, line }) => (
            <li className="spread small" key={line?.id ?? name}>
              <span>{name}</span>
              <span className="nowrap">{amount}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <div className="spread">
          <dt>Valor</dt>
          <dd>
            <b>{formatMoney(purchase.amountCents)}</b>
          </dd>
        </div>
        {card && (
          <div className="spread">
            <dt>Cartão</dt>
            <dd>{describePlan(card)}</dd>
          </div>
        )}
        <div className="spread">
          <dt>Status</dt>
          <dd>{statusLabel(purchase)}</dd>
        </div>
        <div className="spread">
          <dt>Número da compra</dt>
          <dd>{shortNumber(purchase.saleId)}</dd>
        </div>
      </dl>
    </section>
  );
}

function Downloads({ downloads, settings }: ThankYouView) {
  if (downloads.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="acesso">
      <h2 id="acesso" className="hush">
        Seu acesso
      </h2>
      {downloads.map(({ name, kind, href }) => (
        <a
          key={href}
          className={kind === "bump" ? "btn wide" : "btn btn-main wide"}
          href={href}
          target="_blank"
          rel="noopener"
        >
          <Download aria-hidden size={18} />
          <span>{kind === "bump" ? `Baixar ${name}` : settings.download_button_text}</span>
        </a>
      ))}
    </section>
  );
}

function TimedRedirect({ to, after }: { to: string; after: number }) {
  return (
    <section className="card stack">
      <a className="btn wide" href={to}>
        Continuar para área de membros
      </a>
      {after > 0 && (
        <redirect-countdown data-href={to} data-seconds={after} class="spread small" hidden>
          <span role="timer">
            Você será redirecionado em <b>{after}</b> segundos.
          </span>
          <button type="button" className="btn">
            Ficar aqui
          </button>
        </redirect-countdown>
      )}
    </section>
  );
}
