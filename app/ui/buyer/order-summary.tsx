import { Package, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { isFreeWhateverChosen } from "#app/ui/buyer/checkout/checkout-view.ts";
import { Price } from "#app/ui/buyer/price.tsx";
import { Picture } from "#app/ui/picture.tsx";

type Image = { url: string | null; size?: number; lazy?: boolean };

/** A product's picture, or a placeholder of the same size. */
export function ProductImage({ url, size = 72, lazy = false }: Image) {
  const placeholder = (
    <span className="no-image">
      <Package aria-hidden size={28} strokeWidth={1.5} />
    </span>
  );
  const loading = lazy ? "lazy" : undefined;
  return <Picture url={url} width={size} height={size} loading={loading} fallback={placeholder} />;
}

type Summary = { product: ProductForSale; children?: ReactNode };

/** For phones, where the summary is far below: the product and its price, above the form. */
export function Bought({ product, children }: Summary) {
  return (
    <div className="bought">
      <ProductImage url={product.imageUrl} size={52} />
      <div>
        <p className="name">{product.name}</p>
        <Price priceCents={product.priceCents} originalPriceCents={product.originalPriceCents} />
        {children}
      </div>
    </div>
  );
}

/** 'Resumo do pedido': the product and its price. */
export function OrderSummary({ product, children }: Summary) {
  return (
    <section className="card" aria-labelledby="resumo">
      <div className="spread">
        <h2 id="resumo">Resumo do pedido</h2>
        {!isFreeWhateverChosen(product) && (
          <span className="chip">
            <ShieldCheck aria-hidden size={14} /> Compra protegida
          </span>
        )}
      </div>
      <div className="product">
        <ProductImage url={product.imageUrl} lazy />
        <div>
          <p className="ck-product-name">{product.name}</p>
          {product.description && <p className="ck-product-description">{product.description}</p>}
          <Price priceCents={product.priceCents} originalPriceCents={product.originalPriceCents} />
          {product.promotionText && <p className="promo">{product.promotionText}</p>}
          {product.urgencyText && <p className="small muted">{product.urgencyText}</p>}
          {children}
        </div>
      </div>
    </section>
  );
}
