import { Check, CircleCheck, Gift, Timer } from "lucide-react";
import type { ShownOffer } from "#app/domain/offer/next-offer.server.ts";
import type { OfferShown } from "#app/domain/offer/show-offer.server.ts";
import { writeSeenPrices } from "#app/domain/order/seen-prices.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";
import { formatMoney } from "#app/kit/money.ts";
import type { DocumentParts } from "#app/ui/buyer/document.tsx";
import { discountOf } from "#app/ui/buyer/price.tsx";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";
import { Video } from "#app/ui/buyer/video.tsx";
import { Picture } from "#app/ui/picture.tsx";

/** The same page by another address: where an answer is lost on the way, Back leads to the offer again. */
const ANSWERED = "?oferta";

/** An offer after the purchase; `upsell` on its own page, `carousel` before the thank-you. */
type OfferView = OfferShown & { kind: "upsell" | "carousel"; message: string | null; store: Store | null };

/** What a document that shows an offer is made of. */
export function offerParts(view: OfferView, scheme: DocumentParts["scheme"]): DocumentParts {
  return {
    title: view.offer.name,
    description: `Uma oferta para quem comprou ${view.productName}.`,
    scheme,
    children: <OfferPage {...view} />,
  };
}

function OfferPage(view: OfferView) {
  const { kind, productName, hasMail, offer, paidSales, notice, message, store } = view;
  return (
    <main className="page narrow">
      <header className="alert is-good approved">
        <CircleCheck aria-hidden size={22} />
        <p>
          <b>Parabéns! Sua compra foi aprovada</b>
          <span className="small said-of">
            {productName}.{hasMail && " O acesso já está a caminho do seu e-mail."}
          </span>
        </p>
      </header>
      {message && (
        <p className="alert is-error" role="alert">
          {message}
        </p>
      )}
      <Progress kind={kind} offer={offer} />
      <article className="card stack offer">
        <Media offer={offer} />
        <h1>{offer.name}</h1>
        {offer.description && <p className="muted">{offer.description}</p>}
        {offer.benefits.length > 0 && (
          <ul className="benefits">
            {offer.benefits.map((benefit) => (
              <li className="row" key={benefit}>
                <Check aria-hidden size={18} /> {benefit}
              </li>
            ))}
          </ul>
        )}
        <OfferPrice offer={offer} />
        {paidSales && (
          <p className="small muted">{paidSales.toLocaleString("pt-BR")} compras aprovadas deste produto.</p>
        )}
        <Deadline until={offer.expiresAt} />
        <form method="post" action={kind === "carousel" ? ANSWERED : undefined} className="stack">
          <input type="hidden" name="offer" value={offer.id} />
          <input
            type="hidden"
            name="seen_prices"
            value={writeSeenPrices({ ...offer, bumps: [] })}
            autoComplete="off"
          />
          <button
            type="submit"
            name="intent"
            value="accept"
            className="btn btn-main wide"
            data-busy="Gerando o seu PIX..."
          >
            <span>Sim, quero adicionar por {formatMoney(offer.priceCents)}</span>
          </button>
          <p className="fine centered">Você paga com um novo PIX, sem digitar nada de novo.</p>
          <button type="submit" name="intent" value="decline" className="btn wide">
            Não, obrigado
          </button>
        </form>
        {notice && <p className="fine">{notice}</p>}
      </article>
      {store && (
        <footer className="foot">
          <SellerIdentity store={store} />
        </footer>
      )}
    </main>
  );
}

function Progress({ kind, offer: { number, count } }: Pick<OfferView, "kind" | "offer">) {
  const label = kind === "upsell" ? `Oferta ${number} de ${count}` : `Oferta especial ${number} de ${count}`;
  return (
    <form method="post" action={kind === "carousel" ? ANSWERED : undefined} className="stack progress">
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

function Media({ offer }: { offer: ShownOffer }) {
  if (offer.videoUrl) return <Video url={offer.videoUrl} title={`Vídeo: ${offer.name}`} />;
  const standIn = (
    <span className="video no-image">
      <Gift aria-hidden size={48} strokeWidth={1.25} />
    </span>
  );
  return (
    <Picture
      url={offer.imageUrl}
      className="video"
      width={640}
      height={360}
      sizes="min(31.5rem, 100vw - 4.5rem)"
      fallback={standIn}
    />
  );
}

function OfferPrice({ offer }: { offer: ShownOffer }) {
  const discount = discountOf(offer.priceCents, offer.originalPriceCents);
  return (
    <p className="row">
      <span className="sum">{formatMoney(offer.priceCents)}</span>
      {discount && (
        <>
          <s className="muted">{formatMoney(offer.originalPriceCents!)}</s>
          <span className="badge">{discount}% OFF</span>
        </>
      )}
    </p>
  );
}

function Deadline({ until }: { until: Date }) {
  const seconds = Math.max(0, Math.round((until.getTime() - Date.now()) / 1000));
  const left = `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <expiry-clock class="row small deadline">
      <Timer aria-hidden size={16} />
      <span>
        Esta oferta expira em <time dateTime={until.toISOString()}>{left}</time>
      </span>
    </expiry-clock>
  );
}
