import { Check, CircleCheck, Timer } from "lucide-react";
import type { MailState } from "#app/domain/access/mail-state.ts";
import { formatSeenPrices } from "#app/domain/pricing/quote.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import type { UpsellView } from "#app/domain/upsell/show-upsell.server.ts";
import type { NextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { KEY_PARAMETER } from "#app/kit/paths.ts";
import type { DocumentParts } from "#app/ui/buyer/document.tsx";
import { ExpiryClock } from "#app/ui/buyer/expiry-clock.tsx";
import { discountOf } from "#app/ui/buyer/price.tsx";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";
import { Video } from "#app/ui/buyer/video.tsx";
import { Picture } from "#app/ui/picture.tsx";

/**
 * Where an upsell is answered. Before the thank-you page that is another URL for the same page: if a response is lost, Back
 * leads to the upsell again.
 */
function answerUrl({ kind, linkKey }: Pick<UpsellPageView, "kind" | "linkKey">): string | undefined {
  if (kind === "upsell") return;
  return linkKey ? `?oferta&${KEY_PARAMETER}=${encodeURIComponent(linkKey)}` : "?oferta";
}

/**
 * An upsell after the purchase; `upsell` on its own page, `carousel` before the thank-you page. `linkKey`: that of the mailed link
 * that was opened, empty for none.
 */
type UpsellPageView = UpsellView & {
  kind: "upsell" | "carousel";
  linkKey: string;
  message: string | null;
  store: Store | null;
};

/** The parts of a document that shows an upsell. */
export function upsellParts(view: UpsellPageView, scheme: DocumentParts["scheme"]): DocumentParts {
  return {
    title: view.upsell.name,
    description: `Uma oferta para quem comprou ${view.productName}.`,
    scheme,
    children: <UpsellPage {...view} />,
  };
}

function UpsellPage(view: UpsellPageView) {
  const { upsell, paidSales, warning, message, store } = view;
  return (
    <main className="page narrow">
      <Purchase {...view} />
      {message && (
        <p className="alert is-error" role="alert">
          {message}
        </p>
      )}
      <Progress {...view} />
      <article className="card stack offer">
        <Media upsell={upsell} />
        <h1>{upsell.name}</h1>
        {upsell.description && <p className="muted">{upsell.description}</p>}
        {upsell.benefits.length > 0 && (
          <ul className="benefits">
            {upsell.benefits.map((benefit) => (
              <li className="row" key={benefit}>
                <Check aria-hidden size={18} /> {benefit}
              </li>
            ))}
          </ul>
        )}
        <UpsellPrice upsell={upsell} />
        {paidSales && (
          <p className="small muted">{paidSales.toLocaleString("pt-BR")} compras aprovadas deste produto.</p>
        )}
        <Deadline until={upsell.expiresAt} />
        <form method="post" action={answerUrl(view)} className="stack">
          <input type="hidden" name="offer" value={upsell.id} />
          <input
            type="hidden"
            name="seen_prices"
            value={formatSeenPrices({ ...upsell, bumps: [] })}
            autoComplete="off"
          />
          <button
            type="submit"
            name="intent"
            value="accept"
            className="btn btn-main wide"
            data-busy="Gerando o seu PIX..."
          >
            <span>Sim, quero adicionar por {formatMoney(upsell.priceCents)}</span>
          </button>
          <p className="fine centered">Você paga com um novo PIX, sem digitar nada de novo.</p>
          <button type="submit" name="intent" value="decline" className="btn wide">
            Não, obrigado
          </button>
        </form>
        {warning && <p className="fine">{warning}</p>}
      </article>
      {store && (
        <footer className="foot">
          <SellerIdentity store={store} />
        </footer>
      )}
    </main>
  );
}

const LEADS_ON = " Toque em “Pular ofertas” para ir direto à sua compra.";
const MAIL_FAILED = ` O e-mail com o acesso não chegou a você.${LEADS_ON}`;

/** The purchase that the upsell belongs to: as news only where it is. */
function Purchase({ productName, isJustPaid, mailState }: UpsellPageView) {
  return (
    <header className="alert is-good approved">
      <CircleCheck aria-hidden size={22} />
      <p>
        <b>{isJustPaid ? "Parabéns! Sua compra foi aprovada" : "Sua compra está aprovada"}</b>
        <span className="small said-of">
          {productName}.{isJustPaid ? mailState && MAIL_TEXTS[mailState] : LEADS_ON}
        </span>
      </p>
    </header>
  );
}

/** What becomes of the mail with the access. One that failed can be corrected on the page that follows. */
const MAIL_TEXTS: Record<MailState, string> = {
  waiting: " O acesso já está a caminho do seu e-mail.",
  sent: " O acesso já foi enviado ao seu e-mail.",
  delivered: " O acesso já está no seu e-mail.",
  returned: MAIL_FAILED,
  unsent: MAIL_FAILED,
};

function Progress(view: UpsellPageView) {
  const { kind, upsell } = view;
  const { number, count } = upsell;
  const label = kind === "upsell" ? `Oferta ${number} de ${count}` : `Oferta especial ${number} de ${count}`;
  return (
    <form method="post" action={answerUrl(view)} className="stack progress">
      <div className="spread">
        <b className="small">{label}</b>
        <button type="submit" name="intent" value="skip" className="btn btn-plain">
          Pular ofertas
        </button>
      </div>
      <progress max={count} value={number} aria-label={label} />
    </form>
  );
}

function Media({ upsell }: { upsell: NextUpsell }) {
  if (upsell.videoUrl) return <Video url={upsell.videoUrl} title={`Vídeo: ${upsell.name}`} />;
  return (
    <Picture
      url={upsell.imageUrl}
      className="video"
      width={640}
      height={360}
      sizes="min(31.5rem, 100vw - 4.5rem)"
      fallback={null}
    />
  );
}

function UpsellPrice({ upsell }: { upsell: NextUpsell }) {
  const discount = discountOf(upsell.priceCents, upsell.originalPriceCents);
  return (
    <p className="row">
      <span className="sum">{formatMoney(upsell.priceCents)}</span>
      {discount && (
        <>
          <s className="muted">{formatMoney(upsell.originalPriceCents!)}</s>
          <span className="badge">{discount}% OFF</span>
        </>
      )}
    </p>
  );
}

function Deadline({ until }: { until: Date }) {
  return (
    <ExpiryClock until={until} className="row small deadline">
      {(time) => (
        <>
          <Timer aria-hidden size={16} />
          <span>Esta oferta expira em {time}</span>
        </>
      )}
    </ExpiryClock>
  );
}
